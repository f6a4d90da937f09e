import { z } from 'zod'
import { type ClientRow, deleteClient, insertClient, listClients } from '../../../db/repos/tenancy/clients.ts'
import { notFound } from '../../../shared/errors.ts'
import { requireRoom } from '../../access/require-room.ts'
import { removeAudited } from '../../audit/audited-crud.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf } from '../../http/crud.ts'
import { Uuid } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'
import { presentClient } from './present.ts'
import { ClientView, CreatedClientView, NewClient } from './schemas.ts'

const TenantParams = z.object({ tenantId: Uuid })

const clients: Collection<ClientRow, typeof TenantParams> = {
  tag: 'Clients',
  access: operators('admin'),
  path: '/v1/tenants/:tenantId/clients',
  within: TenantParams,
  id: 'clientId',
  events: 'TENANT_CLIENT',
  view: ClientView,
  present: presentClient,
}

/** A tenant's clients are its own: another tenant's id in the path names nothing here. */
function requireOwn(tenantId: string, inPath: string): void {
  if (inPath !== tenantId) throw notFound('tenantId', inPath)
}

export const clientRoutes = [
  defineAuditedRoute({
    operation: 'createClient',
    summary: 'Create a client',
    tag: clients.tag,
    method: 'POST',
    path: clients.path,
    access: clients.access,
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
  listOf(clients, {
    operation: 'retrieveClients',
    summary: 'List the clients',
    problems: ['not_found'],
    async rows({ tenantId, params, query, deps }) {
      requireOwn(tenantId, params.tenantId)
      return listClients(deps.db.read, tenantId, query.limit, query.cursor)
    },
  }),
  removeAudited(clients, {
    operation: 'deleteClient',
    summary: 'Delete a client; its tokens stop working at once',
    async remove(tx, { tenantId, params, id }) {
      requireOwn(tenantId, params.tenantId)
      return deleteClient(tx, tenantId, id)
    },
  }),
]
