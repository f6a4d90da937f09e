import { z } from 'zod'
import { deleteClient, insertClient, listClients } from '../../../db/repos/tenancy/clients.ts'
import { notFound } from '../../../shared/errors.ts'
import { requireRoom } from '../../access/require-room.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { Uuid } from '../../http/fields.ts'
import { PageQuery, pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { presentClient } from './present.ts'
import { ClientView, CreatedClientView, NewClient } from './schemas.ts'

const TenantParams = z.object({ tenantId: Uuid })
const ClientParams = z.object({ tenantId: Uuid, clientId: Uuid })

/** A tenant's clients are its own: another tenant's id in the path names nothing here. */
function requireOwn(tenantId: string, inPath: string): void {
  if (inPath !== tenantId) throw notFound('tenantId', inPath)
}

export const clientRoutes = [
  defineAuditedRoute({
    operation: 'createClient',
    summary: 'Create a client',
    tag: 'Clients',
    method: 'POST',
    path: '/v1/tenants/:tenantId/clients',
    access: operators('admin'),
    event: 'TENANT_CLIENT_CREATE',
    params: TenantParams,
    body: NewClient,
    status: 201,
    response: CreatedClientView,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenantId, params, body, deps, change }) {
      requireOwn(tenantId, params.tenantId)
      const { client, clientSecret } = await change(async (tx, tell) => {
        await requireRoom(tx, tenantId, 'clients')
        const created = await insertClient(tx, tenantId, body, deps.clock.now())
        tell(tenantId, { id: created.client.id, roles: created.client.roles })
        return created
      })
      return { ...presentClient(client), clientSecret }
    },
  }),
  defineRoute({
    operation: 'retrieveClients',
    summary: 'List the clients',
    tag: 'Clients',
    method: 'GET',
    path: '/v1/tenants/:tenantId/clients',
    access: operators('admin'),
    event: 'TENANT_CLIENT_RETRIEVE_LIST',
    params: TenantParams,
    query: PageQuery,
    status: 200,
    response: pageOf(ClientView),
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, query, deps }) {
      requireOwn(tenantId, params.tenantId)
      const rows = await listClients(deps.db.read, tenantId, query.limit, query.cursor)
      return toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }), presentClient)
    },
  }),
  defineAuditedRoute({
    operation: 'deleteClient',
    summary: 'Delete a client; its tokens stop working at once',
    tag: 'Clients',
    method: 'DELETE',
    path: '/v1/tenants/:tenantId/clients/:clientId',
    access: operators('admin'),
    event: 'TENANT_CLIENT_DELETE',
    params: ClientParams,
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, change }) {
      requireOwn(tenantId, params.tenantId)
      await change(async (tx, tell) => {
        if (!(await deleteClient(tx, tenantId, params.clientId))) throw notFound('clientId', params.clientId)
        tell(tenantId, { id: params.clientId })
      })
    },
  }),
]
