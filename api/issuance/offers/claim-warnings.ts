import type { Reader } from '../../../db/client.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { findUser } from '../../../db/repos/issuance/users.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import type { ClaimSources } from '../../../shared/domain/issuance/claims/claim-values.ts'
import { missingClaims } from '../../../shared/domain/issuance/claims/missing-claims.ts'

/** A required claim without a value. A request of a wallet fails if the claim still has none then. */
export interface ClaimWarning {
  claim: string
  message: string
}

const maxWarnings = 20

/** Returns the required claims that no source has. A claim source can have any claim, so its configurations have no warnings. */
export function claimWarnings(configurations: readonly ConfigurationRow[], sources: ClaimSources): ClaimWarning[] {
  const warnings = configurations.flatMap((configuration): ClaimWarning[] => {
    if (configuration.settings.claimSourceId !== undefined) return []
    const message = `The configuration ${configuration.id} requires the claim. Give it in the offer, store it for the user, or set a claim source. Otherwise the wallet gets an error.`
    return missingClaims(configuration, sources).map((claim) => ({ claim, message }))
  })
  return warnings.slice(0, maxWarnings)
}

/** Returns the warnings for a stored user. Reads the user only if the claims of the offer do not suffice. */
export async function claimWarningsOf(
  db: Reader,
  tenantId: string,
  userId: string | undefined,
  { configurations, claims }: { configurations: readonly ConfigurationRow[]; claims: Claims },
): Promise<ClaimWarning[]> {
  const warnings = claimWarnings(configurations, { claims: [claims], authenticationProvider: {} })
  const user = warnings.length > 0 && userId !== undefined ? await findUser(db, tenantId, userId) : undefined
  if (!user) return warnings
  const { subjectId, providerUrl: url } = user
  const authenticationProvider = { ...(subjectId !== null && { subjectId }), ...(url !== null && { url }) }
  return claimWarnings(configurations, { claims: [claims, user.claims], authenticationProvider })
}
