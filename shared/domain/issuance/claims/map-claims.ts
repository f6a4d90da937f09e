import { readPath, writePath } from '../../../formats/claim-path.ts'
import { missingElements } from '../../../formats/mdoc/doc-types.ts'
import { type MappedConfiguration, mappingsOf } from '../claim-mappings.ts'
import type { OfProfile } from '../profiles.ts'
import { type ClaimSources, type Claims, findValue } from './claim-values.ts'
import { mapTreeClaims } from './tree-claims.ts'

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
