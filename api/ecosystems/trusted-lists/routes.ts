import { holdShared } from '../../../db/hold.ts'
import {
  deleteTrustedList,
  listPublishedTrustedLists,
  type TrustedListOfPage,
  type TrustedListRow,
} from '../../../db/repos/ecosystems/trusted-lists.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { removeAudited } from '../../audit/audited-crud.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf } from '../../http/crud.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import type { Representations } from '../../http/representations/representations.ts'
import { anyone, defineRoute, type Route } from '../../http/route.ts'
import { type EcosystemParams, providerAccess } from '../ecosystems/access.ts'
import { getEcosystem } from '../ecosystems/get-ecosystem.ts'
import { trustedListConfigurationRoutes } from './configuration-routes.ts'
import { contentRoutes } from './content-routes.ts'
import { type ListNames, listKindOf, loteNames, ricalNames, vicalNames } from './list-names.ts'
import { requestTrustedList } from './publish.ts'
import { answerTrustedList, fileNameOf, forgetTrustedList } from './published.ts'
import { IssueNumber, issueParams, listSchemas } from './schemas.ts'

/** ISO/IEC 18013-5, second edition, specifies `application/cwt`. The lists that others publish today have `application/cbor`. */
const representations: Representations = {
  media: [handlerMedia('application/cbor'), handlerMedia('application/cwt')],
  etag: 'version',
  maxAgeSeconds: 60,
  gzip: true,
  ranges: true,
  attachment: true,
  cors: true,
}

/** The list is a compact JWS (RFC 7515, section 9.2.1). */
const jwsRepresentations: Representations = {
  ...representations,
  media: [handlerMedia('application/jose'), handlerMedia('application/jwt')],
}

const tag = 'Ecosystems'

export const trustedListRoutes = [vicalNames, ricalNames, loteNames].flatMap((names) => [
  ...trustedListConfigurationRoutes(names),
  ...changingRoutes(names),
  ...publicRoutes(names),
  ...contentRoutes(names),
])

function changingRoutes(names: ListNames): Route[] {
  const { name, noun, events, path } = names
  return [
    defineAuditedRoute({
      operation: `publish${noun}`,
      summary: `Publish a ${name} of the current content of an ecosystem`,
      tag,
      method: 'POST',
      path,
      access: providerAccess,
      event: `${events}_CREATE`,
      params: names.params,
      status: 201,
      response: listSchemas(names).created,
      problems: ['bad_request', 'not_found', 'conflict', 'service_unavailable'],
      async handle({ tenantId, params, deps, change, deadlineAt }) {
        const { ecosystemId } = params
        const kind = listKindOf(names, params)
        const list = await requestTrustedList(deps, change, { tenantId, ecosystemId, kind, name, deadlineAt })
        forgetTrustedList(deps, { tenantId, ecosystemId, kind, number: 'latest' })
        return created(names, list)
      },
    }),
    removeAudited(lists(names), {
      operation: `delete${noun}`,
      summary: `Delete a published ${name} permanently. The latest remaining list becomes the latest one.`,
      async remove(tx, { tenantId, params, id }) {
        const { ecosystemId } = params
        if (!(await holdShared(tx, ecosystems, tenantId, ecosystemId))) throw notFound('ecosystemId', ecosystemId)
        return deleteTrustedList(tx, tenantId, ecosystemId, listKindOf(names, params), Number(id))
      },
      removed({ tenantId, params, id, deps }) {
        const { ecosystemId } = params
        const kind = listKindOf(names, params)
        for (const number of ['latest', Number(id)] as const) {
          forgetTrustedList(deps, { tenantId, ecosystemId, kind, number })
        }
      },
    }),
  ]
}

function publicRoutes(names: ListNames): Route[] {
  const { name, noun, events, path } = names
  const common = {
    tag,
    method: 'GET',
    access: anyone,
    aggregatesAnonymousEvents: true,
    status: 200,
    representations: names.kind ? representations : jwsRepresentations,
  } as const
  return [
    listOf(
      { ...lists(names), access: anyone, path: `${path}/public` },
      {
        operation: `retrieve${noun}s`,
        summary: `List the published ${names.plural} of an ecosystem`,
        representations: { cors: true },
        problems: ['not_found'],
        async rows({ tenantId, params, query: { limit, cursor }, deps }) {
          const [kind, { ecosystemId }] = [listKindOf(names, params), params]
          await getEcosystem(deps.db.read, tenantId, ecosystemId)
          return listPublishedTrustedLists(deps.db.read, tenantId, ecosystemId, kind, limit, cursor)
        },
      },
    ),
    defineRoute({
      ...common,
      operation: `retrieveLatest${noun}`,
      summary: `Retrieve the latest ${name} of an ecosystem`,
      path: `${path}/public/latest`,
      event: `${events}_RETRIEVE_LATEST`,
      params: names.params,
      problems: ['bad_request', 'not_found'],
      handle({ tenantId, params, deps }) {
        const list = { tenantId, ...params, kind: listKindOf(names, params), number: 'latest' } as const
        return answerTrustedList(deps, { ...list, param: 'ecosystemId' })
      },
    }),
    defineRoute({
      ...common,
      operation: `retrieve${noun}`,
      summary: `Retrieve a ${name} of an ecosystem`,
      path: `${path}/public/:${names.id}`,
      event: `${events}_RETRIEVE`,
      params: issueParams(names),
      problems: ['bad_request', 'not_found'],
      handle({ tenantId, params, deps }) {
        // Boundary: the name of the parameter depends on the kind. The schema has parsed it.
        const { ecosystemId = '', [names.id]: number } = params as Record<string, string>
        const list = { tenantId, ecosystemId, kind: listKindOf(names, params), number: Number(number) }
        return answerTrustedList(deps, { ...list, param: names.id })
      },
    }),
  ]
}

function lists(names: ListNames): Collection<TrustedListOfPage, typeof EcosystemParams> {
  return {
    tag,
    access: providerAccess,
    path: names.path,
    within: names.params,
    id: names.id,
    idSchema: IssueNumber,
    events: names.events,
    view: listSchemas(names).listed,
    present: (row) => ({
      ...created(names, row),
      filename: fileNameOf(row.kind, row.date),
      isAutoPublished: row.isAutoPublished,
    }),
  }
}

function created(names: ListNames, { number, date }: Pick<TrustedListRow, 'number' | 'date'>) {
  return { [names.number]: number, date: date?.toISOString() }
}
