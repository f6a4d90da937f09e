import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Macs } from '../../secrets/secrets.ts'

export const nonceBytes = 32
/** The frames of the handshake are short. */
export const handshakeFrameBytes = 64
/** The time in which each side must prove the service secret. */
export const handshakeMs = 5_000
const tagBytes = 16
const algorithm = 'aes-256-gcm'

type Direction = 'request' | 'answer'

/** Encrypts the frames of one direction of a connection, in their order. */
export interface FrameSealer {
  seal(plaintext: string): Buffer
}

/** Decrypts the frames of one direction, in their order. */
export interface FrameOpener {
  /** Throws if the frame was not sealed for this connection and this position. */
  open(sealed: Buffer): string
}

/**
 * Returns the key of a direction of a connection, derived from the service secret and from the random values of both sides. So a frame proves
 * the service secret, and cannot be used in another connection.
 */
export function sessionKey(secrets: Macs, direction: Direction, nonces: Buffer): Buffer {
  return Buffer.from(secrets.mac(useOf(direction), nonces.toString('base64url')), 'base64url')
}

/** Returns the keys under each service secret, the current one first. */
export function sessionKeys(secrets: Macs, direction: Direction, nonces: Buffer): Buffer[] {
  return secrets.macs(useOf(direction), nonces.toString('base64url')).map((mac) => Buffer.from(mac, 'base64url'))
}

const useOf = (direction: Direction) => `signing socket ${direction}`

export function createFrameSealer(key: Buffer): FrameSealer {
  const nextNonce = createNonces()
  return {
    seal(plaintext) {
      const cipher = createCipheriv(algorithm, key, nextNonce())
      const ciphertext = cipher.update(plaintext, 'utf8')
      return Buffer.concat([ciphertext, cipher.final(), cipher.getAuthTag()])
    },
  }
}

export function createFrameOpener(key: Buffer): FrameOpener {
  const nextNonce = createNonces()
  return {
    open(sealed) {
      const decipher = createDecipheriv(algorithm, key, nextNonce(), { authTagLength: tagBytes })
      const end = sealed.length - tagBytes
      decipher.setAuthTag(sealed.subarray(Math.max(end, 0)))
      return decipher.update(sealed.subarray(0, Math.max(end, 0)), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** Counts the frames. A key is used for one direction of one connection, so no nonce repeats. */
function createNonces(): () => Buffer {
  let count = 0n
  return () => {
    const nonce = Buffer.alloc(12)
    nonce.writeBigUInt64BE(count++, 4)
    return nonce
  }
}
