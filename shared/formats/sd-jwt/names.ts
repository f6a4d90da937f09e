/** Names that SD-JWT itself uses. No claim can have them, at any level (RFC 9901, sections 4.1 and 4.1.1). */
export const reservedNames: readonly string[] = ['_sd', '...', '_sd_alg']

/**
 * Claims of the payload that are never disclosable, with everything below them (draft-ietf-oauth-sd-jwt-vc, section "Registered JWT
 * Claims"). The draft allows disclosures of `iat`. This service always shows it, so that a verifier knows the age of a credential.
 */
export const registeredClaims: readonly string[] = [
  'iss',
  'nbf',
  'exp',
  'iat',
  'cnf',
  'vct',
  'vct#integrity',
  'aka_vcts',
  'status',
]

/** Returns why a claim cannot have a name, as a requirement. Returns undefined for a usable name. */
export function faultOfName(name: string): string | undefined {
  if (name === '') return 'must have a name that is not empty'
  if (name.length > maxNameLength) return `must have a name of at most ${maxNameLength} characters`
  if (reservedNames.includes(name)) return 'must have another name, because SD-JWT itself uses this name'
  // Many JSON libraries give this name a special meaning.
  if (name === '__proto__') return 'must have another name, because JSON libraries treat this name differently'
  if (!name.isWellFormed()) return 'must have a name of well-formed Unicode'
  if (controlCharacter.test(name)) return 'must have a name without control characters'
  return undefined
}

const maxNameLength = 200
const controlCharacter = /\p{Cc}/u
