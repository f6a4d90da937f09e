import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Clock, dayMs, systemClock } from '../clock.ts'
import { countSeal } from '../metrics/seals.ts'

/** The purpose of a sealed value. It opens for the same context only. */
export interface SealContext {
  /** The use, without ids: a label of a metric. Each use has keys of its own. */
  use: string
  /** The place of the value, such as its kind and its id. It is associated data. */
  place: string
}

/**
 * 1: one key for all uses, as in versions before the header. 2: after a header, a key for each use and day, so that no key comes near
 * 2^32 seals with random nonces (NIST SP 800-38D, section 8.3).
 */
export type SealFormat = 1 | 2

/** Seals and opens values with keys that are derived from one secret. */
export interface Sealer {
  /** Encrypts with AES-256-GCM. Returns the header of the format, nonce, tag and ciphertext. */
  seal(plaintext: Buffer, context: SealContext): Buffer
  /** Opens values of each format. Throws if secret, context or any byte differs. */
  open(sealed: Buffer, context: SealContext): Buffer
  /** Returns whether the value has the format in which this sealer seals. */
  isInFormat(sealed: Buffer): boolean
}

export interface SealerOptions {
  /** 32 bytes. */
  secret: Buffer
  /** The key of format 1. */
  commonKey: KeyObject
  format: SealFormat
  clock?: Clock | undefined
}

/** The begin of format 2. A nonce of format 1 begins with it once in 2^32 values, so both formats are tried. */
const mark = Buffer.from('TWS2')
const headerBytes = mark.length + 4

export function createSealer({ secret, commonKey, format, clock = systemClock }: SealerOptions): Sealer {
  const keys = new LRUCache<string, KeyObject>({ max: 1_000 })

  function keyOf(day: number, use: string): KeyObject {
    const info = `trustwright seal ${day} ${use}`
    const cachedKey = keys.get(info)
    if (cachedKey) return cachedKey
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', info, 32)))
    keys.set(info, key)
    return key
  }

  return {
    seal(plaintext, { use, place }) {
      countSeal(use)
      if (format === 1) return encrypt(commonKey, plaintext, place)
      const day = Math.floor(clock.now().getTime() / dayMs)
      const header = Buffer.alloc(headerBytes)
      header.set(mark)
      header.writeUInt32BE(day, mark.length)
      return Buffer.concat([header, encrypt(keyOf(day, use), plaintext, place)])
    },
    open(sealed, { use, place }) {
      if (!hasHeader(sealed)) return decrypt(commonKey, sealed, place)
      try {
        return decrypt(keyOf(sealed.readUInt32BE(mark.length), use), sealed.subarray(headerBytes), place)
      } catch {
        return decrypt(commonKey, sealed, place)
      }
    },
    isInFormat: (sealed) => hasHeader(sealed) === (format === 2),
  }
}

function hasHeader(sealed: Buffer): boolean {
  return sealed.length >= headerBytes && sealed.subarray(0, mark.length).equals(mark)
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

function encrypt(key: KeyObject, plaintext: Buffer, place: string): Buffer {
  const nonce = newNonce()
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(place))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

function decrypt(key: KeyObject, sealed: Buffer, place: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}
