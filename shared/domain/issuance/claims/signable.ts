import { FormatError } from '../../../formats/format-error.ts'
import { findUnsignableClaims } from '../../../formats/json-ld-claims.ts'
import { encodeElements } from '../../../formats/mdoc/elements.ts'
import { findValueFault } from '../../../formats/mdoc/value-faults.ts'
import { type ClaimCheck, checkClaims } from '../../../formats/sd-jwt/check-claims.ts'
import { resolveTree } from '../../../formats/sd-jwt/claim-tree.ts'
import type { SdJwtSettings } from '../profile-settings.ts'
import { type OfProfile, profiles, type SettingsOf } from '../profiles.ts'
import type { Claims } from './claim-values.ts'

/** Limits the size: one value can be mapped to hundreds of claims, and each claim is signed for every key. */
const maxCharacters = 1_000_000

/**
 * Returns the reason why these claims cannot be signed in the configuration's format. Returns undefined if they can. `isPartial`: more claims
 * can follow, so that a missing one is no reason.
 */
export function findFault(
  configuration: OfProfile<{ type: string }>,
  claims: Claims,
  { isPartial = false }: { isPartial?: boolean } = {},
): string | undefined {
  if (configuration.profile === 'sd-jwt') return findTreeFault(configuration.settings, claims, isPartial)
  if (leftAfter(claims, maxCharacters) < 0) return 'The claims are longer than 1 MB in total'
  const { profile, type, settings } = configuration
  if (profile === 'mobile') return findElementFault(type, claims, settings)
  const [unsignable] = profiles[profile].isJsonLd ? findUnsignableClaims(claims) : []
  return unsignable === undefined ? undefined : `The claim ${unsignable} cannot be signed`
}

function findElementFault(
  docType: string,
  claims: Claims,
  { claimMappings }: SettingsOf<'mobile'>,
): string | undefined {
  try {
    encodeElements(docType, claims, claimMappings)
    return findValueFault(docType, claims)
  } catch (error) {
    if (error instanceof FormatError) return error.message
    throw error
  }
}

const missing: readonly ClaimCheck[] = ['required_claim', 'required_element']

/** Checks claims against a tree. Names the path of each fault, at most five. */
export function findTreeFault(
  { claimMappings, disclose }: Pick<SdJwtSettings, 'claimMappings' | 'disclose'>,
  claims: Claims,
  isPartial: boolean,
): string | undefined {
  const checked = checkClaims(claims, resolveTree(claimMappings, disclose))
  if (!('faults' in checked)) return undefined
  const faults = checked.faults.filter(({ check }) => !isPartial || !missing.includes(check))
  if (faults.length === 0) return undefined
  const messages = faults.slice(0, 5).map(({ message }) => message.replace(/\.$/u, ''))
  return messages.join('. ')
}

/** Subtracts the approximate JSON length of a value from `max`. Stops counting when the result is negative. */
function leftAfter(value: unknown, max: number): number {
  if (typeof value === 'string') return max - value.length
  if (typeof value !== 'object' || value === null) return max - 1
  let left = max
  for (const [name, each] of Object.entries(value)) {
    left = leftAfter(each, left - name.length - 1)
    if (left < 0) break
  }
  return left
}
