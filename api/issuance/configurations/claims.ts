import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import { mappingsOf } from '../../../shared/claim-mappings.ts'
import { Problem } from '../../../shared/errors.ts'
import { parseClaimPath, readPath, writePath } from '../../../shared/formats/claim-path.ts'
import { findUnsignableClaims } from '../../../shared/formats/json-ld-claims.ts'
import { profiles } from '../../../shared/profiles.ts'

/** Where claims come from, the first that has a value wins (decisions: credential configurations). */
export interface ClaimSources {
  /** Of the offer, the interaction, the claim source and the user, in this order. */
  claims: Claims[]
  authenticationProvider: { url?: string; subjectId?: string }
}

/**
 * The claims of a credential, in the configuration's order. Throws `credential_request_denied`, which names the claim,
 * when a required one has no value.
 */
export function mapClaims(configuration: ConfigurationRow, sources: ClaimSources): Claims {
  const claims = mapAvailableClaims(configuration, sources)
  for (const { path, mapping } of mappingsOf(configuration)) {
    if (!mapping.required || readPath(claims, path) !== undefined) continue
    throw new Problem('credential_request_denied', { message: `There is no value for the claim ${path.join(' ')}` })
  }
  return claims
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

/** Paths of claims that the configuration's format has no way to say. */
export function findUnsignable({ profile }: ConfigurationRow, claims: Claims): string[] {
  return profiles[profile].isJsonLd ? findUnsignableClaims(claims) : []
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
