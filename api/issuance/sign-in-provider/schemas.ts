import { z } from 'zod'
import { described, exampleBaseUrl, idOf, secret } from '../../http/fields.ts'
import { Audience, AuthMethod, keySetUrl, Printable, scopes } from '../../relying-party/fields.ts'

/** The parameters that the login sets itself. A tenant's own value would break or weaken the flow. */
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
  .refine((name) => !reserved.includes(name), 'The login sets this parameter itself. Remove it.')

const url = described(
  z.string().max(2000),
  'The issuer, where discovery starts. It cannot change while users sign in with it',
  'https://login.example.org',
)
const clientId = described(Printable, 'The client id of this service at the provider', 'trustwright')
const exampleForwarded = ['login_hint']
const examplePersisted = ['given_name', 'family_name', 'email']

export const AuthenticationProviderBody = z.object({
  url,
  scope: described(scopes(['openid']), 'The requested scopes, which must contain `openid`. At most 50', [
    'openid',
    'profile',
    'email',
  ]),
  clientId,
  clientSecret: secret(
    described(
      Printable,
      'The client secret that belongs to `clientId`. Required, except with `private_key_jwt`',
      'a-secret-of-the-provider',
    ),
  ).optional(),
  tokenEndpointAuthMethod: AuthMethod.default('client_secret_basic'),
  assertionAudience: Audience.default('issuer'),
  staticRequestParameters: z
    .record(ParameterName, z.union([z.string().max(2000), z.number(), z.boolean()]))
    .default({})
    .describe('Sent with every authorization request'),
  forwardedRequestParameters: described(
    z.array(ParameterName).max(50).default([]),
    'Forwarded from the authorization request of the wallet or the offer',
    exampleForwarded,
  ),
  claimsToPersist: described(
    z.array(z.string().min(1).max(200)).max(200).default([]),
    'The claims of the provider to store for the user',
    examplePersisted,
  ),
})

export const AuthenticationProviderChanges = AuthenticationProviderBody.extend({
  clientSecret: secret(Printable)
    .optional()
    .describe(
      'The stored secret stays if this is absent or masked. Required if `url` changes to another origin. Left out with `private_key_jwt`',
    ),
})

export const AuthenticationProviderView = z.object({
  id: idOf('authentication provider'),
  url,
  redirectUrl: described(
    z.string(),
    'The callback URL. Register it at the provider',
    `${exampleBaseUrl}/v1/oauth/authentication/callback`,
  ),
  scope: described(z.array(z.string()), 'The requested scopes', ['openid', 'profile', 'email']),
  clientId,
  clientSecret: described(
    z.string(),
    'Masked. Of a secret with at least 20 characters, the last five are shown. Absent with `private_key_jwt`',
    '********vider',
  ).optional(),
  tokenEndpointAuthMethod: AuthMethod,
  assertionAudience: Audience,
  jwksUrl: keySetUrl,
  staticRequestParameters: z.record(z.string(), z.unknown()).describe('Sent with every authorization request'),
  forwardedRequestParameters: described(
    z.array(z.string()),
    'Forwarded from the authorization request of the wallet or the offer',
    exampleForwarded,
  ),
  claimsToPersist: described(z.array(z.string()), 'The claims of the provider to store for the user', examplePersisted),
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      'Only in the response to its creation: the reasons why people cannot sign in yet, such as failed discovery',
    ),
})
