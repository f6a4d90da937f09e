import { z } from 'zod'
import { findUnsignableClaims, hasTooManyValues, maxValues } from '../../../shared/formats/json-ld-claims.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'
import { Color, described, Name, named, TypeName, WebUrl } from '../../http/fields.ts'
import { IssuerDid, knownMembersOnly, revocableCredential } from './fields.ts'

const DateTimeText = z.iso.datetime({ offset: true, error: 'Must be an ISO 8601 date and time with an offset' })

const DateTime = DateTimeText.transform((text) => Date.parse(text)).refine(
  (at) => at >= 0 && at < Date.UTC(10_000),
  'Must be in the years 1970 to 9999',
)

const notSigned = 'Unknown member. Remove it: only known members are signed.'

const absoluteIri = /^[A-Za-z][A-Za-z0-9+.-]*:\S*$/

type Members = Readonly<Record<string, unknown>>

/** Refuses members that the proof would not cover or that JSON-LD would interpret differently, with their names. */
function refuseUnsignable(members: Members, ctx: z.RefinementCtx): void {
  for (const { path, why } of findUnsignableClaims(members)) {
    ctx.addIssue({ code: 'custom', path: [path], message: `This claim ${why}` })
  }
}

const issuerMembers = {
  id: IssuerDid.exactOptional(),
  name: Name.exactOptional().describe('The display name of the issuer'),
  logoUrl: WebUrl.exactOptional().describe('The URL of its logo'),
  iconUrl: WebUrl.exactOptional().describe('The URL of its icon'),
}

const types = z.union([z.string().min(1).max(2000), z.array(z.string().min(1).max(2000)).min(1).max(20)])

/** An object with a `type` is a profile. All its members are signed, because its type is that of the contexts. */
const IssuerObject = z
  .looseObject({
    ...issuerMembers,
    type: types
      .exactOptional()
      .describe('The type of a profile, such as `Profile` of Open Badges. It can have more members.'),
  })
  .superRefine((issuer, ctx) => {
    if (issuer.type !== undefined) return refuseUnsignable(issuer, ctx)
    for (const name of Object.keys(issuer).slice(0, 1_000)) {
      if (!Object.hasOwn(issuerMembers, name)) ctx.addIssue({ code: 'custom', path: [name], message: notSigned })
    }
  })

const Issuer = z.union([IssuerDid, IssuerObject])

// `refuseUnsignable` requires that each `id` is a URI.
const id = z.string().max(2000).describe('Its URI')
const type = types.describe('Its type')

/** VC Data Model 1.1, sections 5.5 and 5.6. */
const TypedObject = named(
  'TypedObject',
  'An object that says its type. All its members are signed',
  z.looseObject({ id: id.exactOptional(), type }).superRefine(refuseUnsignable),
)

/** VC Data Model 1.1, section 5.4. */
const IdentifiedObject = named(
  'IdentifiedObject',
  'An object with a URI that says its type. All its members are signed',
  z.looseObject({ id, type }).superRefine(refuseUnsignable),
)

const CompactJws = z
  .string()
  .max(20_000)
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'Must be a JWS in compact form')

function oneOrMore(each: z.ZodType, what: string) {
  return z
    .union([each, z.array(each).min(1).max(100)])
    .exactOptional()
    .describe(what)
}

const oneSubject = 'Must be an object. Only credentials with one subject are signed.'

/** Refuses a list, an `id` that is no URI, and claims that cannot be signed. */
const Subject = z.record(z.string(), z.unknown(), oneSubject).superRefine(({ id, ...claims }, ctx) => {
  if (id !== undefined && !(typeof id === 'string' && id.length <= 2000 && absoluteIri.test(id))) {
    ctx.addIssue({ code: 'custom', path: ['id'], message: 'Must be a URI, for example the DID of the holder' })
  }
  refuseUnsignable(claims, ctx)
})

const Branding = knownMembersOnly(
  {
    backgroundColor: Color.exactOptional().describe('The background colour of its card, for example `#1f4e79`'),
    watermarkImageUrl: WebUrl.exactOptional().describe('The URL of the image behind the text'),
  },
  notSigned,
)

/** Members of the W3C data model and of Open Badges 3.0, which are signed as they are. */
export const moreMembers = {
  evidence: oneOrMore(TypedObject, 'How the claims were checked'),
  credentialSchema: oneOrMore(IdentifiedObject, 'The schemas of the credential'),
  refreshService: oneOrMore(IdentifiedObject, 'Where a newer credential is available'),
  termsOfUse: oneOrMore(TypedObject, 'The terms under which it was issued'),
  image: IdentifiedObject.exactOptional().describe('The image of a badge, with its address as `id`'),
  awardedDate: DateTimeText.exactOptional().describe('When the achievement of a badge was awarded'),
  endorsementJwt: z
    .array(CompactJws)
    .min(1)
    .max(20)
    .exactOptional()
    .describe('Endorsements of a badge by others, each a signed credential as a JWT'),
}

/** The members whose values are canonicalized together. */
type TypedMembers = { credentialSubject: Members; issuer?: unknown } & { [Name in keyof typeof moreMembers]?: unknown }

function refuseTooManyValues(payload: TypedMembers, ctx: z.RefinementCtx): void {
  const { credentialSubject, issuer } = payload
  // Boundary: `Object.keys` widens the names.
  const others = (Object.keys(moreMembers) as (keyof typeof moreMembers)[]).map((name) => payload[name])
  if (hasTooManyValues([...Object.values(credentialSubject), issuer, ...others]))
    ctx.addIssue({ code: 'custom', message: `Must have at most ${maxValues} values in all members together` })
}

const Payload = described(
  knownMembersOnly(
    {
      '@context': z
        .array(z.string().max(2000))
        .max(21)
        .exactOptional()
        .describe(`The URLs of JSON-LD contexts of the service or of the tenant, beside ${credentialsContext}`),
      type: z.array(TypeName).min(1).max(21).describe('Its types: JSON-LD terms, at most 21'),
      issuer: Issuer.default({}).describe('The issuer: its DID, or an object'),
      credentialSubject: Subject.describe('The claims of the subject. `id` identifies the subject.'),
      name: Name.exactOptional().describe('The name of the credential'),
      description: z.string().max(2000).exactOptional().describe('The description of the credential'),
      credentialBranding: Branding.exactOptional().describe('How wallets display it'),
      ...moreMembers,
      issuanceDate: DateTime.exactOptional().describe('The start of its validity. Default: the current hour.'),
      expirationDate: DateTime.exactOptional().describe('The end of its validity. Default: no end.'),
    },
    notSigned,
  ).superRefine(refuseTooManyValues),
  'The credential without the members that signing adds',
  { type: ['CourseCertificate'], credentialSubject: { given_name: 'Ada' } },
)

export const NewWebSemantic = named(
  'SignWebSemanticRequest',
  'A web semantic credential to sign',
  z.object({
    payload: Payload,
    proofType: z.literal('Ed25519Signature2018').default('Ed25519Signature2018').describe('The type of the proof'),
    tag: described(z.string().min(1).max(200), 'A label to find stored credentials', 'summer-2026').exactOptional(),
    persist: described(
      z.boolean().default(false),
      'Whether the credential is stored. Otherwise its content is not stored.',
      true,
    ),
    revocable: revocableCredential,
  }),
)
