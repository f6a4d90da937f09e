import { z } from 'zod'
import { type KeyPart, keyParts } from '../../../shared/domain/identifiers/key-policy.ts'
import type { KeyUseName } from '../../../shared/domain/identifiers/key-purposes.ts'
import { protocolProfiles } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import {
  CountryCode,
  described,
  exampleBaseUrl,
  exampleDid,
  exampleId,
  idOf,
  Name,
  named,
  PemCertificate,
  Timestamp,
  withoutExample,
} from '../../http/fields.ts'
import { kept } from '../../http/kept.ts'
import { CreatedClientView } from '../clients/schemas.ts'
import { OwnRoles } from '../roles/schemas.ts'
import { TenantBranding } from './branding-schemas.ts'
import { KeyProviderName } from './key-provider.ts'
import { TenantLimits } from './limit-schemas.ts'
import { WalletFamilies } from './wallet-family-schemas.ts'

const Subdomain = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'Must be a DNS label in lower case')
  .meta({
    description: 'The host of the tenant is `{subdomain}.{platform domain}`. The subdomain never changes',
    examples: ['university'],
  })

/** A full host name, optionally with a port. */
export const Alias = z
  .string()
  .max(255)
  .toLowerCase()
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*(:[1-9]\d{0,4})?$/, {
    message: 'Must be a host name',
    abort: true,
  })
  .refine(isHostOfUrls, 'Must be a host name')

/** Whether a URL with this host keeps it unchanged. This excludes numbers that are addresses, invalid ports and invalid `xn--` names. */
function isHostOfUrls(host: string): boolean {
  return ['http', 'https'].some((scheme) => URL.parse(`${scheme}://${host}`)?.host === host)
}

const Encryption = named(
  'TenantEncryption',
  'The required encryption of credential requests and responses (OpenID4VCI 1.0, section 10)',
  z.object({
    requestRequired: z.boolean().default(false).describe('Whether wallets must encrypt their requests'),
    responseRequired: z.boolean().default(false).describe('Whether wallets must request encrypted responses'),
  }),
  // OpenID4VCI 1.0, section 10: a wallet can request an encrypted response only in an encrypted request.
).refine(({ requestRequired, responseRequired }) => requestRequired || !responseRequired, {
  message: 'Requires requestRequired: a wallet can request an encrypted response only in an encrypted request',
  path: ['responseRequired'],
})

const Period = named(
  'KeyPeriod',
  'The period of the automatic replacement of a key. If absent, the key is replaced on request only',
  z.object({ days: described(z.number().int().min(1).max(3650), 'From 1 to 3650', 90) }),
)

const KeyRotation = named(
  'KeyRotation',
  'The periods of the automatic key replacement, by key use',
  z
    .object({
      credentials: withoutExample(Period),
      webhooks: Period,
      tokens: withoutExample(Period),
      encryption: withoutExample(Period),
      audit: withoutExample(Period),
      clientAssertions: withoutExample(Period),
    } satisfies Record<KeyUseName, z.ZodType>)
    .partial(),
)

const KeyPolicySchema = named(
  'KeyPolicy',
  'The providers of new keys. A part without a provider has that of `default`, and `default` has that of the platform',
  z
    .object(
      Object.fromEntries(keyParts.map((part) => [part, KeyProviderName])) as Record<KeyPart, typeof KeyProviderName>,
    )
    .partial(),
)

const settings = {
  statusListFormat: named(
    'StatusListFormat',
    'The format of token status lists of mobile credentials. `legacy` is for verifiers without draft 14',
    z.enum(['draft14', 'legacy']),
  ),
  profile: named(
    'SecurityProfile',
    'The protocol profile for wallets: `haip` requires the High Assurance Interoperability Profile, `eudi` requires it for wallets of the EU, `lenient` accepts requests of older wallets',
    z.enum(protocolProfiles),
  ),
  encryption: Encryption,
  deferredIssuance: named(
    'DeferredIssuance',
    'Whether a slow issuance is deferred (202) instead of refused (503)',
    z.enum(['never', 'whenSlow']),
  ),
  maxCredentialsPerSession: described(
    z.number().int().min(1).max(1_000),
    'The number of credentials that a wallet can collect with an access token of the authorization code flow. It can always collect each configuration once',
    20,
  ),
  suspensionMaxAgeSeconds: described(
    z.number().int().min(60).max(31_536_000),
    'The longest time in seconds for which verifiers may cache a token status list with two bits for each credential, which can have suspended ones. Its time to live applies if that is shorter',
    3_600,
  ),
  publicClients: z.boolean().describe('Whether unregistered wallets can use the authorization code flow'),
  reviewBeforeSignIn: z
    .boolean()
    .describe('Whether a page before the sign-in says what will be issued (OpenID4VCI 1.0, section 15.1)'),
  keyAttestationRoots: described(
    z.array(PemCertificate).max(20),
    'The root certificates of key attestations and of certificates that name keys of wallets, in PEM. At most 20',
    [],
  ),
  branding: TenantBranding,
  keyRotation: KeyRotation.describe('The periods of the automatic key replacement'),
  keys: KeyPolicySchema.describe('Where the private keys of the tenant are. Existing keys move when they are replaced'),
  lockManagedObjects: z
    .boolean()
    .describe('Whether objects that configuration files made can be changed only by applying the files'),
  roles: OwnRoles,
  testWallet: z.boolean().describe('Whether the console has a test wallet in production'),
  walletFamilies: WalletFamilies,
  defaultView: named(
    'DefaultView',
    'The issuer of offers that name no view. `tenant`: the tenant itself. `fitting`: the oldest view that publishes all configurations of the offer, or else the tenant itself',
    z.enum(['tenant', 'fitting']),
  ),
  limits: TenantLimits.describe('The limits that differ from the defaults'),
}

const optionalSettings = z.object(settings).partial()

const name = described(Name, 'The name of the issuer in wallets', 'University')
const aliasWords = 'The other hosts of the tenant, with the port if there is one. At most 20'
const aliases = described(z.array(Alias).max(20), aliasWords)

export const TenantRequest = optionalSettings
  .extend({
    name,
    subdomain: Subdomain,
    aliases: aliases.default([]),
    createRoot: z
      .boolean()
      .default(false)
      .describe('Whether the tenant gets an active root certificate (IACA) with its name, and signers under it'),
    country: CountryCode.optional().describe(
      'The country of the root certificate, two upper-case letters (ISO 3166-1). Required with `createRoot`',
    ),
  })
  .superRefine(({ createRoot, country }, ctx) => {
    if (createRoot === (country !== undefined)) return
    const message = createRoot ? 'Required with createRoot' : 'Requires createRoot: true'
    ctx.addIssue({ code: 'custom', message, path: ['country'] })
  })

/** The settings without the subdomain, because the issuer identifier never changes. */
export const TenantUpdate = optionalSettings.extend({
  name: name.optional().describe('The name of the issuer in wallets. If omitted, it stays'),
  aliases: aliases.optional().describe(`${aliasWords}. If omitted, they stay`),
  statusListFormat: settings.statusListFormat
    .optional()
    .describe('The format of token status lists of mobile credentials. If omitted, it stays'),
  profile: kept(settings.profile),
  encryption: kept(settings.encryption),
  maxCredentialsPerSession: kept(settings.maxCredentialsPerSession),
  suspensionMaxAgeSeconds: kept(settings.suspensionMaxAgeSeconds),
  reviewBeforeSignIn: kept(settings.reviewBeforeSignIn),
  keyAttestationRoots: kept(settings.keyAttestationRoots),
  keyRotation: kept(settings.keyRotation),
  keys: kept(settings.keys),
  lockManagedObjects: kept(settings.lockManagedObjects),
  limits: kept(settings.limits),
  roles: kept(settings.roles),
  walletFamilies: kept(settings.walletFamilies),
  defaultView: kept(settings.defaultView),
})

const isReadOnly = described(
  z.boolean(),
  'Whether the tenant moves to another installation, so that it can only be read',
  false,
)

export const TenantView = z.object({
  id: idOf('tenant'),
  name,
  subdomain: described(z.string(), 'The host of the tenant is `{subdomain}.{platform domain}`', 'university'),
  aliases: z.array(z.string()).describe('The other hosts of the tenant'),
  baseUrl: described(z.string(), 'The base URL and issuer identifier', exampleBaseUrl),
  did: described(z.string(), 'The DID of the tenant, which signs its credentials', exampleDid),
  isReadOnly,
  ...settings,
})

export const CreatedTenantView = named(
  'CreatedTenant',
  'A tenant with its first client',
  TenantView.extend({
    client: described(CreatedClientView, 'The first client, with the role `admin`', {
      clientId: exampleId('client'),
      name: 'University admin',
      roles: ['admin'],
      permissions: ['*:*'],
      clientSecret: 'o7Qm3kA9sTq0uZ5fW8xYb2cLdE6gHnJpRvK1tMiNeCo',
    }),
    root: withoutExample(
      z.object({
        id: idOf('IACA'),
        commonName: described(z.string(), 'The name of the tenant, with `root`', 'University root'),
        country: described(z.string(), 'The country, two letters (ISO 3166-1)', 'NZ'),
        notAfter: Timestamp.describe('The end of the validity'),
      }),
    )
      .optional()
      .describe('The active root certificate (IACA). Absent without `createRoot`'),
  }),
)

export const TenantMoveView = named(
  'TenantMove',
  'Whether a tenant moves',
  z.object({ id: idOf('tenant'), isReadOnly }),
)
