import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'

export interface SealedContent {
  iv: Buffer
  ciphertext: Buffer
  tag: Buffer
}

/** A content encryption. */
export interface ContentOpening {
  ivBytes: number
  tagBytes: number
  /** Throws if any part differs from the sealed content. */
  open(key: Buffer, sealed: SealedContent, aad: Buffer): Uint8Array
}

interface Encryption extends ContentOpening {
  /** Whether the tag commits to one key. ECDH-1PU then derives the wrapping key from the tag. */
  commitsToKey: boolean
}

/** The content encryptions of messages: draft-amringer-jose-chacha-02, and RFC 7518, sections 5.2.5 and 5.3. */
const encryptions = {
  XC20P: { ivBytes: 24, tagBytes: 16, commitsToKey: false, open: openXChaCha },
  A256GCM: { ivBytes: 12, tagBytes: 16, commitsToKey: false, open: openGcm },
  'A256CBC-HS512': { ivBytes: 16, tagBytes: 32, commitsToKey: true, open: openCbcHmac },
} as const satisfies Record<string, Encryption>

export type MessageEncryption = keyof typeof encryptions

export function isMessageEncryption(name: unknown): name is MessageEncryption {
  return typeof name === 'string' && Object.hasOwn(encryptions, name)
}

export function encryptionOf(name: MessageEncryption): Encryption {
  return encryptions[name]
}

/** Encrypts with XC20P. Each key and each iv is used only once. */
export function sealXChaCha(plaintext: Uint8Array, key: Buffer, iv: Buffer, aad: Buffer): SealedContent {
  const both = Buffer.from(xchacha20poly1305(key, iv, aad).encrypt(plaintext))
  const end = both.length - encryptions.XC20P.tagBytes
  return { iv, ciphertext: both.subarray(0, end), tag: both.subarray(end) }
}

/** Decrypts content. Refuses an iv or tag of the wrong length, because a shorter tag is easier to guess. */
export function openContent(
  { ivBytes, tagBytes, open }: ContentOpening,
  key: Buffer,
  sealed: SealedContent,
  aad: Buffer,
): Uint8Array {
  if (sealed.iv.length !== ivBytes || sealed.tag.length !== tagBytes) {
    throw new Error('not the lengths of the content encryption')
  }
  return open(key, sealed, aad)
}

function openXChaCha(key: Buffer, { iv, ciphertext, tag }: SealedContent, aad: Buffer): Uint8Array {
  return xchacha20poly1305(key, iv, aad).decrypt(Buffer.concat([ciphertext, tag]))
}

/** RFC 7518, section 5.3. The key has 128 or 256 bits, and the tag 128. */
export function openGcm(key: Buffer, { iv, ciphertext, tag }: SealedContent, aad: Buffer): Uint8Array {
  const cipher = key.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm'
  const decipher = createDecipheriv(cipher, key, iv, { authTagLength: 16 })
  decipher.setAAD(aad).setAuthTag(tag)
  return Buffer.concat([decipher.update(ciphertext), decipher.final()])
}

/**
 * RFC 7518, section 5.2.2.2: the first half of the key is for the tag, which is checked before the decryption. The key has 256 or 512 bits.
 */
export function openCbcHmac(key: Buffer, { iv, ciphertext, tag }: SealedContent, aad: Buffer): Uint8Array {
  const [half, hash, cipher] =
    key.length === 32 ? ([16, 'sha256', 'aes-128-cbc'] as const) : ([32, 'sha512', 'aes-256-cbc'] as const)
  const aadBits = Buffer.alloc(8)
  aadBits.writeBigUInt64BE(BigInt(aad.length) * 8n)
  const mac = createHmac(hash, key.subarray(0, half)).update(aad).update(iv).update(ciphertext).update(aadBits)
  if (!timingSafeEqual(mac.digest().subarray(0, tag.length), tag)) throw new Error('the tag does not match')
  const decipher = createDecipheriv(cipher, key.subarray(half), iv)
  return Buffer.concat([decipher.update(ciphertext), decipher.final()])
}
