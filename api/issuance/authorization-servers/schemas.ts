import { z } from 'zod'
import { described, exampleBaseUrl, idOf, Name, named, secret } from '../../http/fields.ts'
import { Audience, AuthMethod, keySetUrl, Printable, ScopeToken } from '../../relying-party/fields.ts'
import { ProviderCheckResult } from '../../relying-party/tested.ts'

const JwtProfile = named(
  'JwtProfile',
  'The profile of signed access tokens. `at+jwt`: JWTs of RFC 9068. `keycloak`: JWTs of Keycloak, whose claim `typ` is `Bearer` or `DPoP`',
  z.enum(['at+jwt', 'keycloak']),
)

const ClaimName = z.string().min(1).max(200)

const issuer = described(
  z.string().max(2000),
  'The exact `iss` of its tokens, where discovery starts. It cannot change while there are users of the server',
  'https://login.example.org/realms/citizens',
)
const audience = described(
  Printable.max(500),
  'The value that `aud` of its tokens must contain. Usually the issuer identifier of the tenant. At a view, `aud` must contain that of the view',
  exampleBaseUrl,
)
const exampleClaims = ['given_name', 'family_name', 'email']

const fields = {
  name: described(Name, 'The name of the server shown to operators', 'Keycloak of the city'),
  issuer,
  audience,
  jwtProfile: JwtProfile.default('at+jwt'),
  scopes: described(
    z
      .record(ScopeToken, z.string().max(200))
      .refine((scopes) => Object.keys(scopes).length <= 100, 'A server can have at most 100 scopes')
      .default({}),
    'The id of a configuration for each scope of the server. The scopes of the configurations themselves always count. At most 100',
    {},
  ),
  subjectClaim: described(
    ClaimName.default('sub'),
    'The claim that identifies the person. A value must never be assigned to another person',
    'sub',
  ),
  claimsToPersist: described(
    z.array(ClaimName).max(200).default([]),
    'The claims of the server to store for the user',
    exampleClaims,
  ),
  userInfo: z
    .boolean()
    .default(false)
    .describe('Whether claims that the token does not have are read from the UserInfo endpoint of the server'),
}

const client = {
  clientId: described(Printable, 'The client id of this service at the introspection endpoint', 'trustwright'),
  tokenEndpointAuthMethod: AuthMethod.default('client_secret_basic'),
  assertionAudience: Audience.default('issuer'),
}

const aboutIntrospection =
  'Present if the server is asked about each token (RFC 7662), which is then not verified by its form. For opaque tokens, and for tokens that end before their `exp`. One server of a tenant can have it'

const Introspection = named(
  'Introspection',
  aboutIntrospection,
  z.object({
    ...client,
    clientSecret: secret(described(Printable, 'The client secret that belongs to `clientId`', 'a-secret-of-the-server'))
      .optional()
      .describe(
        'Required, except with `private_key_jwt`. In a PUT, the stored secret stays if this is absent or masked. It is required again if `issuer` changes to another origin',
      ),
  }),
)

export const AuthorizationServerBody = z.object({ ...fields, introspection: Introspection.optional() })

export type AuthorizationServerBody = z.output<typeof AuthorizationServerBody>

const IntrospectionView = named(
  'IntrospectionView',
  aboutIntrospection,
  z.object({
    ...client,
    clientSecret: described(
      z.string(),
      'Masked. Of a secret with at least 20 characters, the last five are shown. Absent with `private_key_jwt`',
      '********erver',
    ).optional(),
    jwksUrl: keySetUrl,
  }),
)

export const AuthorizationServerView = z.object({
  id: idOf('authorization server'),
  ...fields,
  introspection: IntrospectionView.optional(),
  warnings: z
    .array(z.string())
    .optional()
    .describe('Only in the response to its creation: the reasons why its tokens cannot be checked yet'),
})

const Check = z.object({
  check: described(z.enum(['discovery', 'keys', 'introspection']), 'Name of the check', 'discovery'),
  result: ProviderCheckResult,
  message: described(z.string(), 'Result of the check, and what to do if it failed', 'The connection failed'),
})

export const AuthorizationServerTestView = z.object({
  works: described(z.boolean(), 'Whether no check failed', false),
  checks: z.array(Check).describe('In the order in which they ran. If `discovery` failed, no other check runs'),
})
