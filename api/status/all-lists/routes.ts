import { type ListedList, listStatusLists } from '../../../db/repos/status/listed-lists.ts'
import { isCertifiedProfile } from '../../../shared/domain/issuance/profiles.ts'
import { statusListPath } from '../../../shared/domain/status/status-lists.ts'
import type { Tenant } from '../../access/subjects.ts'
import { PageQuery, pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { defaultConfigurationId } from '../list-configurations/default.ts'
import { StatusListView } from './schemas.ts'

/** Lists the status lists. It emits no event, because monitoring polls it, it changes nothing, and it returns no personal data. */
export const allListsRoutes = [
  defineRoute({
    operation: 'retrieveStatusLists',
    summary: 'List the status lists of all profiles, with their fill level and their published version',
    tag: 'Revocation',
    method: 'GET',
    path: '/v2/credentials/status-lists',
    access: operators('admin', 'issuer', 'managed-issuer'),
    query: PageQuery,
    readsStandby: true,
    status: 200,
    response: pageOf(StatusListView),
    problems: ['bad_request'],
    async handle({ tenantId, tenant, query, deps }) {
      const rows = await listStatusLists(deps.db.read, tenantId, query)
      return toPage(
        rows,
        query.limit,
        ({ createdAt: at, id }) => ({ at, id }),
        (row) => present(tenant, row),
      )
    },
  }),
]

function present({ id: tenantId, baseUrl, did }: Tenant, row: ListedList) {
  const { id, kind, series, caId, configurationId, format, size, taken, createdAt, published, changedAt } = row
  return {
    ...{ id, profile: kind, url: baseUrl + statusListPath(kind, id), size, taken, createdAt: createdAt.toISOString() },
    ...(!isCertifiedProfile(kind) && { issuer: series || did }),
    ...(caId !== null && { iacaId: caId }),
    ...(kind === 'mobile' && { statusListConfigurationId: configurationId ?? defaultConfigurationId(tenantId) }),
    ...(format !== null && { format }),
    ...(published && { published: presentPublished(published) }),
    ...(changedAt && { changedAt: changedAt.toISOString() }),
  }
}

function presentPublished(published: NonNullable<ListedList['published']>) {
  const { version, issuedAt, expiresAt, renewAt, ttlSeconds } = published
  return {
    ...{ version, issuedAt: issuedAt.toISOString() },
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(renewAt && { renewAt: renewAt.toISOString() }),
    ...(ttlSeconds !== null && { ttlSeconds }),
  }
}
