import { type ChildProcess, fork } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tenantOwner } from '../../../db/repos/identifiers/keys.ts'
import { type PublicJwk, publicJwk } from '../../../shared/formats/jwk.ts'
import { createKeyring, type Keyring } from '../../../workers/signing/keys/keyring.ts'
import { secretKeyInToken } from '../../../workers/signing/keys/pkcs11/secret-key-in-token.ts'
import type { SigningTask } from '../../harness/sign-in-process.ts'
import { makeToken, type TestToken } from '../../harness/softhsm.ts'

const tags = { tags: 'pkcs11' as const }
const program = new URL('../../harness/sign-in-process.ts', import.meta.url)
/** `TOKEN_MEMORY_KEYS=1000 TOKEN_MEMORY_SIGNATURES=10000` is the full proof. */
const keyCount = Number(process.env.TOKEN_MEMORY_KEYS ?? 30)
const signaturesPerKey = Math.ceil(Number(process.env.TOKEN_MEMORY_SIGNATURES ?? 600) / keyCount)
let made: TestToken
let child: ChildProcess | undefined

beforeEach(() => {
  made = makeToken()
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await made[Symbol.asyncDispose]()
})

const makeKeys = () => Array.from({ length: keyCount }, () => generateKeyPairSync('ec', { namedCurve: 'P-256' }))

function scalarOf(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url')
}

/** Runs the task in a process of its own, and returns how many of the secrets are in its memory then. */
async function scalarsInMemory(task: SigningTask, scalars: Buffer[]): Promise<number> {
  child = fork(program, { execArgv: [], serialization: 'advanced' })
  child.send(task)
  const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  expect(answer).toBe('signed')
  // OpenSSL stores numbers with the least significant byte first.
  const patterns = scalars.map((scalar) => [scalar, Buffer.from(scalar).reverse()])
  const parts = memoryOf(child.pid!)
  return patterns.filter((forms) => parts.some((part) => forms.some((form) => part.includes(form)))).length
}

/** Returns the writable memory of a process. */
function memoryOf(pid: number): Buffer[] {
  const file = openSync(`/proc/${pid}/mem`, 'r')
  try {
    const regions = readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/^([\da-f]+)-([\da-f]+) rw/gm)
    return [...regions].flatMap(([, from, to]) =>
      readRegion(file, Number.parseInt(from!, 16), Number.parseInt(to!, 16)),
    )
  } finally {
    closeSync(file)
  }
}

const partBytes = 8_000_000

/** Parts overlap, so that no scalar is cut in two. A part that the kernel does not show is left out. */
function readRegion(file: number, from: number, to: number): Buffer[] {
  const parts: Buffer[] = []
  for (let at = from; at < to; at += partBytes) {
    const part = Buffer.alloc(Math.min(partBytes + 64, to - at))
    try {
      parts.push(part.subarray(0, readSync(file, part, 0, part.length, at)))
    } catch {
      // such as memory of a device
    }
  }
  return parts
}

test(
  'no private key of the token is in the memory of the process that signs with it, where a scan finds software keys',
  tags,
  async () => {
    const pairs = makeKeys()
    const scalars = pairs.map(({ privateKey }) => scalarOf(privateKey))
    const token = await made.open()
    const keys: { handle: string; publicJwk: PublicJwk }[] = []
    for (const [at, { privateKey, publicKey }] of pairs.entries()) {
      const name = { label: `key ${at}`, id: `key ${at}` }
      const { handle } = await token.importKeyPair({ algorithm: 'ES256', ...name, privateKey })
      keys.push({ handle, publicJwk: publicJwk(publicKey) })
    }

    expect(await scalarsInMemory({ settings: made.settings, keys, signaturesPerKey }, scalars)).toBe(0)
    child?.kill('SIGKILL')

    const privateKeys = pairs.map(({ privateKey }) => privateKey.export({ format: 'der', type: 'pkcs8' }))
    expect(await scalarsInMemory({ privateKeys, signaturesPerKey }, scalars)).toBe(keyCount)
  },
)

test(
  'a key-encryption key in the token is not in the memory of the process that signs with the keys under it, where a scan finds one in memory',
  tags,
  async () => {
    const secret = randomBytes(32)
    const uri = made.importSecretKey('kek', secret)
    const owned = { tenantId: 'tenant', owner: tenantOwner, purpose: 'did', algorithm: 'ES256' } as const
    const inToken = createKeyring([await secretKeyInToken(await made.open(), uri)])
    const rowsOf = (keyring: Keyring) =>
      Promise.all(Array.from({ length: 8 }, () => keyring.prepareKey(owned, new Date())))
    const task = { settings: made.settings, signaturesPerKey }

    const rows = await rowsOf(inToken)
    expect(await scalarsInMemory({ ...task, rows, keyEncryptionKey: uri }, [secret])).toBe(0)
    child?.kill('SIGKILL')

    const others = await rowsOf(createKeyring([secret]))
    expect(await scalarsInMemory({ ...task, rows: others, keyEncryptionKey: secret }, [secret])).toBe(1)
  },
)
