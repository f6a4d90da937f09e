import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { newNonce, nonceEnd, nonceExpiry } from '../../proofs/nonce.ts'

const macBytes = 32

/**
 * What an instance of the application has attested together with its key: good for five minutes, and once. It is a nonce (see
 * there), so that challenges, which anybody may ask for, fill no table; in plain base64url, as apps may take it for text or for
 * bytes.
 */
export function newChallenge(
  deps: Deps,
  tenant: Tenant,
  applicationId: string,
): { challenge: string; expiresAt: Date } {
  const expiresAt = nonceEnd(deps)
  const nonce = newNonce(deps, tenant, 'holder_challenge', { of: `${applicationId} `, expiresAt })
  const parts = nonce.split('.').map((part) => Buffer.from(part, 'base64url'))
  return { challenge: Buffer.concat(parts).toString('base64url'), expiresAt }
}

/** When the challenge ends; undefined when it is none of this application, or has ended. */
export function challengeExpiry(
  deps: Deps,
  tenant: Tenant,
  applicationId: string,
  challenge: string,
): Date | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  // One challenge has one spelling.
  if (bytes.toString('base64url') !== challenge) return undefined
  const [content, mac] = [bytes.subarray(0, -macBytes), bytes.subarray(-macBytes)]
  const nonce = `${content.toString('base64url')}.${mac.toString('base64url')}`
  return nonceExpiry(deps, tenant, nonce, 'holder_challenge', `${applicationId} `)
}

/** Whether the device has attested the challenge: its text, or the bytes that it stands for. */
export function isChallenge(attested: Buffer, challenge: string): boolean {
  return attested.equals(Buffer.from(challenge)) || attested.equals(Buffer.from(challenge, 'base64url'))
}
