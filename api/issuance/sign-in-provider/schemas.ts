import { z } from 'zod'
import { described, exampleBaseUrl, idOf, secret } from '../../http/fields.ts'
import { AuthMethod, Printable, scopes } from '../../relying-party/fields.ts'

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

const url = described(
  z.string().max(2000),
  'The issuer, where discovery starts; it stays as long as users sign in there',
  'https://login.example.org',
)
const clientId = described(Printable, 'Who this service is there', 'trustwright')
const exampleForwarded = ['login_hint']
const examplePersisted = ['given_name', 'family_name', 'email']

export const AuthenticationProviderBody = z.object({
  url,
  scope: described(scopes(['openid']), 'What is asked for at the provider; `openid` has to be among it. At most 50', [
    'openid',
    'profile',
    'email',
  ]),
  clientId,
  clientSecret: secret(described(Printable, 'The secret that belongs to `clientId`', 'a-secret-of-the-provider')),
  tokenEndpointAuthMethod: AuthMethod.default('client_secret_basic'),
  staticRequestParameters: z
    .record(ParameterName, z.union([z.string().max(2000), z.number(), z.boolean()]))
    .default({})
    .describe('Sent with every authorization request'),
  forwardedRequestParameters: described(
    z.array(ParameterName).max(50).default([]),
    'Passed on from the authorization request of the wallet or the offer',
    exampleForwarded,
  ),
  claimsToPersist: described(
    z.array(z.string().min(1).max(200)).max(200).default([]),
    'Claims of the provider that the user keeps',
    examplePersisted,
  ),
})

export const AuthenticationProviderChanges = AuthenticationProviderBody.extend({
  clientSecret: secret(Printable)
    .optional()
    .describe('Absent, or as it was shown, the stored secret stays; needed where `url` changes to another origin'),
})

export const AuthenticationProviderView = z.object({
  id: idOf('authentication provider'),
  url,
  redirectUrl: described(
    z.string(),
    'Where the provider sends people back to: it has to be registered there',
    `${exampleBaseUrl}/v1/oauth/authentication/callback`,
  ),
  scope: described(z.array(z.string()), 'What is asked for at the provider', ['openid', 'profile', 'email']),
  clientId,
  clientSecret: described(z.string(), 'Masked; of at least 20 characters the last five are shown', '********vider'),
  tokenEndpointAuthMethod: AuthMethod,
  staticRequestParameters: z.record(z.string(), z.unknown()).describe('Sent with every authorization request'),
  forwardedRequestParameters: described(
    z.array(z.string()),
    'Passed on from the authorization request of the wallet or the offer',
    exampleForwarded,
  ),
  claimsToPersist: described(z.array(z.string()), 'Claims of the provider that the user keeps', examplePersisted),
  warnings: z
    .array(z.string())
    .optional()
    .describe('In the answer to its creation: why nobody could sign in there yet, such as that discovery did not work'),
})
