import { Problem } from '../../../errors.ts'
import { readPath, writePath } from '../../../formats/claim-path.ts'
import { missingElements } from '../../../formats/mdoc/doc-types.ts'
import { type MappedConfiguration, mappingsOf } from '../claim-mappings.ts'
import type { OfProfile } from '../profiles.ts'
import { type ClaimSources, type Claims, findValue } from './claim-values.ts'
import { mapTreeClaims } from './tree-claims.ts'

/**
 * Maps the claims of a credential, in the configuration's order. Throws `credential_request_denied`, which names the
 * claim, if a required claim or an element that the document type requires has no value.
 */
export function mapClaims(configuration: OfProfile<{ type: string }>, sources: ClaimSources): Claims {
  const claims = mapAvailableClaims(configuration, sources)
  // `findFault` checks the claims of a tree.
  if (configuration.profile === 'sd-jwt') return claims
  const [path] = missingPaths(configuration, claims)
  if (path) throw missing(path)
  // ISO/IEC 18013-5, 9.1.2.4: there is at least one digest.
  if (configuration.profile === 'mobile' && Object.keys(claims).length === 0) {
    throw new Problem('credential_request_denied', { message: 'There is no value for any element' })
  }
  return claims
}

/** Returns the paths of required claims, and of elements that the document type requires, without a value. */
export function missingPaths(
  configuration: MappedConfiguration & { type: string },
  claims: Claims,
): (readonly string[])[] {
  const has = (...path: string[]) => readPath(claims, path) !== undefined
  const required = mappingsOf(configuration).filter(({ path, mapping }) => mapping.required && !has(...path))
  const elements = configuration.profile === 'mobile' ? missingElements(configuration.type, has) : []
  const paths = [...required.map(({ path }) => path), ...elements]
  return [...new Map(paths.map((path) => [path.join(' '), path])).values()]
}

function missing(path: readonly string[]): Problem {
  return new Problem('credential_request_denied', { message: `There is no value for the claim ${path.join(' ')}` })
}

/** Maps the available claims, without a check for required ones. */
export function mapAvailableClaims(configuration: OfProfile<{ type: string }>, sources: ClaimSources): Claims {
  if (configuration.profile === 'sd-jwt') return mapTreeClaims(configuration.settings.claimMappings, sources)
  const claims: Claims = {}
  for (const { path, mapping } of mappingsOf(configuration)) {
    const { mapFrom, defaultValue } = mapping
    const value = (mapFrom === undefined ? undefined : findValue(mapFrom, sources)) ?? defaultValue
    if (value !== undefined) writePath(claims, path, value)
  }
  return claims
}
