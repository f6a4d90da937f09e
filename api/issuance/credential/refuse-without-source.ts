import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { ClaimSources } from '../../../shared/domain/issuance/claims/claim-values.ts'
import { findPathWithoutSource } from '../../../shared/domain/issuance/claims/mapped-paths.ts'
import { missingClaims } from '../../../shared/domain/issuance/claims/missing-claims.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { SourceFailure } from './call-claim-source.ts'

/**
 * Refuses a credential whose claim source failed, if the source has `refuse` and a mapped claim has no other source. After a timeout, also
 * refuses a required claim without a value. Throws `service_unavailable` after a timeout, so that the wallet repeats its request, and
 * otherwise `credential_request_denied`. A request that is refused here has spent nothing.
 */
export function refuseWithoutSource(
  configuration: ConfigurationRow,
  sources: ClaimSources,
  { onFailure, isTimeout }: SourceFailure,
): void {
  const path = onFailure === 'refuse' ? findPathWithoutSource(configuration, sources) : undefined
  const [lacking] = path === undefined && isTimeout ? missingClaims(configuration, sources) : [path]
  if (lacking === undefined) return
  const message = `The claim source ${isTimeout ? 'did not answer in time' : 'failed'}, and no other source has ${lacking}`
  throw new Problem(isTimeout ? 'service_unavailable' : 'credential_request_denied', { message, check: 'claim_source' })
}
