import { z } from 'zod'
import { listPublishedLists } from '../../../db/repos/status/published-lists.ts'
import type { RevocationListKind } from '../../../db/tables/status/lists.ts'
import { statusListPath } from '../../../shared/domain/status/status-lists.ts'
import { described, exampleId } from '../../http/fields.ts'
import { PageQuery, toPage } from '../../http/page.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import type { Representations } from '../../http/representations/representations.ts'
import { anyone, defineRoute, type Route } from '../../http/route.ts'
import { revocableProfiles } from '../revocation/profiles.ts'
import { answerList } from './published.ts'
import { RevocationListCredential, RevocationListPages } from './schemas.ts'

export const revocationListRoutes: Route[] = [
  lists('compact', 'CREDENTIAL_COMPACT_REVOCATION_LISTS_RETRIEVE'),
  list('compact', 'CREDENTIAL_COMPACT_REVOCATION_RETRIEVE', 'listId', cwt()),
  lists('compact-semantic', 'CREDENTIAL_COMPACT_SEMANTIC_REVOCATION_LISTS_RETRIEVE'),
  list('compact-semantic', 'CREDENTIAL_COMPACT_SEMANTIC_REVOCATION_RETRIEVE', 'listId', cwt()),
  list('web-semantic', 'CREDENTIAL_WEB_SEMANTIC_REVOCATION_LIST_RETRIEVE', 'id', jsonLd()),
]

/** The API specifies an array with one page. */
function lists(kind: RevocationListKind, event: string): Route {
  const { word, tag } = revocableProfiles[kind]
  return defineRoute({
    operation: `retrieve${word}RevocationLists`,
    summary: `List the revocation lists of ${kind} credentials`,
    tag,
    method: 'GET',
    path: `/v2/credentials/${kind}/revocation-lists`,
    access: anyone,
    event,
    aggregatesAnonymousEvents: true,
    query: PageQuery,
    status: 200,
    response: RevocationListPages,
    representations: { cors: true },
    problems: ['bad_request'],
    async handle({ tenantId, tenant: { did, baseUrl }, query, deps }) {
      const rows = await listPublishedLists(deps.db.read, tenantId, kind, query)
      const present = ({ id, series }: { id: string; series: string }) => {
        return { id, issuer: series || did, url: baseUrl + statusListPath(kind, id) }
      }
      return [toPage(rows, query.limit, ({ createdAt: at, id }) => ({ at, id }), present)]
    },
  })
}

function list(
  kind: RevocationListKind,
  event: string,
  param: 'id' | 'listId',
  { response, media, ...others }: Served,
): Route {
  const { word, tag } = revocableProfiles[kind]
  return defineRoute({
    operation: `retrieve${word}RevocationList`,
    summary: `Retrieve a revocation list of ${kind} credentials`,
    tag,
    method: 'GET',
    path: `/v2/credentials/${kind}/revocation-lists/:${param}`,
    access: anyone,
    event,
    aggregatesAnonymousEvents: true,
    params: z.object({ [param]: described(z.string(), 'The id of the list', exampleId('revocation list')) }),
    status: 200,
    ...(response && { response }),
    representations: { media, etag: 'version', maxAgeSeconds: 'answered', cors: true, ...others },
    problems: ['not_found', 'gone'],
    handle: ({ tenantId, params, deps }) => answerList(deps, { tenantId, kind, param, id: params[param] ?? '' }),
  })
}

interface Served {
  response?: z.ZodType
  media: NonNullable<Representations['media']>
  gzip?: true
}

function cwt(): Served {
  return { media: [handlerMedia('application/cwt')] }
}

function jsonLd(): Served {
  return { response: RevocationListCredential, media: [handlerMedia('application/json')], gzip: true }
}
