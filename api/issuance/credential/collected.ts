import type { IssuanceResult } from '../../../db/repos/issuance/issuances.ts'
import type { IssuedCredential } from '../../../db/tables/issuance/issuances.ts'
import { openCredentials } from '../../../shared/jobs/answered-credentials.ts'
import type { Deps } from '../../deps.ts'

/** What a wallet collects. */
export interface Collected extends Pick<IssuanceResult, 'id' | 'sessionId' | 'deferredAt'> {
  credentials: IssuedCredential[]
}

/** The same of the row of an issuance, which keeps its credentials sealed until they are wiped. */
export function collectedFrom(
  { secrets }: Deps,
  row: Omit<Collected, 'credentials'> & Pick<IssuanceResult, 'credentials'>,
): Collected {
  const { id, sessionId, deferredAt, credentials } = row
  return { id, sessionId, deferredAt, credentials: openCredentials<IssuedCredential>(secrets, id, credentials ?? []) }
}
