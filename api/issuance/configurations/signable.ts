import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import { profiles } from '../../../shared/domain/issuance/profiles.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { findUnsignableClaims } from '../../../shared/formats/json-ld-claims.ts'
import { encodeElements } from '../../../shared/formats/mdoc/elements.ts'

/** Limits the size: one value can be mapped to hundreds of claims, and each claim is signed for every key. */
const maxCharacters = 1_000_000

/**
 * Returns the reason why these claims cannot be signed in the configuration's format. Returns undefined if they can.
 */
export function findFault(configuration: ConfigurationRow, claims: Claims): string | undefined {
  if (leftAfter(claims, maxCharacters) < 0) return 'The claims are longer than 1 MB in total'
  const { profile, type, settings } = configuration
  if (profile === 'mobile') return findElementFault(type, claims, settings)
  const [unsignable] = profiles[profile].isJsonLd ? findUnsignableClaims(claims) : []
  return unsignable === undefined ? undefined : `The claim ${unsignable} cannot be signed`
}

function findElementFault(
  docType: string,
  claims: Claims,
  { claimMappings }: ConfigurationRow<'mobile'>['settings'],
): string | undefined {
  try {
    encodeElements(docType, claims, claimMappings)
    return undefined
  } catch (error) {
    if (error instanceof FormatError) return error.message
    throw error
  }
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
