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
  /** What `mac` says, and what it said under each earlier secret, for who looks which of them was told. */
  macs(use: string, data: string): [first: string, ...earlier: string[]]
  /** Whether that is what `mac` says, or said under an earlier secret; compared in constant time. */
  isMac(given: string, use: string, data: string): boolean
  /** What was sealed under an earlier secret, sealed anew; undefined for what the first has sealed. Throws as `open`. */
  sealAnew(sealed: string, context: string): string | undefined
}

/** The first secret seals and keys; what the others have sealed and keyed is good too, so that one can be replaced. */
export function createSecrets(serviceSecrets: ServiceSecrets): Secrets {
  const all = serviceSecrets.map(keysOf) as [Keys, ...Keys[]]
  const [first, ...earlier] = all
  const seal: Secrets['seal'] = (plaintext, context) =>
    sealWith(first.sealing, Buffer.from(plaintext), context).toString('base64url')
  const mac = (keys: Keys, use: string, data: string) =>
    createHmac('sha256', keys.mac(use)).update(data).digest('base64url')
  return {
    seal,
    open: (sealed, context) => openUnderOne(all, sealed, context).plaintext,
    sealAnew(sealed, context) {
      const { keys, plaintext } = openUnderOne(all, sealed, context)
      return keys === first ? undefined : seal(plaintext, context)
    },
    mac: (use, data) => mac(first, use, data),
    macs: (use, data) => [mac(first, use, data), ...earlier.map((keys) => mac(keys, use, data))],
    isMac: (given, use, data) => all.some((keys) => equalInConstantTime(given, mac(keys, use, data))),
  }
}

/** Values of `SERVICE_SECRET`, 32 bytes each. */
export type ServiceSecrets = readonly [Buffer, ...Buffer[]]

function openUnderOne(all: [Keys, ...Keys[]], sealed: string, context: string): { keys: Keys; plaintext: string } {
  const bytes = Buffer.from(sealed, 'base64url')
  let failure: unknown
  for (const keys of all) {
    try {
      return { keys, plaintext: openWith(keys.sealing, bytes, context).toString() }
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

interface Keys {
  sealing: KeyObject
  mac(use: string): KeyObject
}

/** The keys that follow from one secret. */
function keysOf(serviceSecret: Buffer): Keys {
  const derive = (use: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', serviceSecret, '', `trustwright ${use}`, 32)))
  const macKeys = new Map<string, KeyObject>()
  return {
    sealing: derive('seal'),
    mac(use) {
      const key = macKeys.get(use) ?? derive(`mac ${use}`)
      macKeys.set(use, key)
      return key
    },
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
