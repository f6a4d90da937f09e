import { checkClaims } from '../../../formats/sd-jwt/check-claims.ts'
import { pointerText } from '../../../formats/sd-jwt/claim-pointer.ts'
import { resolveTree } from '../../../formats/sd-jwt/claim-tree.ts'
import type { OfProfile } from '../profiles.ts'
import type { ClaimSources } from './claim-values.ts'
import { mapAvailableClaims, missingPaths } from './map-claims.ts'

/** Returns the required claims without a value, as their paths in the credential. */
export function missingClaims(configuration: OfProfile<{ type: string }>, sources: ClaimSources): string[] {
  const claims = mapAvailableClaims(configuration, sources)
  if (configuration.profile !== 'sd-jwt') return missingPaths(configuration, claims).map((path) => path.join(' '))
  const { claimMappings, disclose } = configuration.settings
  const checked = checkClaims(claims, resolveTree(claimMappings, disclose))
  if (!('faults' in checked)) return []
  const missing = checked.faults.filter(({ check }) => check === 'required_claim' || check === 'required_element')
  return missing.map(({ path }) => pointerText(path))
}
