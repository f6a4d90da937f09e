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
 * Secrets that all processes of the service share: one key per use, derived from `SERVICE_SECRET`. They seal job data in Redis, and
 * key the HMACs of short codes and nonces. They do not protect signing keys.
 */
export interface Secrets {
  /** Encrypts with AES-256-GCM for another process of the service. Returns base64url of nonce, tag and ciphertext. */
  seal(plaintext: string, context: string): string
  /** Encrypts bytes in the same way, without base64url. */
  sealBytes(plaintext: Buffer, context: string): Buffer
  /** Opens the result of `sealBytes`. Throws as `open`. */
  openBytes(sealed: Buffer, context: string): Buffer
  /** Throws if the text was changed, or sealed for another context. */
  open(sealed: string, context: string): string
  /** Returns the HMAC-SHA-256 for one use, in base64url. */
  mac(use: string, data: string): string
  /** Returns the result of `mac` under the current secret and under each earlier secret, to look up a value by any of them. */
  macs(use: string, data: string): [first: string, ...earlier: string[]]
  /** Returns whether the text is the result of `mac` under any of the secrets. Compares in constant time. */
  isMac(given: string, use: string, data: string): boolean
  /** Seals a text again that was sealed under an earlier secret. Returns undefined for the current secret. Throws as `open`. */
  reseal(sealed: string, context: string): string | undefined
}

/** Seals and keys with the first secret. Accepts all secrets, so that one can be replaced. */
export function createSecrets(serviceSecrets: ServiceSecrets): Secrets {
  const all = serviceSecrets.map(keysOf) as [Keys, ...Keys[]]
  const [first, ...earlier] = all
  const seal: Secrets['seal'] = (plaintext, context) =>
    sealWith(first.sealing, Buffer.from(plaintext), context).toString('base64url')
  const mac = (keys: Keys, use: string, data: string) =>
    createHmac('sha256', keys.mac(use)).update(data).digest('base64url')
  return {
    seal,
    sealBytes: (plaintext, context) => sealWith(first.sealing, plaintext, context),
    openBytes: (sealed, context) => openWithAny(all, sealed, context).plaintext,
    open: (sealed, context) => openTextWithAny(all, sealed, context).plaintext.toString(),
    reseal(sealed, context) {
      const { keys, plaintext } = openTextWithAny(all, sealed, context)
      return keys === first ? undefined : seal(plaintext.toString(), context)
    },
    mac: (use, data) => mac(first, use, data),
    macs: (use, data) => [mac(first, use, data), ...earlier.map((keys) => mac(keys, use, data))],
    isMac: (given, use, data) => all.some((keys) => equalInConstantTime(given, mac(keys, use, data))),
  }
}

/** Values of `SERVICE_SECRET`, 32 bytes each. */
export type ServiceSecrets = readonly [Buffer, ...Buffer[]]

function openTextWithAny(all: [Keys, ...Keys[]], sealed: string, context: string) {
  return openWithAny(all, Buffer.from(sealed, 'base64url'), context)
}

function openWithAny(all: [Keys, ...Keys[]], bytes: Buffer, context: string): { keys: Keys; plaintext: Buffer } {
  let failure: unknown
  for (const keys of all) {
    try {
      return { keys, plaintext: openWith(keys.sealing, bytes, context) }
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

/** Derives the keys of one secret. */
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

let randomPool = Buffer.alloc(0)
let usedBytes = 0

/** Returns random bytes that no other nonce has. One call of `randomBytes` for each nonce would take longer than the encryption. */
function newNonce(): Buffer {
  if (usedBytes === randomPool.length) {
    randomPool = randomBytes(256 * nonceBytes)
    usedBytes = 0
  }
  usedBytes += nonceBytes
  return randomPool.subarray(usedBytes - nonceBytes, usedBytes)
}

/** Encrypts with AES-256-GCM and a 32-byte key. Returns nonce, tag and ciphertext. `context` is the associated data. */
export function sealWith(key: KeyObject, plaintext: Buffer, context: string): Buffer {
  const nonce = newNonce()
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(context))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/** Decrypts the result of `sealWith`. Throws if key, context or any byte differs. */
export function openWith(key: KeyObject, sealed: Buffer, context: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}

/** Compares two strings in a time that does not depend on where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
