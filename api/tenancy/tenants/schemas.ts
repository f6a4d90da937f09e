import { z } from 'zod'
import type { KeyUseName } from '../../../shared/key-purposes.ts'
import type { Limits as LimitNames } from '../../../shared/limits.ts'
import { displays, Locale, Name, PemCertificate, WebUrl } from '../../http/fields.ts'
import { CreatedClientView } from '../clients/schemas.ts'

const Subdomain = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'Must be a DNS label in lower case')
  .describe('The tenant is reached at `{subdomain}.{platform domain}`')

/** A whole host name, optionally with a port. */
const Alias = z
  .string()
  .max(255)
  .toLowerCase()
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*(:[1-9]\d{0,4})?$/, {
    message: 'Must be a host name',
    abort: true,
  })
  .refine(isHostOfUrls, 'Must be a host name')

/** Whether URLs have it as it is: numbers turn into other addresses, ports end at 65535, and not every `xn--` is a name. */
function isHostOfUrls(host: string): boolean {
  return ['http', 'https'].some((scheme) => URL.parse(`${scheme}://${host}`)?.host === host)
}

const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Must be a color like #1f4e79')

const Encryption = z
  .object({ requestRequired: z.boolean().default(false), responseRequired: z.boolean().default(false) })
  // OpenID4VCI 1.0, section 10: an encrypted answer can be asked for in an encrypted request alone.
  .refine(({ requestRequired, responseRequired }) => requestRequired || !responseRequired, {
    message: 'Needs requestRequired too: a wallet may ask for an encrypted answer only in an encrypted request',
    path: ['responseRequired'],
  })

const PerMinute = z.number().int().min(0).max(10_000_000).describe('In a minute; 0 for any number')
const Ceiling = z.number().int().min(0).max(1_000_000).describe('Of which so many can be stored')

/** The values of `shared/limits.ts`; what is left out is as for everybody. */
const Limits = z
  .object({
    anonymousPerMinute: PerMinute,
    failedSecretsPerMinute: PerMinute,
    managementWritesPerMinute: PerMinute,
    issuancesPerMinute: PerMinute,
    webhooks: Ceiling,
    clients: Ceiling,
    configurations: Ceiling,
    trustedIssuers: Ceiling,
    walletProviders: Ceiling.max(1_000).describe('Whose wallets are admitted without registration'),
    contexts: Ceiling.describe('Of JSON-LD'),
    dids: Ceiling,
    holderApplications: Ceiling,
    inboxes: Ceiling,
    inboxDids: Ceiling,
    inboxMessages: z.number().int().min(0).max(100_000).describe('Of each inbox'),
    inboxBytes: z.number().int().min(0).max(10_000_000_000).describe('Of all messages in an inbox together'),
    outgoingMessages: Ceiling.describe('That wait to be delivered elsewhere'),
    inboxDays: z.number().int().min(1).max(3_650).describe('For so many days a message waits in its inbox'),
    holderInstances: z.number().int().min(0).max(100_000_000).describe('Of each application of holders'),
    ecosystems: Ceiling,
    ecosystemCredentialTypes: z.number().int().min(0).max(10_000).describe('Of each ecosystem'),
    participants: z.number().int().min(0).max(10_000).describe('Of each ecosystem'),
    participantCertificates: z.number().int().min(0).max(100_000).describe('Of each ecosystem'),
    integratedCertificates: z.number().int().min(0).max(100_000).describe('Of each ecosystem'),
    participantEvidence: z.number().int().min(0).max(100_000).describe('On all participants together'),
    evidenceBytes: z.number().int().min(0).max(1_000_000_000_000).describe('Of all evidence together'),
  } satisfies Record<keyof LimitNames, z.ZodType>)
  .partial()

const Period = z.object({ days: z.number().int().min(1).max(3650) })

const KeyRotation = z
  .object({
    credentials: Period,
    webhooks: Period,
    tokens: Period,
    encryption: Period,
  } satisfies Record<KeyUseName, z.ZodType>)
  .partial()

const settings = {
  statusListFormat: z.enum(['draft14', 'legacy']),
  profile: z.enum(['haip', 'standard', 'lenient']),
  encryption: Encryption,
  deferredIssuance: z.enum(['never', 'whenSlow']),
  maxCredentialsPerSession: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .describe(
      'How many credentials an access token of the authorization code flow may collect, by as many requests as the wallet likes; each configuration that it is for can be collected once in any case',
    ),
  publicClients: z.boolean().describe('Whether wallets that nobody registered may use the authorization code flow'),
  keyAttestationRoots: z.array(PemCertificate).max(20).describe("Under which wallets' keys are attested"),
  branding: z
    .object({
      logoUrl: WebUrl.optional(),
      backgroundColor: Color.optional(),
      accentColor: Color.optional(),
      names: displays(z.object({ name: Name, locale: Locale }))
        .optional()
        .describe('What wallets call the issuer, once for each language; `name` in all others'),
    })
    .describe('How wallets show the issuer, and how the few pages look that a person can see'),
  keyRotation: KeyRotation.describe(
    'After how many days keys are replaced by themselves; given, it replaces what was given before',
  ),
  limits: Limits.describe("Where they are others than everybody's; given, it replaces all that were given before"),
}

const optionalSettings = z.object(settings).partial()

export const TenantRequest = optionalSettings.extend({
  name: Name,
  subdomain: Subdomain,
  aliases: z.array(Alias).max(20).default([]),
})

/** The subdomain and with it the issuer identifier stay; everything else that is given changes. */
export const TenantUpdate = optionalSettings.extend({
  name: Name.optional(),
  aliases: z.array(Alias).max(20).optional(),
})

export const TenantView = z.object({
  id: z.string(),
  name: z.string(),
  subdomain: z.string(),
  aliases: z.array(z.string()),
  baseUrl: z.string(),
  did: z.string(),
  ...settings,
})

export const CreatedTenantView = TenantView.extend({ client: CreatedClientView })
