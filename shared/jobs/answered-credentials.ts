import type { Secrets } from '../secrets/secrets.ts'
import { issuedCredentialsContext } from '../secrets/stored-contexts.ts'

/** Characters of the longest reply that goes through Redis. For a longer one, the waiting request reads the row of the issuance. */
const maxReplyLength = 16_000

/** Seals the credentials of an issuance, for its row and for the waiting request. */
export function sealCredentials(secrets: Secrets, issuanceId: string, credentials: readonly object[]): string {
  return secrets.seal(JSON.stringify(credentials), issuedCredentialsContext(issuanceId))
}

/** Returns the reply to the waiting request: the sealed credentials, or null if they are too large. */
export function answerOf(sealed: string): string | null {
  return sealed.length > maxReplyLength ? null : sealed
}

/**
 * Opens the result of `sealCredentials`. Throws if it was sealed for another issuance. Earlier versions stored the credentials in the
 * row without sealing them.
 */
export function openCredentials<Credential>(
  secrets: Secrets,
  issuanceId: string,
  stored: string | Credential[],
): Credential[] {
  return typeof stored === 'string' ? JSON.parse(secrets.open(stored, issuedCredentialsContext(issuanceId))) : stored
}
