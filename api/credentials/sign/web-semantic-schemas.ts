import { z } from 'zod'
import { findUnsignableClaims } from '../../../shared/formats/json-ld-claims.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'
import { ClaimsObject, Color, described, Name, named, TypeName, WebUrl } from '../../http/fields.ts'
import { IssuerDid, membersAlone, revocable } from './fields.ts'

const Moment = z.iso
  .datetime({ offset: true, error: 'Must be an ISO 8601 date and time with its offset' })
  .transform((text) => Date.parse(text))
  .refine((at) => at >= 0 && at < Date.UTC(10_000), 'Must lie in the years 1970 to 9999')

const notSigned = 'Not a member that is signed here'

const Issuer = membersAlone(
  {
    id: IssuerDid.exactOptional(),
    name: Name.exactOptional().describe('What people call the issuer'),
    logoUrl: WebUrl.exactOptional().describe('Where its logo is'),
    iconUrl: WebUrl.exactOptional().describe('Where its icon is'),
  },
  notSigned,
)

const absoluteIri = /^[A-Za-z][A-Za-z0-9+.-]*:\S*$/

/** What the proof would not cover, or JSON-LD would read as something else, is refused by name. */
const Subject = ClaimsObject.superRefine(({ id, ...claims }, ctx) => {
  if (id !== undefined && !(typeof id === 'string' && id.length <= 2000 && absoluteIri.test(id))) {
    ctx.addIssue({ code: 'custom', path: ['id'], message: 'Must be a URI, such as the DID of the holder' })
  }
  for (const path of findUnsignableClaims(claims).slice(0, 100)) {
    ctx.addIssue({ code: 'custom', path: [path], message: 'This claim cannot be signed' })
  }
})

const Branding = membersAlone(
  {
    backgroundColor: Color.exactOptional().describe('Of its card, such as `#1f4e79`'),
    watermarkImageUrl: WebUrl.exactOptional().describe('Where the picture behind the text is'),
  },
  notSigned,
)

const Payload = described(
  membersAlone(
    {
      '@context': z
        .array(z.string().max(2000))
        .max(21)
        .exactOptional()
        .describe(`URLs of JSON-LD contexts that the service knows, or the tenant has, besides ${credentialsContext}`),
      type: z.array(TypeName).min(1).max(21).describe('Its types, terms of JSON-LD; at most 21'),
      issuer: Issuer.default({}).describe('Who issues it'),
      credentialSubject: Subject.describe('What it says, and in `id` of whom'),
      name: Name.exactOptional().describe('What the credential is called'),
      description: z.string().max(2000).exactOptional().describe('What it is for'),
      credentialBranding: Branding.exactOptional().describe('How wallets show it'),
      issuanceDate: Moment.exactOptional().describe('From when it is valid; the current hour, where it is left out'),
      expirationDate: Moment.exactOptional().describe('Until when it is valid; without an end, where it is left out'),
    },
    notSigned,
  ),
  'The credential, without what signing adds to it',
  { type: ['CourseCertificate'], credentialSubject: { given_name: 'Ada' } },
)

export const NewWebSemantic = named(
  'SignWebSemanticRequest',
  'A web semantic credential to be signed',
  z.object({
    payload: Payload,
    proofType: z.literal('Ed25519Signature2018').default('Ed25519Signature2018').describe('How it is signed'),
    tag: described(
      z.string().min(1).max(200),
      'Your own word, by which stored credentials are found',
      'summer-2026',
    ).exactOptional(),
    persist: described(
      z.boolean().default(false),
      'Keep the credential; otherwise nothing of what it says is kept',
      true,
    ),
    revocable,
  }),
)
