import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/**
 * What all our processes may know and nobody else: derived from `SERVICE_SECRET`, one key per use. It seals job data on
 * its way through Redis and keys the short codes and nonces; it opens no signing key.
 */
export interface Secrets {
  /** Encrypts for another process of this service. AES-256-GCM; base64url of nonce, tag and ciphertext. */
  seal(plaintext: string, context: string): string
  /** Throws when the text was changed, or sealed for another context. */
  open(sealed: string, context: string): string
  /** HMAC-SHA-256 for one use, base64url. */
  mac(use: string, data: string): string
}

export function createSecrets(serviceSecret: Buffer): Secrets {
  const derive = (use: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', serviceSecret, '', `trustwright ${use}`, 32)))
  const sealingKey = derive('seal')
  const macKeys = new Map<string, KeyObject>()
  const macKey = (use: string) => {
    const key = macKeys.get(use) ?? derive(`mac ${use}`)
    macKeys.set(use, key)
    return key
  }
  return {
    seal: (plaintext, context) => sealWith(sealingKey, Buffer.from(plaintext), context).toString('base64url'),
    open: (sealed, context) => openWith(sealingKey, Buffer.from(sealed, 'base64url'), context).toString(),
    mac: (use, data) => createHmac('sha256', macKey(use)).update(data).digest('base64url'),
  }
}

const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM under a key of 32 bytes: nonce, tag, ciphertext. `context` is bound as associated data. */
export function sealWith(key: KeyObject, plaintext: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(context))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/** The inverse of `sealWith`; throws when key, context or any byte differs. */
export function openWith(key: KeyObject, sealed: Buffer, context: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}

/** Compares two strings in a time that tells nothing about where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
