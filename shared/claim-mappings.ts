import type { ClaimMapping } from './profile-settings.ts'
import type { CredentialProfile, OfProfile } from './profiles.ts'

/** One claim of a configuration. */
export interface PlacedMapping {
  /** Where the claim stands among the claims of an issuance, from the outside in. */
  path: readonly string[]
  mapping: ClaimMapping
}

/** The claims of a configuration in its order, however its profile nests them. */
export function mappingsOf({ settings }: OfProfile<object, CredentialProfile>): PlacedMapping[] {
  return Object.entries(settings.claimMappings).map(([name, mapping]) => ({ path: [name], mapping }))
}
