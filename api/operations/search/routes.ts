import { z } from 'zod'
import { described, exampleId, named, withoutControls } from '../../http/fields.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { CredentialProfileSchema } from '../../status/credential-schemas.ts'
import { type SearchedKindName, searchedKinds, searchRoles } from './kinds.ts'
import { maxResults, search } from './search.ts'

const Kind = named(
  'SearchedKind',
  'The kind of an object',
  z.enum(Object.keys(searchedKinds) as [SearchedKindName, ...SearchedKindName[]]),
)

const CertificateKind = named(
  'FoundCertificateKind',
  'The kind of a certificate',
  z.enum([
    ...(['iaca', 'document-signer', 'status-list-signer', 'sd-jwt-signer'] as const),
    ...(['ecosystem-ca', 'vical-signer', 'rical-signer'] as const),
  ]),
)

const SearchResults = named(
  'SearchResults',
  'The results of a search',
  z.object({
    data: z
      .array(
        z.object({
          kind: described(Kind, 'The kind of the object', 'user'),
          id: described(z.string(), 'The id of the object', exampleId('user')),
          name: described(
            z.string(),
            'Its name, its label, its external id, its URL or the name of its file',
            'KD-20417',
          ).optional(),
          type: described(z.string(), 'Its type, or the operation of a request', 'CourseCertificate').optional(),
          profile: CredentialProfileSchema.optional().describe('The profile of a configuration or a credential'),
          certificateKind: CertificateKind.optional().describe('The kind of a certificate'),
          bulkIssuanceId: z.string().optional().describe('The bulk issuance of a claim link'),
          ecosystemId: z.string().optional().describe('The ecosystem of a participant'),
          offerId: z.string().nullable().optional().describe('The offer that a request was about'),
        }),
      )
      .describe(`The objects, at most ${maxResults}. Exact matches come first`),
  }),
)

const Query = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(withoutControls(), 'Must not contain control characters')
    .meta({
      description:
        'An id, a label, a name, a type, the external id of a claim link, the id of a request (the reference on pages for people) or the serial number of a certificate',
      examples: ['KD-20417'],
    }),
})

export const searchRoutes = [
  defineRoute({
    operation: 'search',
    summary:
      'Find objects by id, label, external id, name, type, request or serial number. Only objects that the caller can read',
    tag: 'Overview',
    method: 'GET',
    path: '/v1/search',
    access: operators(...searchRoles),
    event: 'OBJECT_SEARCH',
    query: Query,
    readsStandby: true,
    status: 200,
    response: SearchResults,
    problems: ['bad_request'],
    async handle({ tenantId, caller, query, deps }) {
      return { data: await search(deps.db.read, tenantId, caller, query.q) }
    },
  }),
]
