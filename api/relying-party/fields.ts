import { z } from 'zod'
import { named } from '../http/fields.ts'

/** RFC 6749, appendix A.4. */
export const ScopeToken = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'Must be a scope value')

/** RFC 6749, appendix A.1 and A.2. */
export const Printable = z.string().regex(/^[\x20-\x7e]{1,2000}$/, 'Must be printable ASCII')

export const AuthMethod = named(
  'TokenEndpointAuthMethod',
  'How the secret is sent to the token endpoint of the provider (OpenID Connect Core, section 9)',
  z.enum(['client_secret_basic', 'client_secret_post']),
)

/** The scopes that are requested at the provider. */
export function scopes(byDefault: string[]) {
  return z
    .array(ScopeToken)
    .max(50)
    .refine((scope) => scope.includes('openid'), 'Must contain openid')
    .transform((scope) => [...new Set(scope)])
    .default(byDefault)
}
