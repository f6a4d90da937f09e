import { z } from 'zod'
import {
  deleteAuthorizationServer,
  findAuthorizationServer,
  listAuthorizationServers,
} from '../../../db/repos/issuance/authorization-servers.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Versioned } from '../../http/collection.ts'
import { idOf } from '../../http/fields.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { presentAuthorizationServer, type SavedServer } from './present.ts'
import { createAuthorizationServer, replaceAuthorizationServer } from './save.ts'
import { AuthorizationServerBody, AuthorizationServerTestView, AuthorizationServerView } from './schemas.ts'
import { testServer } from './test-server.ts'

const servers: Versioned<SavedServer> = {
  tag: 'Authorization servers',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/openid/authorization-servers',
  id: 'id',
  events: 'OPENID_AUTHORIZATION_SERVER',
  view: AuthorizationServerView,
  hasVersions: true,
  present: (row, { tenant, deps }) => presentAuthorizationServer(row, tenant, deps.secrets),
}

export const authorizationServerRoutes = [
  ...auditedCrudOf(servers, {
    name: 'AuthorizationServer',
    create: {
      summary: 'Add an authorization server. A tenant has at most five',
      body: AuthorizationServerBody,
      problems: ['conflict'],
      async handle({ tenant, tenantId, body, deps, change }) {
        const created = await createAuthorizationServer(deps, change, tenant, body)
        deps.caches.forgetTenant(tenantId)
        return created
      },
    },
    list: { summary: 'List the authorization servers', rows: listAuthorizationServers },
    retrieve: { summary: 'Retrieve an authorization server', find: findAuthorizationServer },
    update: {
      summary: 'Replace an authorization server',
      body: AuthorizationServerBody,
      problems: ['conflict'],
      async handle({ tenant, tenantId, id, body, deps, change, requireMatch }) {
        const changed = await replaceAuthorizationServer(deps, change, { tenant, id, body, requireMatch })
        deps.caches.forgetTenant(tenantId)
        return changed
      },
    },
    delete: {
      summary: 'Delete an authorization server. Its tokens are refused immediately. Its users stay',
      remove: (tx, { tenantId, id }) => deleteAuthorizationServer(tx, tenantId, id),
      removed: ({ tenantId, deps }) => deps.caches.forgetTenant(tenantId),
    },
  }),
  defineRoute({
    operation: 'testAuthorizationServer',
    changesTenant: false,
    summary: 'Test an authorization server: its metadata, and its keys or introspection. Nothing is stored',
    tag: servers.tag,
    method: 'POST',
    path: `${servers.path}/:id/test`,
    access: servers.access,
    event: 'OPENID_AUTHORIZATION_SERVER_TEST',
    params: z.object({ id: idOf('authorization server') }),
    status: 200,
    response: AuthorizationServerTestView,
    problems: ['not_found'],
    async handle({ tenant, params: { id }, deps }) {
      const row = await findAuthorizationServer(deps.db.read, tenant.id, id)
      if (!row) throw notFound('id', id)
      return testServer(deps, row)
    },
  }),
]
