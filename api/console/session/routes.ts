import { hold } from '../../../db/hold.ts'
import { deleteConsoleSession } from '../../../db/repos/console/sessions.ts'
import { changesBy } from '../../../db/repos/operations/audited.ts'
import { findClient, isSecretHash } from '../../../db/repos/tenancy/clients.ts'
import { clients } from '../../../db/tables/tenancy/clients.ts'
import { Problem } from '../../../shared/errors.ts'
import { tenantRoles } from '../../../shared/roles.ts'
import {
  beginConsoleSession,
  bringsConsoleSession,
  endConsoleCookie,
  findConsoleSessionId,
  findConsoleSessionOf,
  fromOwnPage,
  requireOwnPage,
} from '../../access/console/session.ts'
import { Answer } from '../../http/representations/answer.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { presentSession } from './present.ts'
import { SignedInView, SignIn } from './schemas.ts'
import { openByLink, openBySecret } from './ways-in.ts'

const ofSession = { tag: 'Console', path: '/console/session', host: 'either' } as const

export const consoleSessionRoutes = [
  defineRoute({
    ...ofSession,
    operation: 'createConsoleSession',
    summary:
      'Sign in at the console: the answer sets a cookie, and takes the place of the session that the browser had',
    method: 'POST',
    access: anyone,
    needsHeader: fromOwnPage,
    event: 'CONSOLE_SIGN_IN',
    body: SignIn,
    status: 201,
    response: SignedInView,
    problems: ['access_denied', 'forbidden'],
    async handle({ tenant, body, headers, deps, requestId }) {
      requireOwnPage(tenant, headers)
      const at = deps.clock.now()
      const wayIn =
        body.code === undefined
          ? await openBySecret(deps, tenant.id, body, at)
          : await openByLink(deps, tenant.id, body.code, at)
      const { clientId, clientSecretHash } = wayIn
      const former = await findConsoleSessionId(deps, tenant, headers)
      const change = changesBy(deps, { event: 'CONSOLE_SIGN_IN', requestId, clientId })
      const { client, session, cookie } = await change(async (tx, tell) => {
        const isSpent = await wayIn.spend(tx)
        const held = await hold(tx, clients, tenant.id, clientId)
        if (!isSpent || !held || !isSecretHash(held, clientSecretHash, at)) throw wayIn.wrong()
        if (former !== undefined) await deleteConsoleSession(tx, tenant.id, former)
        const begun = await beginConsoleSession(tx, tenant, { clientId, clientSecretHash }, at)
        tell(tenant.id, { id: begun.session.id, ...wayIn.told })
        return { client: held, ...begun }
      })
      return new Answer(presentSession(tenant, client, session), { headers: { 'Set-Cookie': cookie } })
    },
  }),
  defineRoute({
    ...ofSession,
    operation: 'retrieveConsoleSession',
    summary: 'Who is signed in, and what it may do',
    method: 'GET',
    access: operators(...tenantRoles, 'platform'),
    status: 200,
    response: SignedInView,
    async handle({ tenant, headers, deps, caller }) {
      const { clientId } = caller()
      const found = bringsConsoleSession(tenant, headers)
        ? await findConsoleSessionOf(deps, tenant, headers)
        : undefined
      const client = clientId === undefined ? undefined : await findClient(deps.db.read, tenant.id, clientId)
      // Since it was let in, either may have ended.
      if (!client && !found) throw new Problem('unauthorized')
      return presentSession(tenant, client, found?.session)
    },
  }),
  defineRoute({
    ...ofSession,
    operation: 'deleteConsoleSession',
    summary: 'Sign out: what the cookie opened ends, and the answer takes the cookie back',
    method: 'DELETE',
    access: anyone,
    needsHeader: fromOwnPage,
    event: 'CONSOLE_SIGN_OUT',
    status: 204,
    problems: ['forbidden'],
    async handle({ tenant, headers, deps, requestId }) {
      requireOwnPage(tenant, headers)
      const id = await findConsoleSessionId(deps, tenant, headers)
      if (id !== undefined) {
        await changesBy(deps, { event: 'CONSOLE_SIGN_OUT', requestId })(async (tx, tell) => {
          await deleteConsoleSession(tx, tenant.id, id)
          tell(tenant.id, { id })
        })
      }
      return new Answer(undefined, { headers: { 'Set-Cookie': endConsoleCookie(tenant) } })
    },
  }),
]
