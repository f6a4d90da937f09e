import type { Secrets } from '../secrets.ts'

/** What is longer stays out of Redis: whoever asked for it reads its row. In characters, sealed. */
const longest = 16_000

const contextOf = (issuanceId: string) => `credentials of ${issuanceId}`

/** The credentials of an issuance for who waits for them, sealed; null where they are too large. */
export function sealCredentials(secrets: Secrets, issuanceId: string, credentials: readonly object[]): string | null {
  const text = JSON.stringify(credentials)
  if (text.length > longest) return null
  const sealed = secrets.seal(text, contextOf(issuanceId))
  return sealed.length > longest ? null : sealed
}

/** The same again. Throws when it was sealed for another issuance. */
export function openCredentials<Credential>(secrets: Secrets, issuanceId: string, sealed: string): Credential[] {
  return JSON.parse(secrets.open(sealed, contextOf(issuanceId)))
}
