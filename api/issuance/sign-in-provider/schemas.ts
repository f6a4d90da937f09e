import { z } from 'zod'
import { secret } from '../../http/fields.ts'

/** What the login sets itself: a tenant's own value would break the flow or open it. */
const reserved = [
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
]

const ParameterName = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'Must be the name of a request parameter')
  .refine((name) => !reserved.includes(name), 'This parameter is set by the login itself')

/** RFC 6749, appendix A.4. */
const ScopeToken = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'Must be a scope value')

/** RFC 6749, appendix A.1 and A.2. */
const Printable = z.string().regex(/^[\x20-\x7e]{1,2000}$/, 'Must be printable ASCII')

export const AuthenticationProviderBody = z.object({
  url: z.string().max(2000).describe('The issuer, where discovery starts; it stays as long as users sign in there'),
  scope: z
    .array(ScopeToken)
    .max(50)
    .refine((scope) => scope.includes('openid'), 'Must hold openid')
    .transform((scope) => [...new Set(scope)])
    .default(['openid']),
  clientId: Printable,
  clientSecret: secret(Printable),
  tokenEndpointAuthMethod: z.enum(['client_secret_basic', 'client_secret_post']).default('client_secret_basic'),
  staticRequestParameters: z
    .record(ParameterName, z.union([z.string().max(2000), z.number(), z.boolean()]))
    .default({})
    .describe('Sent with every authorization request'),
  forwardedRequestParameters: z
    .array(ParameterName)
    .max(50)
    .default([])
    .describe('Passed on from the authorization request of the wallet or the offer'),
  claimsToPersist: z
    .array(z.string().min(1).max(200))
    .max(200)
    .default([])
    .describe('Claims of the provider that the user keeps'),
})

export const AuthenticationProviderChanges = AuthenticationProviderBody.extend({
  clientSecret: secret(Printable)
    .optional()
    .describe('Absent, or as it was shown, the stored secret stays; needed where `url` changes to another origin'),
})

export const AuthenticationProviderView = z.object({
  id: z.string(),
  url: z.string(),
  redirectUrl: z.string(),
  scope: z.array(z.string()),
  clientId: z.string(),
  clientSecret: z.string().describe('Masked but for the last five characters'),
  tokenEndpointAuthMethod: z.string(),
  staticRequestParameters: z.record(z.string(), z.unknown()),
  forwardedRequestParameters: z.array(z.string()),
  claimsToPersist: z.array(z.string()),
  warnings: z
    .array(z.string())
    .optional()
    .describe('In the answer to its creation: why nobody could sign in there yet, such as that discovery did not work'),
})
