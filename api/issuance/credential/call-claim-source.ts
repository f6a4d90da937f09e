import { findClaimSource } from '../../../db/repos/issuance/claim-sources.ts'
import type { OnSourceFailure } from '../../../db/tables/issuance/claim-sources.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import type { CheckName } from '../../../shared/domain/issuance/checks.ts'
import type { ClaimSources } from '../../../shared/domain/issuance/claims/claim-values.ts'
import { type EventStart, joinStart } from '../../../shared/domain/operations/events.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { OutboundError } from '../../../shared/outbound/outbound-error.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { ClaimSourceError } from '../claim-sources/claim-source-error.ts'
import { requestClaims } from '../claim-sources/request-claims.ts'

/** The credential request during which the source is called. */
export interface ClaimSourceContext {
  requestId: string
  holder: Holder
}

export interface SourceAnswer {
  claims: Claims
  /** Absent if the source answered. */
  failure?: SourceFailure
}

/** How a source failed, and its setting for that. */
export interface SourceFailure {
  onFailure: OnSourceFailure
  isTimeout: boolean
}

/**
 * Requests the claims of a person from the operator's claim source. Returns no claims if the source fails. The failure
 * is recorded as an event. The caller decides whether the credential is issued.
 */
export async function callClaimSource(
  deps: Deps,
  tenant: Tenant,
  context: ClaimSourceContext,
  id: string,
  sources: ClaimSources,
): Promise<SourceAnswer> {
  const start = { timestamp: deps.clock.now().toISOString(), data: { id } }
  const report = (outcome: string, data: object = {}) => record(deps, tenant, context, outcome, { id, ...data }, start)
  const source = await findClaimSource(deps.db.read, tenant.id, id)
  try {
    if (!source) throw new ClaimSourceError('missing')
    const claims = await requestClaims(deps, source, sources)
    report('SUCCESS')
    return { claims }
  } catch (error) {
    if (!(error instanceof ClaimSourceError || error instanceof OutboundError)) throw error
    report('FAIL', { error: { type: error.reason, message: error.message, check: checkOf(error) } })
    return { claims: {}, failure: { onFailure: source?.onFailure ?? 'refuse', isTimeout: isTimeout(error) } }
  }
}

/** Returns true if the source, or its token endpoint, did not answer in time. */
function isTimeout(error: ClaimSourceError | OutboundError): boolean {
  const outbound = error instanceof OutboundError ? error : error.cause
  return outbound instanceof OutboundError && outbound.reason === 'timeout'
}

const checkOfFailure = {
  missing: 'source_there',
  status: 'source_status',
  no_object: 'source_content',
  no_token: 'source_token',
} as const

function checkOf(error: ClaimSourceError | OutboundError): CheckName {
  return error instanceof OutboundError ? 'source_reached' : checkOfFailure[error.reason]
}

function record(
  { analytics, clock }: Deps,
  tenant: Tenant,
  { requestId, holder: { clientId: walletClientId, offerId } }: ClaimSourceContext,
  outcome: string,
  data: Record<string, unknown>,
  start: EventStart,
): void {
  const at = clock.now()
  const end = {
    id: newOrderedId(at),
    tenantId: tenant.id,
    type: `CLAIM_SOURCE_CALL_${outcome}`,
    category: 'CLAIM_SOURCES',
    timestamp: at.toISOString(),
    requestId,
    ...(walletClientId === null ? {} : { walletClientId }),
    ...(offerId === null ? {} : { offerId }),
    data,
  }
  joinStart(end, start).forEach(analytics.emit)
}
