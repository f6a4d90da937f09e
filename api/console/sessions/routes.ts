import { z } from 'zod'
import { deleteConsoleSessionsOf, listConsoleSessions } from '../../../db/repos/console/listed-sessions.ts'
import { deleteConsoleSession, type SessionOwner } from '../../../db/repos/console/sessions.ts'
import { endClientTokens } from '../../../db/repos/tenancy/clients.ts'
import { tenantRoles } from '../../../shared/access/roles.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { findProviderOf, hashOfGrants } from '../../access/console/provider.ts'
import { usedAfter } from '../../access/console/session.ts'
import { callerIdOf } from '../../access/identities.ts'
import type { Caller } from '../../access/subjects.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { idOf } from '../../http/fields.ts'
import { pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators, type Route } from '../../http/route.ts'
import { presentConsoleSession } from './present.ts'
import { rejectRequestsOf } from './reject-requests-of.ts'
import { ConsoleSessionsQuery, ConsoleSessionView, EndedSessionsView, SessionsOwner } from './schemas.ts'

const path = '/v1/console-sessions'
const common = { tag: 'Console', host: 'either', access: operators(...tenantRoles, 'platform') } as const

/**
 * The sessions of clients and people at the console, and of their programs. Each request reads its session from the database, so that an
 * ended session is refused at once, in all processes.
 */
export const consoleSessionListRoutes: Route[] = [
  defineRoute({
    ...common,
    operation: 'retrieveConsoleSessions',
    summary: 'List the sessions that have not ended. An admin sees all of the tenant, others their own',
    method: 'GET',
    path,
    event: 'CONSOLE_SESSION_RETRIEVE_LIST',
    query: ConsoleSessionsQuery,
    status: 200,
    response: pageOf(ConsoleSessionView),
    problems: ['bad_request'],
    async handle({ tenant, tenantId, query: { clientId, managementUserId, ...page }, caller, deps }) {
      const at = deps.clock.now()
      const provider = await findProviderOf(deps, tenant)
      const rows = await listConsoleSessions(deps.db.read, tenantId, {
        ...page,
        owners: [
          ...(isOfAll(caller) ? [] : [ownerOf(caller)]),
          ...(clientId === undefined ? [] : [{ clientId }]),
          ...(managementUserId === undefined ? [] : [{ managementUserId }]),
        ],
        ...{ at, usedAfter: usedAfter(at), providerHash: provider && hashOfGrants(provider) },
      })
      const cursorOf = ({ createdAt, id }: (typeof rows)[number]) => ({ at: createdAt, id })
      return toPage(rows, page.limit, cursorOf, (row) => presentConsoleSession(row, caller))
    },
  }),
  defineAuditedRoute({
    ...common,
    operation: 'endConsoleSession',
    changesTenant: false,
    summary: 'End a session. An admin ends each one of the tenant, others their own',
    method: 'DELETE',
    path: `${path}/:id`,
    event: 'CONSOLE_SESSION_DELETE',
    params: z.object({ id: idOf('console session') }),
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, caller, change }) {
      await change(async (tx, record) => {
        const session = await deleteConsoleSession(tx, tenantId, id, isOfAll(caller) ? undefined : ownerOf(caller))
        if (!session) throw notFound('id', id)
        record(tenantId, { id, ...ofOwner(session) })
      })
    },
  }),
  defineAuditedRoute({
    ...common,
    operation: 'endConsoleSessions',
    changesTenant: false,
    summary:
      'End all sessions of a client or a person. The access tokens of the client end too. Others than admins end their own',
    method: 'POST',
    path: `${path}/end`,
    event: 'CONSOLE_SESSIONS_END',
    body: SessionsOwner,
    status: 200,
    response: EndedSessionsView,
    problems: ['bad_request', 'forbidden'],
    async handle(call) {
      const { tenantId, body: owner, caller, change, deps } = call
      requireOwn(caller, owner)
      const answer = await change(async (tx, record) => {
        // The order of hold.ts: approvals, clients, sessions. A person who ends the own sessions keeps the requests.
        const personId = 'managementUserId' in owner ? owner.managementUserId : undefined
        const isOther = personId !== undefined && personId !== callerIdOf(caller)
        const reportRejections = isOther ? await rejectRequestsOf(tx, call, personId) : undefined
        // A sign-in with the secret of the client waits, or has ended before.
        if ('clientId' in owner && !(await endClientTokens(tx, tenantId, owner.clientId)))
          throw unknownReference('clientId', owner.clientId, 'retrieveClients')
        const ended = await deleteConsoleSessionsOf(tx, tenantId, owner)
        await reportRejections?.()
        record(tenantId, { ...ofOwner(owner), ended })
        return { ended }
      })
      deps.bus.poke()
      return answer
    },
  }),
]

function isOfAll({ roles }: Caller): boolean {
  return roles.includes('admin') || roles.includes('platform')
}

function ownerOf({ clientId, managementUserId = '' }: Caller): SessionOwner {
  return clientId === undefined ? { managementUserId } : { clientId }
}

/** Names the owner in the audit. `clientId` and `managementUserId` of an audit row are those of the caller. */
function ofOwner({ clientId, managementUserId }: { clientId?: string | null; managementUserId?: string | null }) {
  return clientId ? { ofClientId: clientId } : { ofManagementUserId: managementUserId }
}

function requireOwn(caller: Caller, owner: SessionOwner): void {
  const ownerId = 'clientId' in owner ? owner.clientId : owner.managementUserId
  if (isOfAll(caller) || ownerId === callerIdOf(caller)) return
  throw new Problem('forbidden', { message: 'Only an admin ends the sessions of others' })
}
