import { randomBytes } from 'node:crypto'
import type { EncryptedMessage } from '../../shared/domain/messaging/messages.ts'

/** Returns random bytes in the form of an encrypted message. No key can open it, and no two are the same. */
export function newJwe(size = 40): EncryptedMessage {
  const part = (length: number) => randomBytes(length).toString('base64url')
  return {
    protected: Buffer.from('{"typ":"application/didcomm-encrypted+json","enc":"XC20P"}').toString('base64url'),
    recipients: [{ header: { alg: 'ECDH-1PU+A256KW', kid: 'did:example:bob#1' }, encrypted_key: part(40) }],
    iv: part(24),
    ciphertext: part(size),
    tag: part(16),
  }
}

/** Returns such a message for a DID. */
export function newMessage(recipient: string, message = newJwe()) {
  return { recipient, message, at: new Date() }
}
