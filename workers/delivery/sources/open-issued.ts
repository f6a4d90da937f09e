import type { OpenIssued } from '../../../db/event-payloads.ts'
import type { IssuedCredential } from '../../../db/tables/issuance/issuances.ts'
import { openCredentials } from '../../../shared/jobs/answered-credentials.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'

/**
 * Returns a function that opens the credentials of each issuance once. A batch of 30 credentials has 30 events, and its row has all 30
 * credentials. Use it for one job, because it keeps what it opened.
 */
export function createOpenIssued(secrets: Secrets): OpenIssued {
  const opened = new Map<string, IssuedCredential[]>()
  return (issuanceId, stored) => {
    const credentials = opened.get(issuanceId) ?? openCredentials<IssuedCredential>(secrets, issuanceId, stored)
    opened.set(issuanceId, credentials)
    return credentials
  }
}
