import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { findUnsignableClaims } from '../../../shared/formats/json-ld-claims.ts'
import { encodeElements } from '../../../shared/formats/mdoc/elements.ts'
import { profiles } from '../../../shared/profiles.ts'

/** Why the configuration's format has no way to say these claims, by the first of them; undefined where it has. */
export function findFault(configuration: ConfigurationRow, claims: Claims): string | undefined {
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
