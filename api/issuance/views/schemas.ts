import { z } from 'zod'
import { protocolProfiles } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { viewPathPattern } from '../../access/views.ts'
import {
  described,
  exampleBaseUrl,
  exampleId,
  idOf,
  Name,
  named,
  Timestamp,
  withoutExample,
} from '../../http/fields.ts'
import { CredentialProfileSchema } from '../../status/credential-schemas.ts'
import { Alias } from '../../tenancy/tenants/schemas.ts'
import { WalletFamilies } from '../../tenancy/tenants/wallet-family-schemas.ts'

const Configurations = named(
  'ViewConfigurations',
  'The configurations that the view publishes: those of `ids`, or all of the `profiles`',
  z.union(
    [
      z.strictObject({
        ids: described(z.array(z.uuid()).min(1, 'Must have at least one entry').max(100), 'From 1 to 100 ids', [
          exampleId('mobile configuration'),
        ]),
      }),
      z.strictObject({
        profiles: described(
          z.array(CredentialProfileSchema).min(1, 'Must have at least one entry').max(10),
          'Credential profiles. A later configuration of these profiles is published too',
          ['mobile', 'sd-jwt'],
        ),
      }),
    ],
    { error: 'Must have either ids or profiles, with at least one entry' },
  ),
)

const Profile = named('ViewProfile', 'The protocol profile of the view', z.enum(protocolProfiles))

const fields = {
  name: described(Name, 'The name of the view for operators', 'iOS wallets'),
  profile: described(Profile, 'The protocol profile of the view', 'standard'),
  configurations: described(Configurations, 'The configurations that the view publishes', {
    profiles: ['mobile', 'sd-jwt'],
  }),
  displayName: described(
    Name,
    'The name of the issuer in wallets. Absent: that of the tenant',
    'University',
  ).optional(),
  walletFamilies: WalletFamilies.describe(
    'The wallet families of the people who collect through the view. Absent: those of the tenant. Empty: no warnings at offers',
  ).optional(),
}

const Path = described(
  z
    .string()
    .regex(viewPathPattern, 'Must be lower-case letters, digits and hyphens, such as ios. At most 63 characters'),
  'The last part of the issuer identifier: `{baseUrl}/views/{path}`. With a `host`, the path of the sign-in. It never changes',
  'ios',
)

const Host = withoutExample(Alias).describe(
  'An alias of the tenant that serves this view alone. The issuer identifier is then `https://{host}`. It never changes',
)

export const NewView = z.object({ ...fields, path: Path, host: Host.optional() })

export const ViewUpdate = z.object(fields)

export const IssuerView = named(
  'View',
  'A further credential issuer of the tenant for wallets',
  z.object({
    id: idOf('view'),
    path: Path,
    host: Host.optional(),
    issuer: described(z.string(), 'The issuer identifier that offers and metadata name', `${exampleBaseUrl}/views/ios`),
    ...fields,
    createdAt: Timestamp.describe('The time of its creation'),
  }),
)
