import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** A public key of minisign. */
export interface MinisignKey {
  /** 16 upper-case hexadecimal digits, as minisign prints it. */
  id: string
  publicKey: KeyObject
}

export interface MinisignSignature {
  keyId: string
  /** Whether the signature is over the BLAKE2b-512 of the bytes (`ED`), or over the bytes themselves (`Ed`, legacy). */
  isPrehashed: boolean
  signature: Buffer
  trustedComment: string
  /** The signature over the signature and the trusted comment. */
  commentSignature: Buffer
}

const keyBytes = 42
const signatureBytes = 74
const ed25519SpkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Reads a public key of minisign: its file, or its line in base64. Returns undefined for other text. */
export function readMinisignKey(text: string): MinisignKey | undefined {
  const lines = text.trimEnd().split('\n')
  const [line = ''] = lines.length === 2 && lines[0]?.startsWith(untrusted) ? lines.slice(1) : lines
  const bytes = lines.length <= 2 ? fromBase64(line, keyBytes) : undefined
  if (bytes?.toString('latin1', 0, 2) !== 'Ed') return undefined
  const key = Buffer.concat([ed25519SpkiPrefix, bytes.subarray(10)])
  return { id: idOf(bytes), publicKey: createPublicKey({ key, format: 'der', type: 'spki' }) }
}

/** Reads a detached signature of minisign. Returns undefined for other text. */
export function readMinisignSignature(text: string): MinisignSignature | undefined {
  const [first = '', main = '', comment = '', global = '', ...rest] = text.split('\n')
  const isComplete = first.startsWith(untrusted) && comment.startsWith(trusted) && rest.every((line) => line === '')
  const bytes = fromBase64(main, signatureBytes)
  const commentSignature = fromBase64(global, 64)
  const algorithm = bytes?.toString('latin1', 0, 2)
  if (!isComplete || !bytes || !commentSignature || (algorithm !== 'ED' && algorithm !== 'Ed')) return undefined
  const isPrehashed = algorithm === 'ED'
  const trustedComment = comment.slice(trusted.length)
  return { keyId: idOf(bytes), isPrehashed, signature: bytes.subarray(10), trustedComment, commentSignature }
}

/** Returns whether the key made the signature of the bytes, and that of the trusted comment. */
export function isSignedByMinisign(bytes: Uint8Array, signed: MinisignSignature, { id, publicKey }: MinisignKey) {
  if (signed.keyId !== id) return false
  const message = signed.isPrehashed ? createHash('blake2b512').update(bytes).digest() : bytes
  const comment = Buffer.concat([signed.signature, Buffer.from(signed.trustedComment)])
  return verify(null, message, publicKey, signed.signature) && verify(null, comment, publicKey, signed.commentSignature)
}

const untrusted = 'untrusted comment: '
const trusted = 'trusted comment: '

/** Returns the bytes of canonical base64, if they have this length. */
function fromBase64(line: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(line, 'base64')
  return bytes.length === length && bytes.toString('base64') === line ? bytes : undefined
}

/** The id follows the two letters of the algorithm. minisign prints it as a little-endian number. */
function idOf(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(2, 10)).reverse().toString('hex').toUpperCase()
}
