import type { IssuanceResult } from '../../../db/repos/issuance/issuances.ts'
import type { IssuedCredential } from '../../../db/tables/issuance/issuances.ts'
import { openCredentials } from '../../../shared/jobs/answered-credentials.ts'
import type { Deps } from '../../deps.ts'

/** An issuance as its wallet collects it. */
export interface Collected extends Pick<IssuanceResult, 'id' | 'sessionId' | 'deferredAt'> {
  credentials: IssuedCredential[]
}

/** Returns the same from the row of an issuance, which stores its credentials sealed until they are wiped. */
export function collectedFrom(
  { secrets }: Deps,
  row: Omit<Collected, 'credentials'> & Pick<IssuanceResult, 'credentials'>,
): Collected {
  const { id, sessionId, deferredAt, credentials } = row
  return { id, sessionId, deferredAt, credentials: openCredentials<IssuedCredential>(secrets, id, credentials ?? []) }
}
