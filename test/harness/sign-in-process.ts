import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { pino } from 'pino'
import type { KeyRow } from '../../db/repos/identifiers/keys.ts'
import { type PublicJwk, publicKeyFromJwk } from '../../shared/formats/jwk.ts'
import { createKeyring } from '../../workers/signing/keys/keyring.ts'
import { openToken } from '../../workers/signing/keys/pkcs11/open-token.ts'
import { secretKeyInToken } from '../../workers/signing/keys/pkcs11/secret-key-in-token.ts'

/**
 * A process that signs with keys of a token, or with keys that it gets, and then waits with all of them in use. `token-memory.test.ts` reads
 * its memory.
 */
export type SigningTask = { signaturesPerKey: number } & (
  | { settings: { module: string; uri: string; pinFile: string }; keys: { handle: string; publicJwk: PublicJwk }[] }
  | { privateKeys: Buffer[] }
  /** Software keys, and the URI of their key-encryption key in the token, or its bytes. */
  | { settings: { module: string; uri: string; pinFile: string }; rows: KeyRow[]; keyEncryptionKey: string | Buffer }
)

/** More signatures would wait until their deadline if there are many keys, which SoftHSM2 searches one after another. */
const atOnce = 8

// It runs until its memory was read.
process.on('disconnect', () => process.exit())
process.once('message', async (task: SigningTask) => {
  const signers = await signersOf(task)
  for (let round = 0; round < task.signaturesPerKey; round++)
    for (let at = 0; at < signers.length; at += atOnce)
      await Promise.all(signers.slice(at, at + atOnce).map((sign) => sign(Buffer.from(`credential ${round}`))))
  process.send?.('signed')
})

type Sign = (bytes: Buffer) => Promise<Buffer>

function signersOf(task: SigningTask): Promise<Sign[]> | Sign[] {
  if ('rows' in task) return signersOfRows(task)
  return 'settings' in task ? signersOfToken(task) : task.privateKeys.map(signerOf)
}

async function signersOfRows({ settings, rows, keyEncryptionKey }: Extract<SigningTask, { rows: unknown }>) {
  const key =
    typeof keyEncryptionKey === 'string'
      ? await secretKeyInToken(await openToken({ ...settings, log: pino({ level: 'silent' }) }), keyEncryptionKey)
      : Buffer.from(keyEncryptionKey)
  const keyring = createKeyring([key])
  const signers = await Promise.all(rows.map((row) => keyring.openSigner(asBuffers(row))))
  return signers.map(({ sign }) => sign)
}

/** Messages between processes have other arrays of bytes. */
function asBuffers(row: KeyRow): KeyRow {
  return { ...row, wrappedPrivateKey: Buffer.from(row.wrappedPrivateKey) }
}

async function signersOfToken({ settings, keys }: Extract<SigningTask, { keys: unknown }>): Promise<Sign[]> {
  const token = await openToken({ ...settings, log: pino({ level: 'silent' }) })
  return keys.map(({ handle, publicJwk }) => {
    const key = { handle, algorithm: 'ES256' as const, publicKey: publicKeyFromJwk(publicJwk) }
    return (bytes) => token.sign(key, bytes)
  })
}

/** The process keeps the keys until it ends. */
const keysInUse: KeyObject[] = []

function signerOf(pkcs8: Buffer): Sign {
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
  keysInUse.push(key, createPublicKey(key))
  return async (bytes) => sign('sha256', bytes, key)
}
