import { z } from 'zod'
import { tenantRoles } from '../../../shared/roles.ts'
import { described, exampleBaseUrl, idOf, named, secret, withoutControls } from '../../http/fields.ts'
import { AuthMethod, Printable, scopes } from '../../relying-party/fields.ts'

const ClaimName = z.string().regex(withoutControls('{1,200}'), 'Must be the name of a claim, or a dotted path to one')

const TenantRole = named(
  'TenantRole',
  'What somebody may do at a tenant',
  z.enum(tenantRoles, {
    error: ({ input }) => (input === 'platform' ? 'Only the platform has people with this role' : undefined),
  }),
)

const RolesOfValue = z.object({
  value: described(z.string().min(1).max(500), 'What the claim is, or has among others', 'registry-staff'),
  roles: described(
    z
      .array(TenantRole)
      .min(1)
      .transform((roles) => [...new Set(roles)]),
    'What those may do who have it; of several values, all that they give',
    ['issuer'],
  ),
})

const name = described(z.string().trim().min(1).max(100), 'What the button is called', 'University login')
const issuer = described(z.string().max(2000), 'The issuer, where discovery starts', 'https://login.example.org')
const clientId = described(Printable, 'Who this service is there', 'trustwright')
const tokenEndpointAuthMethod = AuthMethod
const claim = described(
  ClaimName,
  'The claim of the id token, or else of the userinfo, that gives roles: its name, or a dotted path to it such as `realm_access.roles`. A text, or a list of texts',
  'groups',
)
const userClaim = described(
  ClaimName.default('sub'),
  'The claim by which events and the audit name a person, for good; `sub` tells nobody who it is',
  'sub',
)

export const ConsoleProviderBody = z.object({
  name,
  issuer,
  clientId,
  clientSecret: secret(
    described(
      Printable,
      'The secret that belongs to `clientId`. Absent, or as it was shown, the stored one stays; needed where `issuer` changes to another origin',
      'a-secret-of-the-provider',
    ),
  ).optional(),
  tokenEndpointAuthMethod: tokenEndpointAuthMethod.default('client_secret_basic'),
  scope: described(
    scopes(['openid', 'profile']),
    'What is asked for at the provider; `openid` has to be among it. At most 50',
    ['openid', 'profile'],
  ),
  claim,
  userClaim,
  roles: described(
    z
      .array(RolesOfValue)
      .min(1)
      .max(100)
      .refine((all) => new Set(all.map(({ value }) => value)).size === all.length, 'Must not have a value twice'),
    'Who gets in, and with which roles: nobody without one of these values. At most 100',
  ),
})

const ShownRolesOfValue = RolesOfValue.extend({
  roles: described(z.array(TenantRole), 'What those may do who have it', ['issuer']),
})

export const ConsoleProviderView = z.object({
  id: idOf('sign-in provider').describe('Names it in events and the audit'),
  name,
  issuer,
  redirectUrl: described(
    z.string(),
    'Where the provider sends people back to: it has to be registered there, with the same path for each alias at which the console is used',
    `${exampleBaseUrl}/console/session/callback`,
  ),
  clientId,
  clientSecret: described(z.string(), 'Masked; of at least 20 characters the last five are shown', '********vider'),
  tokenEndpointAuthMethod,
  scope: described(z.array(z.string()), 'What is asked for at the provider', ['openid', 'profile']),
  claim,
  userClaim: described(z.string(), 'The claim by which events and the audit name a person', 'sub'),
  roles: z.array(ShownRolesOfValue).describe('Who gets in, and with which roles'),
})
