import { hash } from 'node:crypto'

/** An encrypted DIDComm message: a JWE in the general JSON serialisation (RFC 7516, section 7.2.1). It can have other members. */
export type EncryptedMessage = Readonly<Record<string, unknown>> & {
  readonly protected: string
  readonly recipients: readonly Readonly<Record<string, unknown>>[]
  readonly ciphertext: string
  readonly iv: string
  readonly tag: string
}

/** Returns the bytes to send, and their digest (SHA-256, base64url), which identifies the message. */
export function messageBytes(message: EncryptedMessage): { bytes: Buffer; sha256: string } {
  const bytes = Buffer.from(JSON.stringify(message))
  return { bytes, sha256: hash('sha256', bytes, 'base64url') }
}
