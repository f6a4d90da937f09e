import { hold } from '../../../db/hold.ts'
import { deleteConsoleSession } from '../../../db/repos/console/sessions.ts'
import { changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { findClient, isSecretHash } from '../../../db/repos/tenancy/clients.ts'
import { clients } from '../../../db/tables/tenancy/clients.ts'
import { tenantRoles } from '../../../shared/access/roles.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import {
  beginConsoleSession,
  consoleHeaderParameter,
  endConsoleCookie,
  findConsoleSessionId,
  findConsoleSessionOf,
  hasConsoleSession,
  requireOwnPage,
} from '../../access/console/session.ts'
import { Answer } from '../../http/representations/answer.ts'
import { anyone, defineRoute, operators, type Route } from '../../http/route.ts'
import { presentSession } from './present.ts'
import { SignedInView, SignIn } from './schemas.ts'
import { verifyClientSecret, verifyConsoleLink } from './sign-in-method.ts'

const ofSession = { tag: 'Console', path: '/console/session', host: 'either' } as const

/** Returns the routes of the session. Who signs in gets the ids of those of all routes that the roles allow. */
export function consoleSessionRoutes(allRoutes: () => readonly Route[]): Route[] {
  return [createRoute(allRoutes), retrieveRoute(allRoutes), deleteRoute]
}

function createRoute(allRoutes: () => readonly Route[]): Route {
  return defineRoute({
    ...ofSession,
    operation: 'createConsoleSession',
    changesTenant: false,
    summary:
      'Sign in to the console. The response sets a cookie. The new session replaces the former session of the browser.',
    method: 'POST',
    access: anyone,
    needsHeader: consoleHeaderParameter,
    event: 'CONSOLE_SIGN_IN',
    body: SignIn,
    status: 201,
    response: SignedInView,
    problems: ['access_denied', 'forbidden'],
    async handle({ tenant, body, headers, deps, requestId }) {
      requireOwnPage(tenant, headers)
      const at = deps.clock.now()
      const method =
        body.code === undefined
          ? await verifyClientSecret(deps, tenant.id, body, at)
          : await verifyConsoleLink(deps, tenant.id, body.code, at)
      const { clientId, clientSecretHash } = method
      const former = await findConsoleSessionId(deps, tenant, headers)
      const change = changesBy(deps, { event: 'CONSOLE_SIGN_IN', requestId, clientId })
      const { client, session, cookie } = await change(async (tx, record) => {
        const isSpent = await method.spend(tx)
        const held = await hold(tx, clients, tenant.id, clientId)
        if (!isSpent || !held || !isSecretHash(held, clientSecretHash, at)) throw method.problem()
        if (former !== undefined) await deleteConsoleSession(tx, tenant.id, former)
        const begun = await beginConsoleSession(tx, tenant, { clientId, clientSecretHash }, at)
        record(tenant.id, { id: begun.session.id, ...method.auditData })
        return { client: held, ...begun }
      })
      const { config } = deps
      const signedIn = presentSession({ config, tenant, client, session, routes: allRoutes() })
      return new Answer(signedIn, { headers: { 'Set-Cookie': cookie } })
    },
  })
}

function retrieveRoute(allRoutes: () => readonly Route[]): Route {
  return defineRoute({
    ...ofSession,
    operation: 'retrieveConsoleSession',
    summary: 'Retrieve who is signed in, and the roles and permissions',
    method: 'GET',
    access: operators(...tenantRoles, 'platform'),
    status: 200,
    response: SignedInView,
    async handle({ tenant, headers, deps, caller }) {
      const { clientId } = caller
      const login = hasConsoleSession(tenant, headers) ? await findConsoleSessionOf(deps, tenant, headers) : undefined
      const client = clientId === undefined ? undefined : await findClient(deps.db.read, tenant.id, clientId)
      // The client or the session can end after the request was authenticated.
      if (!client && !login) throw new Problem('unauthorized')
      const { config } = deps
      return presentSession({ config, tenant, client, session: login?.session, routes: allRoutes() })
    },
  })
}

const deleteRoute = defineRoute({
  ...ofSession,
  operation: 'deleteConsoleSession',
  changesTenant: false,
  summary: 'Sign out. The session ends, and the response removes the cookie.',
  method: 'DELETE',
  access: anyone,
  needsHeader: consoleHeaderParameter,
  event: 'CONSOLE_SIGN_OUT',
  status: 204,
  problems: ['forbidden'],
  async handle({ tenant, headers, deps, requestId }) {
    requireOwnPage(tenant, headers)
    const id = await findConsoleSessionId(deps, tenant, headers)
    if (id !== undefined) {
      await changesBy(deps, { event: 'CONSOLE_SIGN_OUT', requestId })(async (tx, record) => {
        await deleteConsoleSession(tx, tenant.id, id)
        record(tenant.id, { id })
      })
    }
    return new Answer(undefined, { headers: { 'Set-Cookie': endConsoleCookie(tenant) } })
  },
})
