import { z } from 'zod'
import { hold } from '../../../db/hold.ts'
import {
  deleteOAuthClient,
  findOAuthClient,
  insertOAuthClient,
  listOAuthClients,
  type OAuthClientRow,
  updateOAuthClient,
} from '../../../db/repos/issuance/wallets.ts'
import { oauthClients } from '../../../db/tables/issuance/wallets.ts'
import { changedFields } from '../../../shared/changed-fields.ts'
import { notFound, Problem } from '../../../shared/errors.ts'
import { newId } from '../../../shared/ids.ts'
import { requireRoom } from '../../access/require-room.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { Uuid } from '../../http/fields.ts'
import { PageQuery, pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { NewOAuthClient, OAuthClientUpdate, OAuthClientView } from './schemas.ts'

const access = operators('admin', 'issuer', 'managed-issuer')
const tag = 'OAuth clients'
const Params = z.object({ id: Uuid })

export const oauthClientRoutes = [
  defineAuditedRoute({
    operation: 'createOAuthClient',
    summary: 'Register a wallet',
    tag,
    method: 'POST',
    path: '/v1/openid/clients',
    access,
    event: 'OPENID_OAUTH_CLIENT_CREATE',
    body: NewOAuthClient,
    status: 201,
    response: OAuthClientView,
    problems: ['bad_request', 'conflict'],
    async handle({ tenantId, body, deps, change }) {
      const id = newId()
      const row = { ...body, id, tenantId, clientId: body.clientId ?? id, createdAt: deps.clock.now() }
      const inserted = await change(async (tx, tell) => {
        await requireRoom(tx, tenantId, 'oauthClients')
        const created = await insertOAuthClient(tx, row)
        if (!created) throw new Problem('conflict', { message: 'Another client has this clientId' })
        tell(tenantId, { id })
        return created
      })
      return present(inserted)
    },
  }),
  defineRoute({
    operation: 'retrieveOAuthClients',
    summary: 'List the registered wallets',
    tag,
    method: 'GET',
    path: '/v1/openid/clients',
    access,
    event: 'OPENID_OAUTH_CLIENT_RETRIEVE_LIST',
    query: PageQuery,
    status: 200,
    response: pageOf(OAuthClientView),
    problems: ['bad_request'],
    async handle({ tenantId, query, deps }) {
      const rows = await listOAuthClients(deps.db.read, tenantId, query.limit, query.cursor)
      return toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }), present)
    },
  }),
  defineRoute({
    operation: 'retrieveOAuthClient',
    summary: 'Retrieve a registered wallet',
    tag,
    method: 'GET',
    path: '/v1/openid/clients/:id',
    access,
    event: 'OPENID_OAUTH_CLIENT_RETRIEVE',
    params: Params,
    status: 200,
    response: OAuthClientView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, deps }) {
      const row = await findOAuthClient(deps.db.read, tenantId, params.id)
      if (!row) throw notFound('id', params.id)
      return present(row)
    },
  }),
  defineAuditedRoute({
    operation: 'updateOAuthClient',
    summary: 'Change a registered wallet',
    tag,
    method: 'PUT',
    path: '/v1/openid/clients/:id',
    access,
    event: 'OPENID_OAUTH_CLIENT_UPDATE',
    params: Params,
    body: OAuthClientUpdate,
    status: 200,
    response: OAuthClientView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, body, change }) {
      const row = await change(async (tx, tell) => {
        const before = await hold(tx, oauthClients, tenantId, params.id)
        const after = await updateOAuthClient(tx, tenantId, params.id, body)
        if (!before || !after) throw notFound('id', params.id)
        tell(tenantId, { id: params.id, changed: changedFields(before, after) })
        return after
      })
      return present(row)
    },
  }),
  defineAuditedRoute({
    operation: 'deleteOAuthClient',
    summary: 'Forget a registered wallet',
    tag,
    method: 'DELETE',
    path: '/v1/openid/clients/:id',
    access,
    event: 'OPENID_OAUTH_CLIENT_DELETE',
    params: Params,
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, change }) {
      await change(async (tx, tell) => {
        if (!(await deleteOAuthClient(tx, tenantId, params.id))) throw notFound('id', params.id)
        tell(tenantId, { id: params.id })
      })
    },
  }),
]

function present({ id, clientId, name, redirectUris, attestation, dpopRequired }: OAuthClientRow) {
  return { id, clientId, name, redirectUris, attestation, dpopRequired }
}
