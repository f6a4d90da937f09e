import { z } from 'zod'
import { described, exampleBaseUrl, idOf, secret, withoutControls } from '../../http/fields.ts'
import { Audience, AuthMethod, keySetUrl, Printable, scopes } from '../../relying-party/fields.ts'
import { RoleName } from '../../tenancy/roles/schemas.ts'

const ClaimName = z
  .string()
  .regex(withoutControls('{1,200}'), 'Must be the name of a claim or a dotted path to a claim')

const RolesOfValue = z.object({
  value: described(z.string().min(1).max(500), 'The value of the claim, or one of its values', 'registry-staff'),
  roles: described(
    z
      .array(RoleName)
      .min(1)
      .max(50)
      .transform((roles) => [...new Set(roles)]),
    'The roles of people with this value. People with several values have the roles of all of them.',
    ['issuer'],
  ),
})

const name = described(z.string().trim().min(1).max(100), 'The label of the sign-in button', 'University login')
const issuer = described(z.string().max(2000), 'The issuer URL, used for discovery', 'https://login.example.org')
const clientId = described(Printable, 'The client id of this service at the provider', 'trustwright')
const tokenEndpointAuthMethod = AuthMethod
const claim = described(
  ClaimName,
  'The claim with the roles, in the id token or else in the userinfo: its name, or a dotted path such as `realm_access.roles`. Its value is a text or a list of texts.',
  'groups',
)
const userClaim = described(
  ClaimName.default('sub'),
  'The claim that identifies a person in events and the audit log, permanently. `sub` is a pseudonym.',
  'sub',
)

export const ConsoleProviderBody = z.object({
  name,
  issuer,
  clientId,
  clientSecret: secret(
    described(
      Printable,
      'The secret of `clientId`. Leave it out, or send the masked value, to keep the stored one. Required if the origin of `issuer` changes. Left out with `private_key_jwt`.',
      'a-secret-of-the-provider',
    ),
  ).optional(),
  tokenEndpointAuthMethod: tokenEndpointAuthMethod.default('client_secret_basic'),
  assertionAudience: Audience.default('issuer'),
  scope: described(
    scopes(['openid', 'profile']),
    'The scopes to request from the provider, at most 50. Must include `openid`.',
    ['openid', 'profile'],
  ),
  claim,
  userClaim,
  roles: described(
    z
      .array(RolesOfValue)
      .min(1)
      .max(100)
      .refine((all) => new Set(all.map(({ value }) => value)).size === all.length, 'Must not contain a value twice'),
    'The roles for each value of the claim, at most 100 values. People without one of these values cannot sign in.',
  ),
})

const ShownRolesOfValue = RolesOfValue.extend({
  roles: described(z.array(RoleName), 'The roles of people with this value', ['issuer']),
})

export const ConsoleProviderView = z.object({
  id: idOf('sign-in provider').describe('The id of the provider in events and the audit log'),
  name,
  issuer,
  redirectUrl: described(
    z.string(),
    'The redirect URL. Register it at the provider. For each host alias where the console is used, register the same path too.',
    `${exampleBaseUrl}/console/session/callback`,
  ),
  clientId,
  clientSecret: described(
    z.string(),
    'The masked secret. Secrets of 20 characters or more show the last five. Absent with `private_key_jwt`.',
    '********vider',
  ).optional(),
  tokenEndpointAuthMethod,
  assertionAudience: Audience,
  jwksUrl: keySetUrl,
  scope: described(z.array(z.string()), 'The scopes that are requested from the provider', ['openid', 'profile']),
  claim,
  userClaim: described(z.string(), 'The claim that identifies a person in events and the audit log', 'sub'),
  roles: z.array(ShownRolesOfValue).describe('The roles for each value of the claim'),
})
