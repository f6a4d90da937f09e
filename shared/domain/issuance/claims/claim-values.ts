import { type ClaimPath, parseClaimPath, readPath } from '../../../formats/claim-path.ts'

/** The claims of a person or of a credential, by name. */
export type Claims = Record<string, unknown>

/** The sources of claim values. The first source with a value wins (decisions: credential configurations). */
export interface ClaimSources {
  /** The claims of the offer, the interaction, the claim source and the user, in this order. */
  claims: Claims[]
  authenticationProvider: { url?: string; subjectId?: string }
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
