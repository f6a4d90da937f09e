import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { newNonce, nonceEnd, nonceExpiry } from '../../proofs/nonce.ts'

const macBytes = 32

/**
 * Creates the challenge that an instance of the application attests together with its key. The challenge is valid once,
 * for five minutes. It is a nonce and needs no storage, because anyone may request challenges. It is plain base64url,
 * because apps may treat it as text or as bytes.
 */
export function newInstanceChallenge(
  deps: Deps,
  tenant: Tenant,
  applicationId: string,
): { challenge: string; expiresAt: Date } {
  const expiresAt = nonceEnd(deps)
  const nonce = newNonce(deps, tenant, 'holder_challenge', { of: `${applicationId} `, expiresAt })
  const parts = nonce.split('.').map((part) => Buffer.from(part, 'base64url'))
  return { challenge: Buffer.concat(parts).toString('base64url'), expiresAt }
}

/** Returns the expiry of the challenge. Returns undefined if it belongs to another application or has expired. */
export function challengeExpiry(
  deps: Deps,
  tenant: Tenant,
  applicationId: string,
  challenge: string,
): Date | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  // Each challenge has exactly one valid encoding.
  if (bytes.toString('base64url') !== challenge) return undefined
  const [content, mac] = [bytes.subarray(0, -macBytes), bytes.subarray(-macBytes)]
  const nonce = `${content.toString('base64url')}.${mac.toString('base64url')}`
  return nonceExpiry(deps, tenant, nonce, 'holder_challenge', `${applicationId} `)
}

/** Returns whether the device attested the challenge: its text, or the bytes that it encodes. */
export function isChallenge(attested: Buffer, challenge: string): boolean {
  return attested.equals(Buffer.from(challenge)) || attested.equals(Buffer.from(challenge, 'base64url'))
}
