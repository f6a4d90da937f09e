import { z } from 'zod'
import { parseClaimPath } from '../../../shared/formats/claim-path.ts'
import { reservedCwtClaims, reservedSubjectClaims } from '../../../shared/formats/cwt.ts'
import { findUnsignableClaims } from '../../../shared/formats/json-ld-claims.ts'
import {
  Color,
  described,
  displays,
  idOf,
  Locale,
  Name,
  named,
  TypeName,
  unexampled,
  WebUrl,
} from '../../http/fields.ts'
import { ExpiresIn } from './expires-in.ts'

const Resistance = z.array(z.string().min(1).max(200)).min(1).max(20)

export const mappingFields = {
  mapFrom: z
    .string()
    .refine((text) => parseClaimPath(text) !== undefined, 'Must be a path such as claims.given_name')
    .exactOptional()
    .describe(
      "Where the value is: `claims.given_name`, `claims['https://x/y']`, `authenticationProvider.subjectId` or `.url`",
    ),
  defaultValue: z.string().max(10_000).exactOptional().describe('Taken when `mapFrom` leads to nothing'),
  required: z.boolean().exactOptional().describe('Nothing is issued while the claim has no value'),
  display: displays(
    named(
      'ClaimName',
      'What a claim is called, in one language',
      z.object({
        name: Name.describe('What people read'),
        locale: Locale.exactOptional().describe('The language, as a tag of RFC 5646; absent: for all others'),
      }),
    ),
  )
    .exactOptional()
    .describe('What the claim is called, once for each language'),
}

const ClaimMapping = z.object(mappingFields)

type Source = { mapFrom?: string; defaultValue?: string }

/** A mapping from nowhere gives nothing. */
export function needsSource<Mapping extends z.ZodType<Source>>(mapping: Mapping): Mapping {
  return mapping.refine(({ mapFrom, defaultValue }) => mapFrom !== undefined || defaultValue !== undefined, {
    message: 'Needs mapFrom or defaultValue',
  })
}

const mostMappings = 500
const exampleMappings = { given_name: { mapFrom: 'claims.given_name', required: true } }

const Mapping = named('ClaimMapping', 'Where the value of a claim comes from', needsSource(ClaimMapping))

/** Claim name to where its value comes from; names that the credential uses itself are refused one by one. */
function claimMappings(isTaken: (name: string) => boolean) {
  const mappings = z.record(z.string(), Mapping)
  const checked = mappings.superRefine((given, ctx) => {
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
  return described(
    checked,
    `What the credential says, by the name of the claim; at most ${mostMappings}`,
    exampleMappings,
  )
}

/** What every profile's configuration can say. */
export const common = {
  claimSourceId: unexampled(idOf('claim source'))
    .describe('A claim source that is asked for claims when a credential is issued')
    .exactOptional(),
  expiresIn: ExpiresIn.exactOptional().meta({
    description: 'How long a credential is valid from its issuance, by the UTC calendar',
    examples: [{ years: 1, months: 6 }],
  }),
  keyAttestationsRequired: named(
    'KeyAttestationsRequired',
    "Only keys that were attested under one of the tenant's roots; of each list one value has to hold",
    z.object({
      keyStorage: Resistance.exactOptional().describe('How well keys have to be kept (ISO/IEC 18045)'),
      userAuthentication: Resistance.exactOptional().describe('How well their use has to be guarded (ISO/IEC 18045)'),
    }),
  ).exactOptional(),
  display: displays(
    named(
      'CredentialDisplay',
      'How wallets show a credential, in one language',
      z.object({
        name: described(Name, 'What the credential is called', 'Course certificate'),
        locale: described(Locale, 'The language, as a tag of RFC 5646; absent: for all others', 'en').exactOptional(),
        description: z.string().max(2000).exactOptional().describe('What it is for'),
        logoUrl: WebUrl.exactOptional().describe('Where its logo is'),
        backgroundColor: described(Color, 'Of its card, such as `#1f4e79`', '#1f4e79').exactOptional(),
        textColor: Color.exactOptional().describe('Of the text on its card'),
      }),
    ),
  )
    .exactOptional()
    .describe('How wallets show the credential, once for each language'),
}

const shared = {
  revocable: described(z.boolean().default(false), 'Give each credential a place in a revocation list', true),
  ...common,
}

const typeWords =
  'Unique over the compact and compact semantic configurations; the id of the configuration when it is absent'
const compactType = described(Name, typeWords, 'CourseCertificate')
const semanticType = described(Name, typeWords, 'StudentCard')

export const CompactConfiguration = z.object({
  type: compactType.exactOptional(),
  claimMappings: claimMappings((name) => reservedCwtClaims.includes(name)),
  ...shared,
})

export const CompactSemanticConfiguration = z.object({
  type: semanticType.exactOptional(),
  claimMappings: claimMappings((name) => reservedSubjectClaims.includes(name)),
  ...shared,
})

/** A name that a JSON-LD proof would not cover is as bad as one that is taken. */
function isTakenInSubject(name: string): boolean {
  return reservedSubjectClaims.includes(name) || findUnsignableClaims({ [name]: 'x' }).length > 0
}

const ProofType = z.literal('Ed25519Signature2018')

export const WebSemanticConfiguration = z.object({
  name: described(Name, 'What the credential is called', 'Course certificate'),
  type: described(TypeName, 'The type of the credential, a term of JSON-LD', 'CourseCertificate'),
  issuer: named(
    'WebSemanticIssuer',
    'What the credential says of its issuer',
    z.object({
      name: described(Name, 'What people call the issuer', 'University'),
      logoUrl: WebUrl.exactOptional().describe('Where its logo is'),
      iconUrl: WebUrl.exactOptional().describe('Where its icon is'),
    }),
  ),
  description: described(z.string().max(2000), 'What the credential is for', 'For those who passed').exactOptional(),
  additionalTypes: z.array(TypeName).max(20).exactOptional().describe('More types of the credential'),
  contexts: z
    .array(z.string().max(2000))
    .max(20)
    .exactOptional()
    .describe('URLs of JSON-LD contexts that the service knows, or the tenant has'),
  proofType: ProofType.default('Ed25519Signature2018').describe('How it is signed'),
  credentialBranding: named(
    'CredentialBranding',
    'How wallets show the credential',
    z.object({
      backgroundColor: Color.exactOptional().describe('Of its card, such as `#1f4e79`'),
      watermarkImageUrl: WebUrl.exactOptional().describe('Where the picture behind the text is'),
    }),
  ).exactOptional(),
  claimMappings: claimMappings(isTakenInSubject),
  persist: z.boolean().default(false).describe('Keep the issued credential'),
  ...shared,
})

const ofCompact = { id: idOf('compact configuration'), type: described(z.string(), typeWords, 'CourseCertificate') }
const ofSemantic = { id: idOf('compact semantic configuration'), type: described(z.string(), typeWords, 'StudentCard') }

export const CompactConfigurationView = CompactConfiguration.extend(ofCompact)
export const CompactSemanticConfigurationView = CompactSemanticConfiguration.extend(ofSemantic)
export const WebSemanticConfigurationView = WebSemanticConfiguration.extend({
  id: idOf('web semantic configuration'),
})
