import { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { hold, holdTenant } from '../../../db/hold.ts'
import {
  type ClientRow,
  deleteClient,
  findClient,
  insertClient,
  listClients,
  replaceClientSecret,
  updateClient,
} from '../../../db/repos/tenancy/clients.ts'
import { findTenant, type TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import { clients as clientTable } from '../../../db/tables/tenancy/clients.ts'
import { isServed } from '../../../db/tables/tenancy/tenants.ts'
import type { OwnRole } from '../../../shared/access/own-roles.ts'
import { isBuiltIn } from '../../../shared/access/roles.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { plusMs } from '../../../shared/clock.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { identitiesOf } from '../../access/identities.ts'
import type { Tenant } from '../../access/subjects.ts'
import { refuseMoving } from '../../access/tenant.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Deps } from '../../deps.ts'
import type { Versioned } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { idOf } from '../../http/fields.ts'
import { requireMatch, withTag } from '../../http/if-match.ts'
import { operators } from '../../http/route.ts'
import { requireKnownRoles } from '../roles/known-roles.ts'
import { presentClient } from './present.ts'
import { ClientView, CreatedClientView, NewClient, NewSecret, SecretView } from './schemas.ts'

const TenantParams = z.object({ tenantId: idOf('tenant') })
const ClientParams = TenantParams.extend({ clientId: idOf('client') })

/** The clients of a tenant on its host. On the platform host, the clients of any tenant and of the platform. */
const clients: Versioned<ClientRow, typeof TenantParams> = {
  tag: 'Clients',
  access: operators('admin', 'platform'),
  host: 'either',
  path: '/v1/tenants/:tenantId/clients',
  within: TenantParams,
  id: 'clientId',
  idSchema: idOf('client'),
  events: 'TENANT_CLIENT',
  view: ClientView,
  hasVersions: true,
  present: async (row, { deps }) => presentClient(row, await findOwnRoles(deps, row)),
}

const common = { tag: clients.tag, host: 'either', access: clients.access } as const

/** Throws `not_found` for the id of another tenant, except on the platform host. */
function requireOwnTenant(caller: Tenant, inPath: string): void {
  if (caller.kind !== 'platform' && inPath !== caller.id) throw notFound('tenantId', inPath)
}

function requireServed(tenant: TenantRow | undefined, inPath: string): asserts tenant is TenantRow {
  if (!isServed(tenant)) throw notFound('tenantId', inPath)
}

/** Holds the tenant whose clients change. Throws `not_found` if it answers no requests, and `service_unavailable` if it is read-only. */
async function holdChangeable(tx: Writer, inPath: string): Promise<TenantRow> {
  const tenant = await holdTenant(tx, inPath)
  requireServed(tenant, inPath)
  refuseMoving(tenant)
  return tenant
}

/** Returns the audit chains that record the change: that of the tenant, and that of the platform if it made the change. */
function chains(caller: Tenant, inPath: string): Set<string> {
  return new Set([caller.id, inPath])
}

/** Returns the roles that the tenant of a client defines. */
async function findOwnRoles({ db }: Pick<Deps, 'db'>, { tenantId, roles }: ClientRow): Promise<readonly OwnRole[]> {
  if (roles.every(isBuiltIn)) return []
  return (await findTenant(db.read, tenantId))?.settings.roles ?? []
}

export const clientRoutes = [
  defineAuditedRoute({
    ...common,
    operation: 'createClient',
    summary: 'Create a client',
    method: 'POST',
    path: clients.path,
    event: 'TENANT_CLIENT_CREATE',
    params: TenantParams,
    body: NewClient,
    status: 201,
    response: CreatedClientView,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenant: caller, caller: creator, params: { tenantId }, body, deps, change, commitAnswer }) {
      requireOwnTenant(caller, tenantId)
      return change(async (tx, record) => {
        const tenant = await holdChangeable(tx, tenantId)
        requireKnownRoles(tenant, body.roles, 'roles')
        await enforceQuota(tx, tenantId, 'clients')
        const knownTo = await identitiesOf(tx, tenantId, creator)
        const created = await insertClient(tx, tenantId, { ...body, knownTo }, deps.clock.now())
        for (const chain of chains(caller, tenantId)) {
          record(chain, { tenantId, id: created.client.id, roles: created.client.roles })
        }
        const view = { ...presentClient(created.client, tenant.settings.roles), clientSecret: created.clientSecret }
        await commitAnswer(tx, view)
        return view
      })
    },
  }),
  listOf(clients, {
    operation: 'retrieveClients',
    summary: 'List the clients',
    problems: ['not_found'],
    async rows({ tenant: caller, params: { tenantId }, query, deps }) {
      requireOwnTenant(caller, tenantId)
      if (tenantId !== caller.id) requireServed(await findTenant(deps.db.read, tenantId), tenantId)
      return listClients(deps.db.read, tenantId, query)
    },
  }),
  retrieve(clients, {
    operation: 'retrieveClient',
    summary: 'Retrieve a client',
    async find({ tenant: caller, params: { tenantId }, id, deps }) {
      requireOwnTenant(caller, tenantId)
      if (tenantId !== caller.id) requireServed(await findTenant(deps.db.read, tenantId), tenantId)
      return findClient(deps.db.read, tenantId, id)
    },
  }),
  defineAuditedRoute({
    ...common,
    operation: 'updateClient',
    summary: 'Replace the name and the roles of a client. The roles apply to its tokens and sessions at once',
    method: 'PUT',
    path: `${clients.path}/:clientId`,
    event: 'TENANT_CLIENT_UPDATE',
    params: ClientParams,
    body: NewClient,
    status: 200,
    response: ClientView,
    problems: ['bad_request', 'not_found', 'precondition_failed'],
    async handle({ tenant: caller, params: { tenantId, clientId }, body, headers, change }) {
      requireOwnTenant(caller, tenantId)
      return change(async (tx, record) => {
        const tenant = await holdChangeable(tx, tenantId)
        requireKnownRoles(tenant, body.roles, 'roles')
        const ownRoles = tenant.settings.roles
        const before = await hold(tx, clientTable, tenantId, clientId)
        if (before) requireMatch(headers, presentClient(before, ownRoles))
        const after = await updateClient(tx, tenantId, clientId, body)
        if (!before || !after) throw notFound('clientId', clientId)
        const changed = changedFieldNames(before, after)
        for (const chain of chains(caller, tenantId))
          record(chain, { tenantId, id: clientId, changed, roles: after.roles })
        return withTag(presentClient(after, ownRoles))
      })
    },
  }),
  defineAuditedRoute({
    ...common,
    operation: 'replaceClientSecret',
    summary:
      'Replace the secret of a client. Its tokens stay valid until they expire. Without an overlap they end at once, like its sessions',
    method: 'POST',
    path: `${clients.path}/:clientId/secret`,
    event: 'TENANT_CLIENT_SECRET_CREATE',
    params: ClientParams,
    body: NewSecret,
    status: 201,
    response: SecretView,
    problems: ['bad_request', 'not_found'],
    async handle({
      tenant: caller,
      caller: replacer,
      params: { tenantId, clientId },
      body,
      deps,
      change,
      commitAnswer,
    }) {
      requireOwnTenant(caller, tenantId)
      const formerUntil = plusMs(deps.clock.now(), body.overlapSeconds * 1000)
      return change(async (tx, record) => {
        await holdChangeable(tx, tenantId)
        const before = await hold(tx, clientTable, tenantId, clientId)
        const others = [...(before?.knownTo ?? []), ...(await identitiesOf(tx, tenantId, replacer))]
        const knownTo = [...new Set(others)].filter((id) => id !== clientId)
        const endsTokens = body.overlapSeconds === 0
        const replaced = await replaceClientSecret(tx, tenantId, { id: clientId, formerUntil, knownTo, endsTokens })
        if (replaced === undefined) throw notFound('clientId', clientId)
        for (const chain of chains(caller, tenantId)) record(chain, { tenantId, id: clientId, formerUntil })
        const view = { clientId, clientSecret: replaced }
        await commitAnswer(tx, view)
        return view
      })
    },
  }),
  defineAuditedRoute({
    ...common,
    operation: 'deleteClient',
    summary: 'Delete a client. Its tokens become invalid at once',
    method: 'DELETE',
    path: `${clients.path}/:clientId`,
    event: 'TENANT_CLIENT_DELETE',
    params: ClientParams,
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenant: caller, params: { tenantId, clientId }, change }) {
      requireOwnTenant(caller, tenantId)
      await change(async (tx, record) => {
        await holdChangeable(tx, tenantId)
        if (!(await deleteClient(tx, tenantId, clientId))) throw notFound('clientId', clientId)
        for (const chain of chains(caller, tenantId)) record(chain, { tenantId, id: clientId })
      })
    },
  }),
]
