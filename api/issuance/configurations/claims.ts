import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import { mappingsOf } from '../../../shared/domain/issuance/claim-mappings.ts'
import { Problem } from '../../../shared/errors.ts'
import { type ClaimPath, parseClaimPath, readPath, writePath } from '../../../shared/formats/claim-path.ts'
import { missingElements } from '../../../shared/formats/mdoc/doc-types.ts'

/** The sources of claim values. The first source with a value wins (decisions: credential configurations). */
export interface ClaimSources {
  /** The claims of the offer, the interaction, the claim source and the user, in this order. */
  claims: Claims[]
  authenticationProvider: { url?: string; subjectId?: string }
}

/**
 * Maps the claims of a credential, in the configuration's order. Throws `credential_request_denied`, which names the
 * claim, if a required claim or an element that the document type requires has no value.
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
    // ISO/IEC 18013-5, 9.1.2.4: there is at least one digest.
    if (Object.keys(claims).length === 0) {
      throw new Problem('credential_request_denied', { message: 'There is no value for any element' })
    }
  }
  return claims
}

function missing(path: readonly string[]): Problem {
  return new Problem('credential_request_denied', { message: `There is no value for the claim ${path.join(' ')}` })
}

/** Maps the available claims, without a check for required ones. */
export function mapAvailableClaims(configuration: ConfigurationRow, sources: ClaimSources): Claims {
  const claims: Claims = {}
  for (const { path, mapping } of mappingsOf(configuration)) {
    const { mapFrom, defaultValue } = mapping
    const value = (mapFrom === undefined ? undefined : findValue(mapFrom, sources)) ?? defaultValue
    if (value !== undefined) writePath(claims, path, value)
  }
  return claims
}

/** Returns the value at a path in the first source that has one. */
export function findValue(mapFrom: string, sources: ClaimSources): unknown {
  const parsed = parseClaimPath(mapFrom)
  return parsed && findValueAt(parsed, sources)
}

/** Returns the value at a parsed path in the first source that has one. */
export function findValueAt(path: ClaimPath, { claims, authenticationProvider }: ClaimSources): unknown {
  const places = path.source === 'claims' ? claims : [authenticationProvider]
  for (const place of places) {
    const value = readPath(place, path.path)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}
