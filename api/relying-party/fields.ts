import { z } from 'zod'
import { named } from '../http/fields.ts'

/** RFC 6749, appendix A.4. */
export const ScopeToken = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'Must be a scope value')

/** RFC 6749, appendix A.1 and A.2. */
export const Printable = z.string().regex(/^[\x20-\x7e]{1,2000}$/, 'Must be printable ASCII')

export const AuthMethod = named(
  'TokenEndpointAuthMethod',
  'How this service authenticates at the token endpoint of the provider (OpenID Connect Core, section 9). `private_key_jwt` uses a key of the tenant instead of a secret',
  z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt']),
)

export const Audience = named(
  'AssertionAudience',
  'The `aud` of assertions with `private_key_jwt` (RFC 7523, section 3): the issuer or the token endpoint of the provider',
  z.enum(['issuer', 'token-endpoint']),
)

export const keySetUrl = z
  .string()
  .optional()
  .describe('The URL of the public keys that verify assertions with `private_key_jwt`. Register it at the provider')

/** The scopes that are requested at the provider. */
export function scopes(byDefault: string[]) {
  return z
    .array(ScopeToken)
    .max(50)
    .refine((scope) => scope.includes('openid'), 'Must contain openid')
    .transform((scope) => [...new Set(scope)])
    .default(byDefault)
}
