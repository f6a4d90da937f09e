import { hash } from 'node:crypto'

/** A DIDComm message as it travels: a JWE in the general JSON serialisation (RFC 7516, section 7.2.1), with whatever else it has. */
export type EncryptedMessage = Readonly<Record<string, unknown>> & {
  readonly protected: string
  readonly recipients: readonly Readonly<Record<string, unknown>>[]
  readonly ciphertext: string
  readonly iv: string
  readonly tag: string
}

/** What is sent, and what is told apart by its digest (SHA-256, base64url). */
export function messageBytes(message: EncryptedMessage): { bytes: Buffer; sha256: string } {
  const bytes = Buffer.from(JSON.stringify(message))
  return { bytes, sha256: hash('sha256', bytes, 'base64url') }
}
