import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import type { BytesSigner } from './bytes-signer.ts'

/** A checkpoint of a log (C2SP tlog-checkpoint): the root of the tree of its first `size` entries. */
export interface Checkpoint {
  /** The name of the log, which is the name of its key: text without spaces and `+`. */
  origin: string
  size: number
  /** 32 bytes. */
  root: Buffer
}

/** The signature type of Ed25519 (C2SP signed-note). */
const ed25519 = 1

/**
 * Returns the checkpoint as a signed note (C2SP signed-note): three lines, an empty line, and a line with the signature of the
 * Ed25519 key.
 */
export async function signCheckpoint({ origin, size, root }: Checkpoint, key: BytesSigner): Promise<string> {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`
  const signature = Buffer.concat([noteKeyId(origin, key.publicKey), await key.sign(Buffer.from(text))])
  return `${text}\n— ${origin} ${signature.toString('base64')}\n`
}

/**
 * Reads a signed checkpoint. Returns undefined if it is malformed, or if none of its signatures is by one of these Ed25519 keys.
 * Lines after the root are extensions, which the signature covers.
 */
export function openCheckpoint(note: string, keys: readonly KeyObject[]): Checkpoint | undefined {
  const end = note.lastIndexOf('\n\n')
  if (end === -1) return undefined
  const text = note.slice(0, end + 1)
  const [origin = '', size = '', root = ''] = text.split('\n')
  const bytes = Buffer.from(root, 'base64')
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || bytes.length !== 32 || bytes.toString('base64') !== root)
    return undefined
  const signatures = note
    .slice(end + 2)
    .split('\n')
    .flatMap((line) => signatureOf(line, origin))
  const isSigned = keys.some((key) =>
    signatures.some(
      (signature) =>
        signature.subarray(0, 4).equals(noteKeyId(origin, key)) &&
        verify(null, Buffer.from(text), key, signature.subarray(4)),
    ),
  )
  return isSigned ? { origin, size: Number(size), root: bytes } : undefined
}

function signatureOf(line: string, name: string): Buffer[] {
  const start = `— ${name} `
  return line.startsWith(start) ? [Buffer.from(line.slice(start.length), 'base64')] : []
}

/** C2SP signed-note, "Signatures": the start of the SHA-256 of name, signature type and public key. */
export function noteKeyId(name: string, publicKey: KeyObject): Buffer {
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([ed25519]), Buffer.from(x, 'base64url')])
  return hash('sha256', named, 'buffer').subarray(0, 4)
}

/** Returns the Ed25519 keys of a JWK set. */
export function ed25519KeysOf({ keys }: { keys: readonly object[] }): KeyObject[] {
  return keys.flatMap((jwk) =>
    'crv' in jwk && jwk.crv === 'Ed25519' && 'x' in jwk && typeof jwk.x === 'string'
      ? [createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: jwk.x }, format: 'jwk' })]
      : [],
  )
}
