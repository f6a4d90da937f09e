import { z } from 'zod'
import type { KeyUseName } from '../../../shared/domain/identifiers/key-purposes.ts'
import { ceilings, type Limits as LimitNames } from '../../../shared/domain/tenancy/limits.ts'
import {
  described,
  displays,
  exampleBaseUrl,
  exampleDid,
  exampleId,
  idOf,
  Locale,
  Name,
  named,
  PemCertificate,
  unexampled,
  WebUrl,
} from '../../http/fields.ts'
import { CreatedClientView } from '../clients/schemas.ts'

const Subdomain = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'Must be a DNS label in lower case')
  .meta({
    description: 'The tenant is reached at `{subdomain}.{platform domain}`; it never changes',
    examples: ['university'],
  })

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

const Encryption = named(
  'TenantEncryption',
  'Whether requests for credentials have to be encrypted (OpenID4VCI 1.0, section 10)',
  z.object({
    requestRequired: z.boolean().default(false).describe('Wallets have to encrypt their requests'),
    responseRequired: z.boolean().default(false).describe('Wallets have to ask for encrypted answers'),
  }),
  // OpenID4VCI 1.0, section 10: an encrypted answer can be asked for in an encrypted request alone.
).refine(({ requestRequired, responseRequired }) => requestRequired || !responseRequired, {
  message: 'Needs requestRequired too: a wallet may ask for an encrypted answer only in an encrypted request',
  path: ['responseRequired'],
})

const PerMinute = z.number().int().min(0).max(10_000_000)
const Ceiling = z.number().int().min(0).max(1_000_000)

function byItself(name: keyof typeof ceilings, words: string): string {
  return `${words}; ${ceilings[name].toLocaleString('en')} by itself`
}

/** The values of `shared/domain/tenancy/limits.ts`; what is left out is as for everybody. */
const Limits = named(
  'TenantLimits',
  "What a tenant may do and store, where that is other than everybody's",
  z
    .object({
      anonymousPerMinute: PerMinute.describe('Requests without a token from one address in a minute; 0 for any number'),
      failedSecretsPerMinute: PerMinute.describe(
        'Wrong secrets and codes from one address in a minute; 0 for any number',
      ),
      managementWritesPerMinute: PerMinute.describe('Changes by management clients in a minute; 0 for any number'),
      issuancesPerMinute: PerMinute.describe('Requests for credentials in a minute; 0 for any number'),
      registrationsPerDay: z
        .number()
        .int()
        .min(1)
        .max(999_999_999)
        .describe(
          'Attempts of one address in 24 hours to register with applications of holders that require no key attestation',
        ),
      webhooks: described(Ceiling, byItself('webhooks', 'How many webhooks there can be'), 20),
      clients: Ceiling.describe(
        byItself('clients', 'How many management clients there can be, and as many registered wallets'),
      ),
      configurations: Ceiling.describe(
        byItself('configurations', 'How many credential configurations there can be, of all profiles together'),
      ),
      trustedIssuers: Ceiling.describe(
        byItself('trustedIssuers', 'How many authorities of mobile credentials can be trusted'),
      ),
      walletProviders: Ceiling.max(1_000).describe(
        byItself('walletProviders', 'How many providers there can be whose wallets are admitted without registration'),
      ),
      contexts: Ceiling.describe(byItself('contexts', 'How many JSON-LD contexts there can be')),
      dids: Ceiling.describe(byItself('dids', "How many DIDs there can be besides the tenant's own")),
      holderApplications: Ceiling.describe(
        byItself('holderApplications', 'How many applications of holders there can be'),
      ),
      inboxes: Ceiling.describe(byItself('inboxes', 'How many inboxes there can be')),
      inboxDids: Ceiling.describe(byItself('inboxDids', 'How many DIDs there can be in all inboxes together')),
      inboxMessages: z
        .number()
        .int()
        .min(0)
        .max(100_000)
        .describe(byItself('inboxMessages', 'How many messages wait in an inbox at most')),
      inboxBytes: z
        .number()
        .int()
        .min(0)
        .max(10_000_000_000)
        .describe(byItself('inboxBytes', 'How large the messages in an inbox are together, in bytes')),
      outgoingMessages: Ceiling.describe(
        byItself('outgoingMessages', 'How many messages may wait to be delivered elsewhere'),
      ),
      inboxDays: z
        .number()
        .int()
        .min(1)
        .max(3_650)
        .describe(byItself('inboxDays', 'For how many days a message waits in its inbox')),
      holderInstances: z
        .number()
        .int()
        .min(0)
        .max(100_000_000)
        .describe(byItself('holderInstances', 'How many instances each application of holders can have')),
      ecosystems: Ceiling.describe(byItself('ecosystems', 'How many ecosystems there can be')),
      ecosystemCredentialTypes: z
        .number()
        .int()
        .min(0)
        .max(10_000)
        .describe(byItself('ecosystemCredentialTypes', 'How many credential types there can be in an ecosystem')),
      participants: z
        .number()
        .int()
        .min(0)
        .max(10_000)
        .describe(byItself('participants', 'How many participants there can be in an ecosystem')),
      participantCertificates: z
        .number()
        .int()
        .min(0)
        .max(100_000)
        .describe(
          byItself('participantCertificates', 'How many certificates of participants there can be in an ecosystem'),
        ),
      integratedCertificates: z
        .number()
        .int()
        .min(0)
        .max(100_000)
        .describe(
          byItself('integratedCertificates', 'How many certificates an ecosystem takes over from lists of others'),
        ),
      participantEvidence: z
        .number()
        .int()
        .min(0)
        .max(100_000)
        .describe(
          byItself(
            'participantEvidence',
            'How many documents there can be on all participants of all ecosystems together',
          ),
        ),
      evidenceBytes: z
        .number()
        .int()
        .min(0)
        .max(1_000_000_000_000)
        .describe(byItself('evidenceBytes', 'How large these documents are together, in bytes')),
    } satisfies Record<keyof LimitNames, z.ZodType>)
    .partial(),
)

const Period = named(
  'KeyPeriod',
  'After how many days the key is replaced by itself; absent: only when it is asked for',
  z.object({ days: described(z.number().int().min(1).max(3650), 'From 1 to 3650', 90) }),
)

const KeyRotation = named(
  'KeyRotation',
  'How often keys are replaced by themselves, by what they are for',
  z
    .object({
      credentials: unexampled(Period),
      webhooks: Period,
      tokens: unexampled(Period),
      encryption: unexampled(Period),
    } satisfies Record<KeyUseName, z.ZodType>)
    .partial(),
)

const settings = {
  statusListFormat: named(
    'StatusListFormat',
    'The format of token status lists of mobile credentials; `legacy` for verifiers that do not read draft 14',
    z.enum(['draft14', 'legacy']),
  ),
  profile: named(
    'SecurityProfile',
    'What wallets have to do: `haip` as the High Assurance Interoperability Profile has it, `lenient` takes what older wallets send',
    z.enum(['standard', 'haip', 'lenient']),
  ),
  encryption: Encryption,
  deferredIssuance: named(
    'DeferredIssuance',
    'Whether a wallet is told to come again (202) when signing takes long, instead of 503',
    z.enum(['never', 'whenSlow']),
  ),
  maxCredentialsPerSession: described(
    z.number().int().min(1).max(1_000),
    'How many credentials an access token of the authorization code flow may collect, by as many requests as the wallet likes; each configuration that it is for can be collected once in any case',
    20,
  ),
  publicClients: z.boolean().describe('Whether wallets that nobody registered may use the authorization code flow'),
  keyAttestationRoots: described(
    z.array(PemCertificate).max(20),
    "Roots under which wallets' keys are attested, in PEM; at most 20",
    [],
  ),
  branding: named(
    'TenantBranding',
    'How wallets show the issuer, and how the few pages look that a person can see',
    z.object({
      logoUrl: WebUrl.optional().describe('Where the logo is'),
      backgroundColor: Color.optional().describe('Behind the logo, such as `#1f4e79`'),
      accentColor: described(Color, 'Of buttons and links', '#1f4e79').optional(),
      names: displays(
        named(
          'LocalizedName',
          'A name in one language',
          z.object({
            name: described(Name, 'What it is called in this language', 'Universität'),
            locale: described(Locale, 'The language, as a tag of RFC 5646', 'de'),
          }),
        ),
      )
        .optional()
        .describe('What wallets call the issuer, once for each language; `name` in all others'),
    }),
  ),
  keyRotation: KeyRotation.describe('After how many days keys are replaced by themselves'),
  limits: Limits.describe("Where they are others than everybody's"),
}

const optionalSettings = z.object(settings).partial()

const name = described(Name, 'What wallets call the issuer', 'University')
const aliasWords = 'Other hosts at which the tenant is reached, each with its port if it has one; at most 20'
const aliases = described(z.array(Alias).max(20), aliasWords)

export const TenantRequest = optionalSettings.extend({ name, subdomain: Subdomain, aliases: aliases.default([]) })

/** The subdomain and with it the issuer identifier stay. */
export const TenantUpdate = optionalSettings.extend({
  name: name.optional().describe('What wallets call the issuer. Left out: it stays'),
  aliases: aliases.optional().describe(`${aliasWords}. Left out: they stay`),
  statusListFormat: settings.statusListFormat
    .optional()
    .describe('The format of token status lists of mobile credentials. Left out: it stays'),
})

export const TenantView = z.object({
  id: idOf('tenant'),
  name,
  subdomain: described(z.string(), 'The tenant is reached at `{subdomain}.{platform domain}`', 'university'),
  aliases: z.array(z.string()).describe('Other hosts at which the tenant is reached'),
  baseUrl: described(z.string(), 'Its address and issuer identifier', exampleBaseUrl),
  did: described(z.string(), "The tenant's own DID, which signs its credentials", exampleDid),
  ...settings,
})

export const CreatedTenantView = named(
  'CreatedTenant',
  'A tenant with its first client',
  TenantView.extend({
    client: described(CreatedClientView, 'Its first client, with the role `admin`', {
      clientId: exampleId('client'),
      name: 'University admin',
      roles: ['admin'],
      permissions: ['*:*'],
      clientSecret: 'o7Qm3kA9sTq0uZ5fW8xYb2cLdE6gHnJpRvK1tMiNeCo',
    }),
  }),
)
