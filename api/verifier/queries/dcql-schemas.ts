import { z } from 'zod'
import { authorityTypes, type DcqlQuery } from '../../../shared/formats/dcql/dcql-query.ts'
import { findQueryFaults } from '../../../shared/formats/dcql/query-faults.ts'
import { described, named, withoutExample } from '../../http/fields.ts'

const section = 'OpenID4VP 1.0, section'

const Id = z
  .string()
  .max(100)
  .regex(/^[\w-]+$/, 'Must have letters, digits, _ and - only')
const Type = z.string().min(1).max(500)
const Segment = z.string().min(1).max(500)

const exampleDocType = 'org.iso.18013.5.1.mDL'
const exampleNamespace = 'org.iso.18013.5.1'

/** A claims path pointer into JSON. */
export const JsonPointer = z
  .array(z.union([Segment, z.int().min(0).max(10_000), z.null()]))
  .min(1)
  .max(16)

const Values = withoutExample(
  z
    .array(z.union([z.string().max(1_000), z.int(), z.boolean()]))
    .min(1)
    .max(100),
)
  .describe('The accepted values of the claim, from 1 to 100 texts, whole numbers or booleans')
  .exactOptional()

const claimId = withoutExample(Id)
  .describe('The id of the claim in `claim_sets`. Required if the query has them')
  .exactOptional()

const JsonClaim = named(
  'DcqlClaim',
  `A requested claim (${section} 6.3)`,
  z.object({
    id: claimId,
    path: described(JsonPointer, 'The path: names, indexes, and null for all elements of an array. At most 16', [
      'given_name',
    ]),
    values: Values,
  }),
)

const MdocClaim = named(
  'DcqlMdocClaim',
  `A requested element of an mdoc (${section} 6.3)`,
  z.object({
    id: claimId,
    path: described(z.tuple([Segment, Segment], { error: mdocPathFault }), 'The namespace and the element', [
      exampleNamespace,
      'age_over_18',
    ]),
    values: Values,
    intent_to_retain: described(
      z.boolean(),
      'Whether the verifier keeps the element (ISO/IEC 18013-5)',
      false,
    ).exactOptional(),
  }),
)

function mdocPathFault({ code }: { code?: string }): string | undefined {
  return code === 'too_small' || code === 'too_big' ? 'Must have a namespace and an element' : undefined
}

const AuthorityValues = z.array(z.string().min(1).max(2_000)).min(1).max(1_000)
const KeyIdentifiers = z
  .array(z.string().regex(/^[\w-]{2,200}$/, 'Must be a key identifier in base64url, without padding'))
  .min(1)
  .max(1_000)

/** Section 6.1.1. */
const Authorities = named(
  'DcqlTrustedAuthorities',
  `Authorities of which one must certify the issuer (${section} 6.1.1)`,
  z.discriminatedUnion(
    'type',
    [
      z.object({
        type: z.literal('aki').describe('Key identifiers of authorities in the certificate chain'),
        values: KeyIdentifiers.describe('The key identifiers in base64url, from 1 to 1,000'),
      }),
      z.object({
        type: z.enum(['etsi_tl', 'openid_federation']).describe('A trusted list of ETSI, or an entity of a federation'),
        values: AuthorityValues.describe('The identifiers of the lists or entities, from 1 to 1,000'),
      }),
    ],
    { error: `Must be one of ${authorityTypes.join(', ')}` },
  ),
)

const anyFormat = {
  id: described(Id, 'The id of the credential in the answer and in `credential_sets`', 'licence'),
  multiple: z.boolean().exactOptional().describe('Whether the wallet can return several credentials. Default: false'),
  trusted_authorities: withoutExample(z.array(Authorities).min(1).max(20))
    .exactOptional()
    .describe('Authorities of which one must certify the issuer, at most 20 entries. Default: any'),
  require_cryptographic_holder_binding: z
    .boolean()
    .exactOptional()
    .describe('Whether the holder must prove the possession of the key of the credential. Default: true'),
  claim_sets: withoutExample(z.array(z.array(Id).min(1).max(100)).min(1).max(20))
    .exactOptional()
    .describe('Combinations of ids of `claims`, the most preferred first. At most 20. Default: all claims'),
}

const claimsOf = <Claim extends z.ZodType>(claim: Claim) =>
  z
    .array(claim)
    .min(1)
    .max(100)
    .exactOptional()
    .describe('The requested claims, at most 100. Default: none that the holder can withhold')

const Mdoc = named(
  'DcqlMdocQuery',
  `A requested mdoc (${section} 6.1 and appendix B.2)`,
  z.object({
    ...anyFormat,
    format: z.literal('mso_mdoc').describe('An mdoc'),
    meta: z.object({ doctype_value: described(Type, 'The docType', exampleDocType) }).describe('The type'),
    claims: claimsOf(MdocClaim),
  }),
)

const SdJwt = named(
  'DcqlSdJwtQuery',
  `A requested SD-JWT VC (${section} 6.1 and appendix B.3)`,
  z.object({
    ...anyFormat,
    format: z.literal('dc+sd-jwt').describe('An SD-JWT VC'),
    meta: z
      .object({
        vct_values: described(z.array(Type).min(1).max(50), 'The accepted types, at most 50', [
          'urn:example:student-card',
        ]),
      })
      .describe('The types'),
    claims: claimsOf(JsonClaim),
  }),
)

export const W3cFormat = named('W3cFormat', 'A format of W3C credentials', z.enum(['ldp_vc', 'jwt_vc_json']))

const W3c = named(
  'DcqlW3cQuery',
  `A requested W3C credential (${section} 6.1 and appendix B.1)`,
  z.object({
    ...anyFormat,
    format: W3cFormat.describe('A JSON-LD credential with a proof, or a JWT'),
    meta: z
      .object({
        type_values: described(
          z.array(z.array(Type).min(1).max(20)).min(1).max(50),
          'Lists of expanded types. The credential must have all types of one list. At most 50 lists',
          [['https://example.org/StudentCard']],
        ),
      })
      .describe('The types'),
    claims: claimsOf(JsonClaim),
  }),
)

const CredentialSet = named(
  'DcqlCredentialSet',
  `Combinations of credentials (${section} 6.2)`,
  z.object({
    options: z
      .array(z.array(Id).min(1).max(20))
      .min(1)
      .max(20)
      .describe('Lists of ids of `credentials`. The wallet returns the credentials of one list. At most 20'),
    required: z.boolean().exactOptional().describe('Whether one of the options is required. Default: true'),
  }),
)

/** A DCQL query (OpenID4VP 1.0, section 6). It is stored and sent as it was written, without unknown members. */
export const Dcql = named(
  'DcqlQuery',
  `A query for credentials in DCQL (${section} 6)`,
  z
    .object({
      credentials: z
        .array(
          z.discriminatedUnion('format', [Mdoc, SdJwt, W3c], {
            error: 'Must be one of mso_mdoc, dc+sd-jwt, ldp_vc, jwt_vc_json',
          }),
        )
        .min(1)
        .max(20)
        .describe('The requested credentials, at most 20'),
      credential_sets: withoutExample(z.array(CredentialSet).min(1).max(20))
        .exactOptional()
        .describe('Combinations of credentials, at most 20. Default: all credentials'),
    })
    .superRefine((query, ctx) => {
      for (const { path, message } of findQueryFaults(query)) ctx.addIssue({ code: 'custom', path, message })
    }),
) satisfies z.ZodType<DcqlQuery>

/** Queries in the form of the reference platform. */
const MobileQueries = described(
  z
    .array(
      named(
        'MobileCredentialQuery',
        'A requested mobile credential, as the reference platform has it',
        z.object({
          profile: z.literal('mobile').exactOptional().describe('The profile'),
          docType: described(Type, 'The docType', exampleDocType),
          nameSpaces: z
            .record(
              Segment,
              z
                .record(
                  Segment,
                  z.object({
                    intentToRetain: z.boolean().exactOptional().describe('Whether the verifier keeps the element'),
                  }),
                )
                .refine(hasMembers, 'Must not be empty'),
            )
            .refine(hasMembers, 'Must not be empty')
            .refine((all) => elementsOf(all) <= 100, 'Must have at most 100 elements')
            .describe('The requested elements by namespace, at most 100'),
        }),
      ),
    )
    .min(1)
    .max(20),
  'Queries for mobile credentials, which the service translates into DCQL. All of them are requested. At most 20',
  [{ docType: exampleDocType, nameSpaces: { [exampleNamespace]: { age_over_18: { intentToRetain: false } } } }],
)

/** A query in one of two forms. `readQuery` requires exactly one of them. */
export const queryFields = {
  dcqlQuery: Dcql.exactOptional(),
  credentialQuery: withoutExample(MobileQueries).exactOptional(),
}

function hasMembers(object: object): boolean {
  return Object.keys(object).length > 0
}

function elementsOf(nameSpaces: Record<string, object>): number {
  return Object.values(nameSpaces).reduce((sum, elements) => sum + Object.keys(elements).length, 0)
}
