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
  LogoUrl,
  Name,
  named,
  TypeName,
  WebUrl,
  withoutExample,
} from '../../http/fields.ts'
import { ChosenScope } from './chosen-scope.ts'
import { ExpiresIn } from './expires-in.ts'
import { ReusePolicyBody } from './reuse-policy.ts'

const Resistance = z.array(z.string().min(1).max(200)).min(1).max(20)

export const mappingFields = {
  mapFrom: z
    .string()
    .refine((text) => parseClaimPath(text) !== undefined, 'Must be a path such as claims.given_name')
    .exactOptional()
    .describe(
      "The path of the value: `claims.given_name`, `claims['https://x/y']`, `authenticationProvider.subjectId` or `.url`",
    ),
  defaultValue: z.string().max(10_000).exactOptional().describe('Used if `mapFrom` yields no value'),
  required: z.boolean().exactOptional().describe('No credential is issued if the claim has no value'),
  display: displays(
    named(
      'ClaimName',
      'The name of a claim in one language',
      z.object({
        name: Name.describe('The name that people see'),
        locale: Locale.exactOptional().describe('The language, as a tag of RFC 5646. Absent: for all other languages'),
      }),
    ),
  )
    .exactOptional()
    .describe('The name of the claim, once for each language'),
}

const ClaimMapping = z.object(mappingFields)

type Source = { mapFrom?: string; defaultValue?: string }

/** Requires a source for the value of a mapping. */
export function requireSource<Mapping extends z.ZodType<Source>>(mapping: Mapping): Mapping {
  return mapping.refine(({ mapFrom, defaultValue }) => mapFrom !== undefined || defaultValue !== undefined, {
    message: 'Set mapFrom or defaultValue',
  })
}

const maxMappings = 500
const exampleMappings = { given_name: { mapFrom: 'claims.given_name', required: true } }

const Mapping = named('ClaimMapping', 'The source of the value of a claim', requireSource(ClaimMapping))

/** Maps claim names to the sources of their values. Each name that the credential itself uses is refused. */
function claimMappings(isTaken: (name: string) => boolean) {
  const mappings = z.record(z.string(), Mapping)
  const checked = mappings.superRefine((value, ctx) => {
    const names = Object.keys(value)
    if (names.length > maxMappings)
      ctx.addIssue({ code: 'custom', message: `A configuration can have at most ${maxMappings} claims` })
    for (const name of names) {
      if (name === '' || name.length > 200) {
        ctx.addIssue({ code: 'custom', path: [name], message: 'A name must have 1 to 200 characters' })
      } else if (isTaken(name)) {
        ctx.addIssue({
          code: 'custom',
          path: [name],
          message: 'The credential format reserves this name. Choose another name.',
        })
      }
    }
  })
  return described(checked, `The claims of the credential, by name. At most ${maxMappings}`, exampleMappings)
}

/** The members of every profile's configuration. */
export const common = {
  claimSourceId: withoutExample(idOf('claim source'))
    .describe('The claim source that is called when a credential is issued')
    .exactOptional(),
  scope: ChosenScope.exactOptional().describe(
    'The OAuth scope by which wallets request the credential, unique in the tenant. Default scopes stay valid beside it. ' +
      'Default: the id for an SD-JWT VC, the format and the type for other credentials',
  ),
  expiresIn: ExpiresIn.exactOptional().meta({
    description: 'The lifetime of a credential from its issuance, in the UTC calendar',
    examples: [{ years: 1, months: 6 }],
  }),
  keyAttestationsRequired: named(
    'KeyAttestationsRequired',
    "Accepts only keys that are attested under one of the tenant's roots. One value of each list must match",
    z.object({
      keyStorage: Resistance.exactOptional().describe('The required resistance of the key storage (ISO/IEC 18045)'),
      userAuthentication: Resistance.exactOptional().describe(
        'The required resistance of the user authentication (ISO/IEC 18045)',
      ),
    }),
  ).exactOptional(),
  reusePolicy: ReusePolicyBody.exactOptional(),
  display: displays(
    named(
      'CredentialDisplay',
      'How wallets show a credential, in one language',
      z.object({
        name: described(Name, 'The name of the credential', 'Course certificate'),
        locale: described(
          Locale,
          'The language, as a tag of RFC 5646. Absent: for all other languages',
          'en',
        ).exactOptional(),
        description: z.string().max(2000).exactOptional().describe('The purpose of the credential'),
        logoUrl: LogoUrl.exactOptional().describe('The URL of the logo'),
        backgroundColor: described(Color, 'The card color, such as `#1f4e79`', '#1f4e79').exactOptional(),
        textColor: Color.exactOptional().describe('The text color of the card'),
      }),
    ),
  )
    .exactOptional()
    .describe('How wallets show the credential, once for each language'),
}

export const revocable = described(z.boolean().default(false), 'Give each credential an entry in a status list', true)
export const persist = z.boolean().default(false).describe('Store the issued credential')
const shared = { revocable, ...common }

const typeWords = 'Unique among the compact and compact semantic configurations. Default: the id of the configuration'
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

/** Returns whether a name is reserved, or would not be covered by a JSON-LD proof. */
function isTakenInSubject(name: string): boolean {
  return reservedSubjectClaims.includes(name) || findUnsignableClaims({ [name]: 'x' }).length > 0
}

const ProofType = z.literal('Ed25519Signature2018')

export const WebSemanticConfiguration = z.object({
  name: described(Name, 'The name of the credential', 'Course certificate'),
  type: described(TypeName, 'The type of the credential, a JSON-LD term', 'CourseCertificate'),
  issuer: named(
    'WebSemanticIssuer',
    'The issuer as the credential names it',
    z.object({
      name: described(Name, 'The name of the issuer', 'University'),
      logoUrl: WebUrl.exactOptional().describe('The URL of the logo'),
      iconUrl: WebUrl.exactOptional().describe('The URL of the icon'),
    }),
  ),
  description: described(z.string().max(2000), 'The purpose of the credential', 'For those who passed').exactOptional(),
  additionalTypes: z.array(TypeName).max(20).exactOptional().describe('Additional types of the credential'),
  contexts: z
    .array(z.string().max(2000))
    .max(20)
    .exactOptional()
    .describe('The URLs of JSON-LD contexts that the service or the tenant provides'),
  proofType: ProofType.default('Ed25519Signature2018').describe('The proof type of the signature'),
  credentialBranding: named(
    'CredentialBranding',
    'How wallets show the credential',
    z.object({
      backgroundColor: Color.exactOptional().describe('The card color, such as `#1f4e79`'),
      watermarkImageUrl: WebUrl.exactOptional().describe('The URL of the background picture'),
    }),
  ).exactOptional(),
  claimMappings: claimMappings(isTakenInSubject),
  persist,
  ...shared,
})

const ofCompact = { id: idOf('compact configuration'), type: described(z.string(), typeWords, 'CourseCertificate') }
const ofSemantic = { id: idOf('compact semantic configuration'), type: described(z.string(), typeWords, 'StudentCard') }

export const CompactConfigurationView = CompactConfiguration.extend(ofCompact)
export const CompactSemanticConfigurationView = CompactSemanticConfiguration.extend(ofSemantic)
export const WebSemanticConfigurationView = WebSemanticConfiguration.extend({
  id: idOf('web semantic configuration'),
})
