import { holdShared } from '../../../db/hold.ts'
import {
  deleteTrustedList,
  listPublishedTrustedLists,
  type TrustedListOfPage,
  type TrustedListRow,
} from '../../../db/repos/ecosystems/trusted-lists.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { notFound } from '../../../shared/errors.ts'
import { removeAudited } from '../../audit/audited-crud.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf } from '../../http/crud.ts'
import { given } from '../../http/representations/media.ts'
import type { Representations } from '../../http/representations/representations.ts'
import { anyone, defineRoute, type Route } from '../../http/route.ts'
import { InEcosystem, providers } from '../ecosystems/access.ts'
import { getEcosystem } from '../ecosystems/get-ecosystem.ts'
import { trustedListConfigurationRoutes } from './configuration-routes.ts'
import { contentRoutes } from './content-routes.ts'
import { requestTrustedList } from './publish.ts'
import { answerTrustedList, fileNameOf } from './published.ts'
import { IssueNumber, listSchemas, OfIssue } from './schemas.ts'
import { type ListWords, ricalWords, vicalWords } from './words.ts'

/** ISO/IEC 18013-5, second edition, has `application/cwt`; what is published today has `application/cbor`. */
const representations: Representations = {
  media: [given('application/cbor'), given('application/cwt')],
  etag: 'version',
  maxAgeSeconds: 60,
  gzip: true,
  ranges: true,
  attachment: true,
  cors: true,
}

const tag = 'Ecosystems'

export const trustedListRoutes = [vicalWords, ricalWords].flatMap((words) => [
  ...trustedListConfigurationRoutes(words),
  ...changingRoutes(words),
  ...publicRoutes(words),
  ...contentRoutes(words),
])

function changingRoutes(words: ListWords): Route[] {
  const { kind, name, noun, events, path } = words
  return [
    defineAuditedRoute({
      operation: `publish${noun}`,
      summary: `Publish a ${name} of what is in an ecosystem now`,
      tag,
      method: 'POST',
      path,
      access: providers,
      event: `${events}_CREATE`,
      params: InEcosystem,
      status: 201,
      response: listSchemas(words).created,
      problems: ['bad_request', 'not_found', 'conflict', 'service_unavailable'],
      async handle({ tenantId, params: { ecosystemId }, deps, change, deadlineAt }) {
        return created(words, await requestTrustedList(deps, change, { tenantId, ecosystemId, words, deadlineAt }))
      },
    }),
    removeAudited(lists(words), {
      operation: `delete${noun}`,
      summary: `Delete a ${name}, which cannot be undone; the last one that is left is the latest`,
      async remove(tx, { tenantId, params: { ecosystemId }, id }) {
        if (!(await holdShared(tx, ecosystems, tenantId, ecosystemId))) throw notFound('ecosystemId', ecosystemId)
        return deleteTrustedList(tx, tenantId, ecosystemId, kind, Number(id))
      },
    }),
  ]
}

function publicRoutes(words: ListWords): Route[] {
  const { kind, name, noun, events, path } = words
  const common = { tag, method: 'GET', access: anyone, isReadByCrowds: true, status: 200, representations } as const
  return [
    listOf(
      { ...lists(words), access: anyone, path: `${path}/public` },
      {
        operation: `retrieve${noun}s`,
        summary: `List the ${name}s of an ecosystem`,
        representations: { cors: true },
        problems: ['not_found'],
        async rows({ tenantId, params: { ecosystemId }, query: { limit, cursor }, deps }) {
          await getEcosystem(deps.db.read, tenantId, ecosystemId)
          return listPublishedTrustedLists(deps.db.read, tenantId, ecosystemId, kind, limit, cursor)
        },
      },
    ),
    defineRoute({
      ...common,
      operation: `retrieveLatest${noun}`,
      summary: `The ${name} of an ecosystem that was published last`,
      path: `${path}/public/latest`,
      event: `${events}_RETRIEVE_LATEST`,
      params: InEcosystem,
      problems: ['bad_request', 'not_found'],
      handle: ({ tenantId, params: { ecosystemId }, deps }) =>
        answerTrustedList(deps, { tenantId, ecosystemId, kind, number: 'latest', param: 'ecosystemId' }),
    }),
    defineRoute({
      ...common,
      operation: `retrieve${noun}`,
      summary: `A ${name} of an ecosystem`,
      path: `${path}/public/:${words.id}`,
      event: `${events}_RETRIEVE`,
      params: OfIssue(words),
      problems: ['bad_request', 'not_found'],
      handle({ tenantId, params, deps }) {
        // Boundary: the parameter's name is the kind's, and the schema has parsed it.
        const { ecosystemId = '', [words.id]: number } = params as Record<string, string>
        return answerTrustedList(deps, { tenantId, ecosystemId, kind, number: Number(number), param: words.id })
      },
    }),
  ]
}

function lists(words: ListWords): Collection<TrustedListOfPage, typeof InEcosystem> {
  return {
    tag,
    access: providers,
    path: words.path,
    within: InEcosystem,
    id: words.id,
    idSchema: IssueNumber,
    events: words.events,
    view: listSchemas(words).listed,
    present: (row) => ({
      ...created(words, row),
      filename: fileNameOf(words.kind, row.date),
      isAutoPublished: row.isAutoPublished,
    }),
  }
}

function created(words: ListWords, { number, date }: Pick<TrustedListRow, 'number' | 'date'>) {
  return { [words.number]: number, date: date?.toISOString() }
}
