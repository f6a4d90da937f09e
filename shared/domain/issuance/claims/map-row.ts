import type { OfProfile } from '../profiles.ts'
import { type ClaimFault, mapClaims } from './claim-faults.ts'
import type { ClaimSources, Claims } from './claim-values.ts'
import { type ClaimNote, findDoubts, findKnownFault, type KnownConditions } from './known-faults.ts'
import { mapAvailableClaims } from './map-claims.ts'
import { type MappedValidity, mapValidity } from './mapped-validity.ts'

type Configured = OfProfile<{ id: string; type: string }>

/** The content of a row that can be issued, as it is stored. */
export interface RowContent {
  claims: Claims
  validity: MappedValidity | null
}

export type MappedRow = { faults: ClaimFault[] } | { content: RowContent; doubts: ClaimNote[] }

/**
 * Maps the claims of a row of a bulk issuance, or of a claim link, or returns the reasons why they cannot be issued. `canFollow`: a claim
 * source adds claims when a wallet collects the credential.
 */
export function mapRow(
  configuration: Configured,
  sources: ClaimSources,
  { canFollow, conditions }: { canFollow: boolean; conditions: KnownConditions },
): MappedRow {
  const { claims, faults } = mapClaims(configuration, sources, { isPartial: canFollow })
  // A claim source replaces claims of the user, and no claim of the row.
  const own = canFollow ? { ...sources, claims: sources.claims.slice(0, 1) } : sources
  const ownClaims = canFollow ? mapAvailableClaims(configuration, own) : claims
  const knownFault = findKnownFault(configuration, ownClaims, own, conditions)
  if (faults.length > 0 || knownFault) return { faults: [...faults, ...(knownFault ? [knownFault] : [])] }
  const validity = canFollow ? null : mapValidity(configuration, sources)
  return { content: { claims, validity }, doubts: findDoubts(configuration, ownClaims, own, conditions) }
}
