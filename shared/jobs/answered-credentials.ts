import type { Secrets } from '../secrets.ts'

/** A longer text stays out of Redis: the request that waits reads it in the row of the issuance. In characters. */
const longest = 16_000

/** What their sealed text is bound to. */
export const credentialsSealContext = (issuanceId: string) => `credentials of ${issuanceId}`

/** The credentials of an issuance, sealed: for its row, and for the request that waits. */
export function sealCredentials(secrets: Secrets, issuanceId: string, credentials: readonly object[]): string {
  return secrets.seal(JSON.stringify(credentials), credentialsSealContext(issuanceId))
}

/** What the request that waits is sent: the sealed credentials, or null if they are too large. */
export function answerOf(sealed: string): string | null {
  return sealed.length > longest ? null : sealed
}

/**
 * Opens what `sealCredentials` made. Throws if it was sealed for another issuance. Earlier versions kept the credentials in the row as
 * they are.
 */
export function openCredentials<Credential>(
  secrets: Secrets,
  issuanceId: string,
  kept: string | Credential[],
): Credential[] {
  return typeof kept === 'string' ? JSON.parse(secrets.open(kept, credentialsSealContext(issuanceId))) : kept
}
