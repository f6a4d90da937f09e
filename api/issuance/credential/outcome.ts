import type { IssuanceResult } from '../../../db/repos/issuance/issuances.ts'
import { findSession } from '../../../db/repos/issuance/sessions/sessions.ts'
import type { IssuedCredential } from '../../../db/tables/issuance/issuances.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { openCredentials } from '../../../shared/jobs/answered-credentials.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/**
 * The outcome of an issuance for the wallet that requested it. `routes.ts` turns each outcome into a response, and with
 * it into the event of the request and the timeline of the offer.
 */
export type IssueOutcome =
  | { kind: 'issued'; issuance: IssuedResult }
  /** The issuance is not signed yet. The wallet collects it later. */
  | { kind: 'deferred'; transactionId: string }
  /** A repeated request gets the same refusal. */
  | { kind: 'refused'; problem: Problem }
  /** The issuance was cancelled, or its row or session is missing. The wallet can repeat the request. */
  | { kind: 'unknown'; error: unknown }

/** An issuance with its credentials. */
export interface IssuedResult extends Pick<IssuanceResult, 'id' | 'sessionId' | 'deferredAt'> {
  credentials: IssuedCredential[]
}

/** Returns the outcome of a signed issuance, with the sealed credentials of its row. */
export function issuedFrom(
  { secrets }: Deps,
  {
    id,
    sessionId,
    deferredAt,
    credentials,
  }: Omit<IssuanceResult, 'authorizationId' | 'state' | 'deliveredAt' | 'refusal'>,
): IssueOutcome {
  const opened = openCredentials<IssuedCredential>(secrets, id, credentials ?? [])
  return { kind: 'issued', issuance: { id, sessionId, deferredAt, credentials: opened } }
}

/** Returns the problem of a refused issuance. Rows of earlier versions have no reason. */
export function refusedAs({ refusal }: Pick<IssuanceResult, 'refusal'>): Problem {
  return new Problem('credential_request_denied', refusal ?? { check: 'collected_once' })
}

/**
 * Returns the refusal if the session still exists. Otherwise the session ended during the request, for example because
 * its person was deleted or its wallet removed. Rows that explain the result may then be missing, so the outcome is
 * unknown. The wallet's next request gets 401.
 */
export async function refusedFor(
  deps: Deps,
  tenant: Tenant,
  { sessionId }: Holder,
  problem: Problem,
): Promise<IssueOutcome> {
  const session = await findSession(deps.db.read, tenant.id, sessionId)
  if (session) return { kind: 'refused', problem }
  const reason = 'The session ended during the request'
  return { kind: 'unknown', error: new Problem('service_unavailable', { reason }) }
}
