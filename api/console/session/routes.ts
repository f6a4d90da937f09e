import { changesBy } from '../../../db/audited.ts'
import { hold } from '../../../db/hold.ts'
import { deleteConsoleSession } from '../../../db/repos/console/sessions.ts'
import { type ClientRow, findClient, isSecretHash } from '../../../db/repos/tenancy/clients.ts'
import { clients } from '../../../db/tables/tenancy/clients.ts'
import { Problem } from '../../../shared/errors.ts'
import { tenantRoles } from '../../../shared/roles.ts'
import {
  beginConsoleSession,
  consoleHeader,
  endConsoleCookie,
  findConsoleSessionId,
  requireOwnPage,
} from '../../access/console-session.ts'
import type { Tenant } from '../../access/subjects.ts'
import { Answer } from '../../http/representations/answer.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { presentClient } from '../../tenancy/clients/present.ts'
import { SignedInView, SignIn } from './schemas.ts'
import { openByLink, openBySecret } from './ways-in.ts'

const fromOwnPage = {
  name: consoleHeader,
  description: 'Any value; what a page of another origin cannot send',
  example: '1',
}

const session = { tag: 'Console', path: '/console/session', host: 'either' } as const

function present(tenant: Tenant, client: ClientRow) {
  return { ...presentClient(client), tenantId: tenant.id, tenantName: tenant.name }
}

export const consoleSessionRoutes = [
  defineRoute({
    ...session,
    operation: 'createConsoleSession',
    summary:
      'Sign in at the console: the answer sets a cookie, and takes the place of the session that the browser had',
    method: 'POST',
    access: anyone,
    needsHeader: fromOwnPage,
    takesSecret: true,
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
      const { client, cookie } = await change(async (tx, tell) => {
        const isSpent = await wayIn.spend(tx)
        const held = await hold(tx, clients, tenant.id, clientId)
        if (!isSpent || !held || !isSecretHash(held, clientSecretHash, at)) throw wayIn.wrong()
        if (former !== undefined) await deleteConsoleSession(tx, tenant.id, former)
        const begun = await beginConsoleSession(tx, tenant, { id: clientId, clientSecretHash }, at)
        tell(tenant.id, { id: begun.id, ...wayIn.told })
        return { client: held, cookie: begun.cookie }
      })
      return new Answer(present(tenant, client), { headers: { 'Set-Cookie': cookie } })
    },
  }),
  defineRoute({
    ...session,
    operation: 'retrieveConsoleSession',
    summary: 'Who is signed in, and what it may do',
    method: 'GET',
    access: operators(...tenantRoles, 'platform'),
    status: 200,
    response: SignedInView,
    async handle({ tenant, deps, caller }) {
      const client = await findClient(deps.db.read, tenant.id, caller().clientId ?? '')
      if (!client) throw new Problem('unauthorized')
      return present(tenant, client)
    },
  }),
  defineRoute({
    ...session,
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
