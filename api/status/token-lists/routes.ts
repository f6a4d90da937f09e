import { z } from 'zod'
import { findReadableTokenLists } from '../../../db/repos/status/published-lists.ts'
import { type CertifiedProfile, certifiedProfiles } from '../../../shared/domain/issuance/profiles.ts'
import {
  aggregationPath,
  distributionPath,
  statusListPath,
  tokenListsPath,
} from '../../../shared/domain/status/status-lists.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { described, exampleBaseUrl, exampleId } from '../../http/fields.ts'
import { handlerMedia, type Media } from '../../http/representations/media.ts'
import { anyone, defineRoute, type Route } from '../../http/route.ts'
import { answerList } from '../revocation-lists/published.ts'

/** The content that `answerList` returns for a token status list. */
interface Token {
  cwt: Buffer
  jwt: Buffer
}

// Boundary: the handler returns only this type.
const cwt = { payload: (token: unknown) => (token as Token).cwt, isDense: true } as const
const jwt = { payload: (token: unknown) => (token as Token).jwt }
const cwtMedia = handlerMedia('application/cwt', cwt)
const jwtMedia = handlerMedia('application/statuslist+jwt', jwt)

const exampleUri = exampleBaseUrl + statusListPath('mobile', exampleId('token status list'))

const Aggregation = z.object({
  status_lists: z
    .array(described(z.url(), 'The address of the list', exampleUri))
    .describe('The addresses of the lists, oldest first. At most 10,000'),
})

const StatusListUris = z.object({
  status_lists: z
    .array(
      z.union([
        described(z.url(), 'The address of the list', exampleUri),
        z.object({ uri: z.url().describe('The address of the list') }),
      ]),
    )
    .describe('The addresses of the lists. In the format `legacy`, each address is in an object with `uri`.'),
})

const common = { method: 'GET', access: anyone, aggregatesAnonymousEvents: true, status: 200 } as const
const representations = { maxAgeSeconds: 60, cors: true } as const

export const tokenListRoutes: Route[] = [
  defineRoute({
    ...{ ...common, representations },
    operation: 'retrieveStatusListAggregation',
    summary: 'List the addresses of the token status lists of all profiles (`status_list_aggregation_endpoint`)',
    tag: 'Revocation',
    path: aggregationPath,
    event: 'CREDENTIAL_STATUS_LIST_DISTRIBUTION',
    response: Aggregation,
    handle: async (call) => ({ status_lists: await urisOf(call, certifiedProfiles) }),
  }),
  ...routesOf('mobile', {
    ...{ word: 'Mobile', tag: 'Mobile', events: 'MOBILE_CREDENTIAL_STATUS_LIST' },
    credentials: 'mobile credentials',
    media: [cwtMedia, handlerMedia('application/statuslist+cwt', cwt), jwtMedia],
  }),
  ...routesOf('sd-jwt', {
    ...{ word: 'SdJwt', tag: 'SD-JWT VC', events: 'SD_JWT_CREDENTIAL_STATUS_LIST' },
    credentials: 'SD-JWT VCs',
    media: [jwtMedia, handlerMedia('application/statuslist+cwt', cwt), cwtMedia],
  }),
]

interface Names {
  word: string
  tag: string
  events: string
  credentials: string
  /** The first is the default. */
  media: [Media, ...Media[]]
}

function routesOf(profile: CertifiedProfile, { word, tag, events, credentials, media }: Names): Route[] {
  return [
    defineRoute({
      ...{ ...common, tag, representations },
      operation: `retrieve${word}StatusLists`,
      summary: `List the addresses of the token status lists of ${credentials}`,
      path: distributionPath(profile),
      event: `${events}_DISTRIBUTION`,
      response: StatusListUris,
      async handle(call) {
        const uris = await urisOf(call, [profile])
        const isLegacy = profile === 'mobile' && call.tenant.settings.statusListFormat === 'legacy'
        return { status_lists: isLegacy ? uris.map((uri) => ({ uri })) : uris }
      },
    }),
    defineRoute({
      ...{ ...common, tag },
      operation: `retrieve${word}StatusListToken`,
      summary: `Retrieve a token status list of ${profile} credentials as CWT or JWT`,
      path: `${tokenListsPath(profile)}/:statusListId/token`,
      event: `${events}_TOKEN_RETRIEVE`,
      params: z.object({ statusListId: described(z.string(), 'The id of the list', exampleId('token status list')) }),
      query: z.object({
        time: z.string().optional().describe('Not supported. Earlier versions of a list are not stored.'),
      }),
      representations: { media, etag: 'version', maxAgeSeconds: 'answered', gzip: true, cors: true },
      problems: ['not_found', 'gone', 'not_implemented'],
      async handle({ tenantId, params: { statusListId: id }, query, deps }) {
        if (query.time !== undefined)
          throw new Problem('not_implemented', {
            message: '`time` is not supported. Only the current version of a list is stored.',
          })
        return answerList(deps, { tenantId, kind: profile, param: 'statusListId', id })
      },
    }),
  ]
}

async function urisOf(
  { tenant, deps }: { tenant: Tenant; deps: Deps },
  profiles: readonly CertifiedProfile[],
): Promise<string[]> {
  const lists = await findReadableTokenLists(deps.db.read, tenant.id, profiles, deps.clock.now())
  return lists.map(({ kind, id }) => tenant.baseUrl + statusListPath(kind, id))
}
