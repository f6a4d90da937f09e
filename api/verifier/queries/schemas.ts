import { z } from 'zod'
import { authorityTypes } from '../../../shared/formats/dcql/dcql-query.ts'
import { ClaimsObject, described, named, withoutExample } from '../../http/fields.ts'
import { Dcql, JsonPointer, queryFields, W3cFormat } from './dcql-schemas.ts'

const Texts = z.array(z.string().max(2_000)).max(1_000)

const anyFormat = {
  issuedId: withoutExample(z.string().min(1).max(200))
    .exactOptional()
    .describe('Equal for two presentations of one issued credential. Default: each is of another credential'),
  isHolderBound: z.boolean().default(true).describe('Whether the holder proved the possession of its key'),
  authorities: z
    .partialRecord(z.enum(authorityTypes), Texts)
    .default({})
    .describe('The authorities of the issuer by type. A type that you cannot determine is absent'),
}

const Types = z.array(z.string().min(1).max(500)).min(1).max(50)

const Presented = z.discriminatedUnion(
  'format',
  [
    named(
      'PresentedMdoc',
      'An mdoc in an answer',
      z.object({
        ...anyFormat,
        format: z.literal('mso_mdoc').describe('An mdoc'),
        docType: described(z.string().max(500), 'Its docType', 'org.iso.18013.5.1.mDL'),
        nameSpaces: described(
          z.record(z.string(), z.record(z.string(), z.unknown())),
          'Its elements by namespace. The holder disclosed all of them',
          { 'org.iso.18013.5.1': { age_over_18: true } },
        ),
      }),
    ),
    named(
      'PresentedSdJwt',
      'An SD-JWT VC in an answer',
      z.object({
        ...anyFormat,
        format: z.literal('dc+sd-jwt').describe('An SD-JWT VC'),
        types: described(Types, 'Its `vct` and those that it extends', ['urn:example:student-card']),
        claims: ClaimsObject.describe('The visible and the disclosed claims'),
        disclosed: z
          .array(JsonPointer)
          .max(1_000)
          .default([])
          .describe('The paths of the claims that the holder disclosed, at most 1,000'),
      }),
    ),
    named(
      'PresentedW3cCredential',
      'A W3C credential in an answer',
      z.object({
        ...anyFormat,
        format: W3cFormat.describe('A JSON-LD credential with a proof, or a JWT'),
        types: described(Types, 'Its expanded types', ['https://example.org/StudentCard']),
        claims: ClaimsObject.describe('Its claims'),
      }),
    ),
  ],
  { error: 'Must be one of mso_mdoc, dc+sd-jwt, ldp_vc, jwt_vc_json' },
)

export type PresentedInput = z.output<typeof Presented>

export const QueryToEvaluate = z.object({
  ...queryFields,
  credentials: described(
    z.record(z.string().max(100), z.array(Presented).min(1).max(20)),
    'The credentials that a wallet could present, by the ids of the query. At most 20 for each id',
    {
      licence: [
        {
          format: 'mso_mdoc',
          docType: 'org.iso.18013.5.1.mDL',
          nameSpaces: { 'org.iso.18013.5.1': { age_over_18: true } },
        },
      ],
    },
  ),
})

const failures = [
  'WrongFormat',
  'WrongType',
  'HolderBindingMissing',
  'AuthorityNotMet',
  'ClaimMissing',
  'ClaimNotRequested',
] as const

const PathView = z.array(z.union([z.string(), z.int(), z.null()]))

const PresentedView = named(
  'PresentedEvaluation',
  'How a credential fits the query',
  z.object({
    failures: described(z.array(z.enum(failures)), 'The conditions of the query that it does not meet', []),
    claims: described(
      z.array(z.enum(['presented', 'missing', 'otherValue'])),
      'The state of each claim of the query, in its order',
      ['presented'],
    ),
    claimSet: z.int().optional().describe('The index of the met claim set. Absent: there is none'),
    authority: z
      .enum(['met', 'notMet', 'unknown'])
      .optional()
      .describe('Whether an authority of the query certifies the issuer. Absent: the query names none'),
    unrequested: described(z.array(PathView), 'The disclosed claims that were not requested', []),
  }),
)

export const QueryEvaluationView = named(
  'QueryEvaluation',
  'How an answer of a wallet fits a query',
  z.object({
    isSatisfied: described(z.boolean(), 'Whether the answer is complete, and has nothing that was not requested', true),
    credentials: z
      .array(
        z.object({
          id: described(z.string(), 'The id in the query', 'licence'),
          isSatisfied: described(z.boolean(), 'Whether there is a credential, and each one fits', true),
          isTooMany: described(z.boolean(), 'Whether there are several, although the query asks for one', false),
          presented: z.array(PresentedView).describe('The credentials, in their order'),
        }),
      )
      .describe('The credentials of the query, in its order'),
    credentialSets: described(
      z.array(
        z.object({
          isRequired: z.boolean().describe('Whether one of its options is required'),
          option: z.int().optional().describe('The index of the first option that is met. Absent: none'),
        }),
      ),
      'The credential sets of the query, in its order',
      [],
    ),
    unknownIds: described(z.array(z.string()), 'The ids in the answer that the query does not have', []),
    dcqlQuery: Dcql.describe('The query in DCQL'),
  }),
)
