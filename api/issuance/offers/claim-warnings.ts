import type { Reader } from '../../../db/client.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { findUser } from '../../../db/repos/issuance/users/users.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import type { ClaimSources } from '../../../shared/domain/issuance/claims/claim-values.ts'
import {
  type ClaimNote,
  findDoubts,
  findKnownFault,
  type KnownConditions,
} from '../../../shared/domain/issuance/claims/known-faults.ts'
import { mapAvailableClaims } from '../../../shared/domain/issuance/claims/map-claims.ts'
import { missingClaims } from '../../../shared/domain/issuance/claims/missing-claims.ts'
import { isCertifiedProfile } from '../../../shared/domain/issuance/profiles.ts'

const maxWarnings = 20

/**
 * Returns the required claims that no source has, and the values that are probably wrong. A request of a wallet fails if a required claim
 * still has no value then.
 */
export function claimWarnings(
  configurations: readonly ConfigurationRow[],
  sources: ClaimSources,
  conditions: KnownConditions,
): ClaimNote[] {
  const warnings = configurations.flatMap((configuration) => [
    ...missingClaimNotes(configuration, sources),
    ...doubtfulClaims(configuration, sources, conditions),
  ])
  return warnings.slice(0, maxWarnings)
}

/** Returns the warnings for a stored user. Reads the user only if the stored claims can change the warnings. */
export async function claimWarningsOf(
  db: Reader,
  tenantId: string,
  userId: string | undefined,
  {
    configurations,
    claims,
    conditions,
  }: { configurations: readonly ConfigurationRow[]; claims: Claims; conditions: KnownConditions },
): Promise<ClaimNote[]> {
  const warnings = claimWarnings(configurations, { claims: [claims], authenticationProvider: {} }, conditions)
  const canChange = warnings.length > 0 || configurations.some(({ profile }) => isCertifiedProfile(profile))
  const user = canChange && userId !== undefined ? await findUser(db, tenantId, userId) : undefined
  if (!user) return warnings
  const { subjectId, providerUrl: url } = user
  const authenticationProvider = { ...(subjectId !== null && { subjectId }), ...(url !== null && { url }) }
  return claimWarnings(configurations, { claims: [claims, user.claims], authenticationProvider }, conditions)
}

/** A claim source can have any claim, so that no claim of its configurations is missing. */
function missingClaimNotes(configuration: ConfigurationRow, sources: ClaimSources): ClaimNote[] {
  if (configuration.settings.claimSourceId !== undefined) return []
  const message = `The configuration ${configuration.id} requires the claim. Give it in the offer, store it for the user, or set a claim source. Otherwise the wallet gets an error.`
  return missingClaims(configuration, sources).map((claim) => ({ claim, message }))
}

/** A fault of a stored claim is a warning, because the claim can change before a wallet requests the credential. */
function doubtfulClaims(
  configuration: ConfigurationRow,
  sources: ClaimSources,
  conditions: KnownConditions,
): ClaimNote[] {
  const claims = mapAvailableClaims(configuration, sources)
  const fault = findKnownFault(configuration, claims, sources, conditions)
  // A fault of a default value has refused the offer before.
  if (fault) return fault.mapFrom === undefined ? [] : [{ claim: fault.mapFrom, message: fault.message }]
  return findDoubts(configuration, claims, sources, conditions).map(({ claim, message }) => ({ claim, message }))
}
