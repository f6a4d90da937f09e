import type { CredentialProfile } from '../../shared/domain/issuance/profiles.ts'
import { credentialsIssued, issuancesRefused, tenantCredentials } from '../jobs/metrics.ts'

/** Counts credentials after their commit, for the service and for each tenant. */
export interface CredentialCounts {
  issued(of: { tenantId: string; profile: CredentialProfile; askedBy: 'wallet' | 'operator' }, count: number): void
  refused(of: { tenantId: string; profile: CredentialProfile }): void
}

/** Creates the counts. Only `mostTenants` tenants get time series of their own. The label of all others is `other`. */
export function createCredentialCounts(mostTenants: number): CredentialCounts {
  const named = new Set<string>()
  const labelOf = (tenantId: string) => {
    if (named.has(tenantId)) return tenantId
    if (named.size >= mostTenants) return 'other'
    named.add(tenantId)
    return tenantId
  }
  return {
    issued({ tenantId, profile, askedBy }, count) {
      credentialsIssued.inc({ profile, asked_by: askedBy }, count)
      tenantCredentials.inc({ tenant: labelOf(tenantId), profile, outcome: 'issued' }, count)
    },
    refused({ tenantId, profile }) {
      issuancesRefused.inc({ profile })
      tenantCredentials.inc({ tenant: labelOf(tenantId), profile, outcome: 'refused' })
    },
  }
}
