import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Macs } from '../../secrets/secrets.ts'

export const nonceBytes = 32
/** The frames of the handshake are short. */
export const handshakeFrameBytes = 64
/** The time in which each side must prove the service secret. */
export const handshakeMs = 5_000
const tagBytes = 16
const algorithm = 'aes-256-gcm'

/** Encrypts and decrypts the frames of one side of a connection, each direction in its order. */
export interface Session {
  seal(plaintext: string): Buffer
  /** Throws if the frame was not sealed for this connection, this direction and this position. */
  open(sealed: Buffer): string
}

/**
 * Returns the session of a process that sends requests. Its keys are derived from the service secret and from the random values of both sides. So a frame
 * proves the service secret, and cannot be used in another connection.
 */
export function openCallerSession(secrets: Macs, nonces: Buffer): Session {
  const keyOf = (use: string) => Buffer.from(secrets.mac(use, nonces.toString('base64url')), 'base64url')
  return createSession({ sealKey: keyOf(requestUse), openKey: keyOf(answerUse) })
}

/** Returns a session of a signing process for each service secret, the current one first. */
export function openSignerSessions(secrets: Macs, nonces: Buffer): Session[] {
  const keysOf = (use: string) =>
    secrets.macs(use, nonces.toString('base64url')).map((mac) => Buffer.from(mac, 'base64url'))
  const sealKeys = keysOf(answerUse)
  return keysOf(requestUse).flatMap((openKey, index) => {
    const sealKey = sealKeys[index]
    return sealKey ? [createSession({ sealKey, openKey })] : []
  })
}

const requestUse = 'signing socket request'
const answerUse = 'signing socket answer'

function createSession({ sealKey, openKey }: { sealKey: Buffer; openKey: Buffer }): Session {
  const [nextSealed, nextOpened] = [createNonces(), createNonces()]
  return {
    seal(plaintext) {
      const cipher = createCipheriv(algorithm, sealKey, nextSealed())
      const ciphertext = cipher.update(plaintext, 'utf8')
      return Buffer.concat([ciphertext, cipher.final(), cipher.getAuthTag()])
    },
    open(sealed) {
      const decipher = createDecipheriv(algorithm, openKey, nextOpened(), { authTagLength: tagBytes })
      const end = Math.max(sealed.length - tagBytes, 0)
      decipher.setAuthTag(sealed.subarray(end))
      return decipher.update(sealed.subarray(0, end), undefined, 'utf8') + decipher.final('utf8')
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
