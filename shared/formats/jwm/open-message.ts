import { createPublicKey, type KeyObject } from 'node:crypto'
import { bytesOfBase64url } from '../base64url.ts'
import type { SecretAgreement } from '../bytes-signer.ts'
import { FormatError } from '../format-error.ts'
import { type OkpPublicJwk, publicKeyFromJwk } from '../jwk.ts'
import { encryptionOf, openContent } from './content-encryption.ts'
import { deriveKey, keyAgreement, unwrapKey } from './key-agreement.ts'
import type { AddressedMessage } from './read-message.ts'

/** The key of the recipient and the key of the sender. */
export interface DecryptionKeys {
  key: SecretAgreement
  /** An X25519 key. */
  senderJwk: OkpPublicJwk
}

/** Decrypts and authenticates a message for this recipient. Throws `invalid_message` for every fault, with its cause. */
export async function openMessage(message: AddressedMessage, { key, senderJwk }: DecryptionKeys): Promise<Uint8Array> {
  try {
    const { commitsToKey } = encryptionOf(message.enc)
    const sealed = { iv: bytes(message.iv), ciphertext: bytes(message.ciphertext), tag: bytes(message.tag) }
    const purpose = {
      ...keyAgreement,
      partyU: bytes(message.apu ?? ''),
      partyV: bytes(message.apv ?? ''),
      tag: commitsToKey ? sealed.tag : undefined,
    }
    const peers = [keyOnce(message.epk), publicKeyFromJwk(senderJwk)]
    const wrapping = deriveKey(await Promise.all(peers.map((peer) => key.derive(peer))), purpose)
    const contentKey = unwrapKey(wrapping, bytes(message.encryptedKey))
    return openContent(encryptionOf(message.enc), contentKey, sealed, Buffer.from(message.protected))
  } catch (error) {
    throw new FormatError('invalid_message', 'it cannot be opened', { cause: error })
  }
}

/** Creates a key object without the cache, because an ephemeral key occurs only once. */
function keyOnce({ kty, crv, x }: OkpPublicJwk): KeyObject {
  return createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
}

function bytes(text: string): Buffer {
  const decoded = bytesOfBase64url(text)
  if (!decoded) throw new Error('not base64url')
  return decoded
}
