import { z } from 'zod'
import { credentialProfiles, profiles } from '../../../shared/domain/issuance/profiles.ts'
import { Uuid } from '../../http/fields.ts'

/** The characters of a scope token (RFC 6749, section 3.3). */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/
const formatPrefixes = credentialProfiles.map((profile) => `${profiles[profile].format}:`)

/** Returns whether an operator can choose this scope. The service itself gives ids, and scopes that begin with a format. */
export function isChosenScope(scope: string): boolean {
  return scopeToken.test(scope) && !isGiven(scope)
}

function isGiven(scope: string): boolean {
  return Uuid.safeParse(scope).success || formatPrefixes.some((prefix) => scope.startsWith(prefix))
}

export const ChosenScope = z
  .string()
  .regex(scopeToken, 'Must have 1 to 200 ASCII characters, without spaces, quotes and backslashes')
  .refine((scope) => !isGiven(scope), {
    message: `Must not be an id or begin with ${formatPrefixes.join(', ')}. The service gives such scopes itself`,
  })
