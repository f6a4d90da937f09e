import { z } from 'zod'
import { parseClaimPath } from '../../../shared/formats/claim-path.ts'
import { reservedCwtClaims, reservedSubjectClaims } from '../../../shared/formats/cwt.ts'
import { findUnsignableClaims } from '../../../shared/formats/json-ld-claims.ts'
import { Color, displays, Locale, Name, TypeName, Uuid, WebUrl } from '../../http/fields.ts'
import { ExpiresIn } from './expires-in.ts'

const Resistance = z
  .array(z.string().min(1).max(200))
  .min(1)
  .max(20)
  .meta({ examples: [['iso_18045_high']] })

export const ClaimMapping = z.object({
  mapFrom: z
    .string()
    .refine((text) => parseClaimPath(text) !== undefined, 'Must be a path such as claims.given_name')
    .exactOptional()
    .describe("`claims.given_name`, `claims['https://x/y']`, `authenticationProvider.subjectId` or `.url`"),
  defaultValue: z.string().max(10_000).exactOptional().describe('Taken when `mapFrom` leads to nothing'),
  required: z.boolean().exactOptional().describe('Nothing is issued while the claim has no value'),
  display: displays(z.object({ name: Name, locale: Locale.exactOptional() }))
    .exactOptional()
    .describe('What the claim is called, once for each language'),
})

/** A mapping from nowhere gives nothing. */
export function needsSource<Mapping extends typeof ClaimMapping>(mapping: Mapping): Mapping {
  return mapping.refine(({ mapFrom, defaultValue }) => mapFrom !== undefined || defaultValue !== undefined, {
    message: 'Needs mapFrom or defaultValue',
  })
}

const mostMappings = 500
const exampleMappings = { given_name: { mapFrom: 'claims.given_name', required: true } }

/** Claim name to where its value comes from; names that the credential uses itself are refused one by one. */
function claimMappings(isTaken: (name: string) => boolean) {
  const mappings = z.record(z.string(), needsSource(ClaimMapping)).meta({ examples: [exampleMappings] })
  return mappings.superRefine((given, ctx) => {
    const names = Object.keys(given)
    if (names.length > mostMappings) ctx.addIssue({ code: 'custom', message: `More than ${mostMappings} claims` })
    for (const name of names) {
      if (name === '' || name.length > 200) {
        ctx.addIssue({ code: 'custom', path: [name], message: 'A name has 1 to 200 characters' })
      } else if (isTaken(name)) {
        ctx.addIssue({ code: 'custom', path: [name], message: 'The credential itself uses this name' })
      }
    }
  })
}

/** What every profile's configuration can say. */
export const common = {
  claimSourceId: Uuid.exactOptional(),
  expiresIn: ExpiresIn.exactOptional().meta({
    description: 'How long a credential is valid from its issuance, by the UTC calendar',
    examples: [{ years: 1, months: 6 }],
  }),
  keyAttestationsRequired: z
    .object({ keyStorage: Resistance.exactOptional(), userAuthentication: Resistance.exactOptional() })
    .exactOptional()
    .describe("Only keys that were attested under one of the tenant's roots; of each list one value has to hold"),
  display: displays(
    z.object({
      name: Name,
      locale: Locale.exactOptional(),
      description: z.string().max(2000).exactOptional(),
      logoUrl: WebUrl.exactOptional(),
      backgroundColor: Color.exactOptional(),
      textColor: Color.exactOptional(),
    }),
  )
    .exactOptional()
    .describe('How wallets show the credential, once for each language'),
}

const shared = { revocable: z.boolean().default(false), ...common }

const cwtType = Name.exactOptional().describe(
  'Unique over the compact and compact semantic configurations; the id of the configuration when it is absent',
)

export const CompactConfiguration = z.object({
  type: cwtType,
  claimMappings: claimMappings((name) => reservedCwtClaims.includes(name)),
  ...shared,
})

export const CompactSemanticConfiguration = z.object({
  type: cwtType,
  claimMappings: claimMappings((name) => reservedSubjectClaims.includes(name)),
  ...shared,
})

/** A name that a JSON-LD proof would not cover is as bad as one that is taken. */
function isTakenInSubject(name: string): boolean {
  return reservedSubjectClaims.includes(name) || findUnsignableClaims({ [name]: 'x' }).length > 0
}

export const WebSemanticConfiguration = z.object({
  name: Name,
  type: TypeName,
  issuer: z.object({
    name: Name,
    logoUrl: WebUrl.exactOptional(),
    iconUrl: WebUrl.exactOptional(),
  }),
  description: z.string().max(2000).exactOptional(),
  additionalTypes: z.array(TypeName).max(20).exactOptional(),
  contexts: z
    .array(z.string().max(2000))
    .max(20)
    .exactOptional()
    .describe('URLs of JSON-LD contexts that the service knows, or the tenant has'),
  proofType: z.literal('Ed25519Signature2018').default('Ed25519Signature2018'),
  credentialBranding: z
    .object({
      backgroundColor: Color.exactOptional(),
      watermarkImageUrl: WebUrl.exactOptional(),
    })
    .exactOptional(),
  claimMappings: claimMappings(isTakenInSubject),
  persist: z.boolean().default(false).describe('Keep the issued credential'),
  ...shared,
})

const id = Uuid
const type = z.string()

export const CompactConfigurationView = CompactConfiguration.extend({ id, type })
export const CompactSemanticConfigurationView = CompactSemanticConfiguration.extend({ id, type })
export const WebSemanticConfigurationView = WebSemanticConfiguration.extend({ id })
