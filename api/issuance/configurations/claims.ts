import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import { mappingsOf } from '../../../shared/domain/issuance/claim-mappings.ts'
import { Problem } from '../../../shared/errors.ts'
import { parseClaimPath, readPath, writePath } from '../../../shared/formats/claim-path.ts'
import { missingElements } from '../../../shared/formats/mdoc/doc-types.ts'

/** Where claims come from, the first that has a value wins (decisions: credential configurations). */
export interface ClaimSources {
  /** Of the offer, the interaction, the claim source and the user, in this order. */
  claims: Claims[]
  authenticationProvider: { url?: string; subjectId?: string }
}

/**
 * The claims of a credential, in the configuration's order. Throws `credential_request_denied`, which names the claim,
 * when a required one has no value, or one that the document type cannot be without.
 */
export function mapClaims(configuration: ConfigurationRow, sources: ClaimSources): Claims {
  const claims = mapAvailableClaims(configuration, sources)
  for (const { path, mapping } of mappingsOf(configuration)) {
    if (!mapping.required || readPath(claims, path) !== undefined) continue
    throw missing(path)
  }
  if (configuration.profile === 'mobile') {
    const has = (...path: string[]) => readPath(claims, path) !== undefined
    const [path] = missingElements(configuration.type, has)
    if (path) throw missing(path)
    // ISO/IEC 18013-5, 9.1.2.4: of the digests there is one at least.
    if (Object.keys(claims).length === 0) {
      throw new Problem('credential_request_denied', { message: 'There is no value for any element' })
    }
  }
  return claims
}

function missing(path: readonly string[]): Problem {
  return new Problem('credential_request_denied', { message: `There is no value for the claim ${path.join(' ')}` })
}

/** The same, whether the required ones are there or not. */
export function mapAvailableClaims(configuration: ConfigurationRow, sources: ClaimSources): Claims {
  const claims: Claims = {}
  for (const { path, mapping } of mappingsOf(configuration)) {
    const { mapFrom, defaultValue } = mapping
    const value = (mapFrom === undefined ? undefined : findValue(mapFrom, sources)) ?? defaultValue
    if (value !== undefined) writePath(claims, path, value)
  }
  return claims
}

/** The value that a path leads to, in the first place that has one. */
export function findValue(mapFrom: string, { claims, authenticationProvider }: ClaimSources): unknown {
  const parsed = parseClaimPath(mapFrom)
  if (!parsed) return undefined
  const places = parsed.source === 'claims' ? claims : [authenticationProvider]
  for (const place of places) {
    const value = readPath(place, parsed.path)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}
