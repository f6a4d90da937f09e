import { hash } from 'node:crypto'
import { hold, holdShared } from '../../../db/hold.ts'
import {
  findConsoleProgramCode,
  insertConsoleProgramCode,
  spendConsoleProgramCode,
} from '../../../db/repos/console/program-codes.ts'
import { type ConsoleSessionRow, findConsoleSession } from '../../../db/repos/console/sessions.ts'
import { changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { consoleSessions } from '../../../db/tables/console/sessions.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret, idOfSecret, newId, newSecretOf } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets/secrets.ts'
import {
  authenticateConsole,
  beginConsoleSession,
  consoleHeaderParameter,
  type SignedIn,
} from '../../access/console/session.ts'
import { anyone, defineRoute, type Route } from '../../http/route.ts'
import { presentSession } from '../session/present.ts'
import { ProgramCodeRequest, ProgramCodeView, ProgramSessionRequest, ProgramSessionView } from './schemas.ts'

const validForMs = 2 * 60_000

/**
 * Sessions for programs of an operator, such as the command line. The program opens a page of the console with a challenge. The operator
 * allows it, and the browser takes the code to the program (RFC 8252, section 7.3). Only the program has the verifier of the challenge.
 */
export function consoleProgramRoutes(allRoutes: () => readonly Route[]): Route[] {
  return [codeRoute, sessionRoute(allRoutes)]
}

const codeRoute = defineRoute({
  tag: 'Console',
  path: '/console/program-codes',
  host: 'either',
  operation: 'createConsoleProgramCode',
  changesTenant: false,
  summary:
    'Allow a program to get a console session of its own. The cookie of a console session authenticates the request.',
  method: 'POST',
  access: anyone,
  needsHeader: consoleHeaderParameter,
  event: 'CONSOLE_PROGRAM_CODE_CREATE',
  body: ProgramCodeRequest,
  status: 201,
  response: ProgramCodeView,
  problems: ['bad_request', 'unauthorized', 'forbidden'],
  async handle({ tenant, headers, body: { challenge }, deps, requestId }) {
    const caller = await authenticateConsole(deps, tenant, headers)
    const { clientId, managementUserId, consoleSessionId: sessionId = '' } = caller
    const id = newId()
    const code = newSecretOf(id)
    const expiresAt = plusMs(deps.clock.now(), validForMs)
    const by = { event: 'CONSOLE_PROGRAM_CODE_CREATE', requestId, clientId, managementUserId }
    await changesBy(
      deps,
      by,
    )(async (tx, record) => {
      if (!(await holdShared(tx, consoleSessions, tenant.id, sessionId))) throw new Problem('unauthorized')
      const row = {
        id,
        tenantId: tenant.id,
        consoleSessionId: sessionId,
        secretHash: hashSecret(code),
        challenge,
        expiresAt,
      }
      await insertConsoleProgramCode(tx, row)
      record(tenant.id, { id, sessionId })
    })
    return { code, expiresAt: expiresAt.toISOString() }
  },
})

function sessionRoute(allRoutes: () => readonly Route[]): Route {
  return defineRoute({
    tag: 'Console',
    path: '/console/program-sessions',
    host: 'either',
    operation: 'createConsoleProgramSession',
    changesTenant: false,
    summary: 'Exchange the code that an operator allowed for a session, once',
    method: 'POST',
    access: anyone,
    event: 'CONSOLE_PROGRAM_SIGN_IN',
    body: ProgramSessionRequest,
    status: 201,
    response: ProgramSessionView,
    problems: ['bad_request', 'access_denied'],
    async handle({ tenant, body: { code, codeVerifier }, deps, requestId }) {
      const at = deps.clock.now()
      const row = await findConsoleProgramCode(deps.db.read, tenant.id, idOfSecret(code))
      const challenge = hash('sha256', codeVerifier, 'base64url')
      if (!row || !equalInConstantTime(hashSecret(code), row.secretHash)) throw wrongCode()
      if (!equalInConstantTime(challenge, row.challenge)) throw wrongCode()
      const owner = await findConsoleSession(deps.db.read, tenant.id, row.consoleSessionId)
      if (!owner) throw wrongCode()
      const { clientId, managementUserId } = owner.session
      const change = changesBy(deps, {
        ...{ event: 'CONSOLE_PROGRAM_SIGN_IN', requestId },
        ...(clientId !== null && { clientId }),
        ...(managementUserId !== null && { managementUserId }),
      })
      const { session, cookie } = await change(async (tx, record) => {
        const isSpent = await spendConsoleProgramCode(tx, tenant.id, row.id, at)
        const allowing = await hold(tx, consoleSessions, tenant.id, row.consoleSessionId)
        if (!isSpent || !allowing || allowing.expiresAt <= at) throw wrongCode()
        // Without a new sign-in, no session lasts longer: the roles of a person are those of the sign-in.
        const begun = await beginConsoleSession(tx, tenant, subjectOf(allowing), at, {
          kind: 'program',
          until: allowing.expiresAt,
        })
        record(tenant.id, { id: begun.session.id, sessionId: allowing.id })
        return begun
      })
      const { config } = deps
      return {
        ...presentSession({ config, tenant, client: owner.client ?? undefined, session, routes: allRoutes() }),
        cookie: cookie.split(';', 1)[0],
      }
    },
  })
}

/** Returns the client or the person of a session. The new session ends with the same changes of the client or the provider. */
function subjectOf(session: ConsoleSessionRow): SignedIn {
  const { clientId, clientSecretHash, managementUserId, managementUserName, roles, providerHash } = session
  if (clientId !== null && clientSecretHash !== null) return { clientId, clientSecretHash }
  return {
    managementUserId: managementUserId ?? '',
    managementUserName: managementUserName ?? '',
    roles: roles ?? [],
    providerHash: providerHash ?? '',
  }
}

/** The same message for every cause, so that a guess reveals nothing about a code. */
function wrongCode(): Problem {
  const message = 'The code is invalid, used or expired. A code is valid once, for two minutes. Sign in again.'
  return new Problem('access_denied', { message, isWrongSecret: true })
}
