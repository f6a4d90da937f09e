import { z } from 'zod'
import { findTokenList, listTokenLists, type TokenListRow } from '../../../db/repos/status/published-lists.ts'
import { distributionPath, tokenListsPath } from '../../../shared/domain/status/status-lists.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { described, idOf } from '../../http/fields.ts'
import { PageQuery, pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { defaultConfigurationId } from '../list-configurations/default.ts'

const access = operators('admin', 'issuer', 'managed-issuer')
const announcedAt = new Date('2026-11-21T00:00:00.000Z')
/** 100 days after the announcement. */
const endsAt = new Date('2027-03-01T00:00:00.000Z')

const TokenListView = z.object({
  id: idOf('token status list'),
  iacaId: idOf('IACA').optional().describe('The IACA under which it is signed'),
  statusListConfigurationId: idOf('status list configuration').describe(
    'The configuration of its document type, or the default configuration',
  ),
  listSize: described(z.int(), 'The number of credentials that it can hold', 100_000),
  list: described(z.string(), 'The CWT in base64', '0oRDoQEmoQRIc3RhdHVzLTFYIKIaAAEAAKA='),
})

function present(tenantId: string, { id, caId, configurationId, size, content }: TokenListRow) {
  return {
    id,
    ...(caId !== null && { iacaId: caId }),
    statusListConfigurationId: configurationId ?? defaultConfigurationId(tenantId),
    listSize: size,
    list: content.toString('base64'),
  }
}

/** The operator routes that returned token status lists before the public routes existed. */
export const deprecatedTokenListRoutes = [
  defineRoute({
    operation: 'listMobileStatusLists',
    summary: 'List the token status lists of mobile credentials. Use the public distribution instead.',
    deprecated: { announcedAt, endsAt, successor: distributionPath('mobile') },
    tag: 'Mobile',
    method: 'GET',
    path: tokenListsPath('mobile'),
    access,
    event: 'MOBILE_CREDENTIAL_STATUS_LIST_RETRIEVE_LIST',
    query: PageQuery,
    status: 200,
    response: pageOf(TokenListView),
    problems: ['bad_request'],
    async handle({ tenantId, query, deps }) {
      const rows = await listTokenLists(deps.db.read, tenantId, query)
      return toPage(
        rows,
        query.limit,
        ({ createdAt: at, id }) => ({ at, id }),
        (row) => present(tenantId, row),
      )
    },
  }),
  defineRoute({
    operation: 'retrieveMobileStatusList',
    summary: 'Retrieve a token status list of mobile credentials. Use the public token of the list instead.',
    deprecated: { announcedAt, endsAt, successor: `${tokenListsPath('mobile')}/:statusListId/token` },
    tag: 'Mobile',
    method: 'GET',
    path: `${tokenListsPath('mobile')}/:statusListId`,
    access,
    event: 'MOBILE_CREDENTIAL_STATUS_LIST_RETRIEVE',
    params: z.object({ statusListId: idOf('token status list') }),
    status: 200,
    response: TokenListView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { statusListId: id }, deps }) {
      const row = await findTokenList(deps.db.read, tenantId, id)
      if (!row) throw notFound('statusListId', id)
      return present(tenantId, row)
    },
  }),
]
