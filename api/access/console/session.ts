import type { Writer } from '../../../db/client.ts'
import {
  type ConsoleSessionRow,
  deleteOldConsoleSessions,
  findConsoleSession,
  insertConsoleSession,
  markConsoleSessionUsed,
} from '../../../db/repos/console/sessions.ts'
import { type ClientRow, isSecretHash } from '../../../db/repos/tenancy/clients.ts'
import { minuteMs, plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret, idOfSecret, newOrderedId, newSecretOf } from '../../../shared/ids.ts'
import type { Role } from '../../../shared/roles.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import type { Caller, Tenant } from '../subjects.ts'
import { consoleCookie, setConsoleCookie } from './cookie.ts'
import { findProviderOf, hashOfGrants } from './provider.ts'

/** Without a request that is somebody's own it ends after this long, to a minute. */
const idleMs = 30 * minuteMs
const longestMs = 12 * 60 * minuteMs
const writtenEveryMs = minuteMs
/** Of one client, or one person, at a time; the next one ends the oldest. */
const mostSessions = 100

/** What a page of another origin cannot send: a form has no headers, and to a script the browser's question is answered with no. */
const consoleHeader = 'X-Console'

/** What a page says there of requests that it makes by itself, again and again: with those alone a session ends as an idle one. */
const ofNobody = 'poll'

/** For the reference. */
export const fromOwnPage = {
  name: consoleHeader,
  description: 'Any value; what a page of another origin cannot send',
  example: '1',
}

/** Whether a request is to be judged by a session: a bearer token counts before it, and a cookie that came without the header is not looked at. */
export function bringsConsoleSession(tenant: Tenant, headers: Headers): boolean {
  const isOfConsole = headers.authorization === undefined && headers['x-console'] !== undefined
  return isOfConsole && consoleCookie(tenant, headers, 'console') !== undefined
}

/**
 * Who is signed in in the browser: a client as it is now, which is found with its roles each time, or a person with the roles of
 * the sign-in. Throws `unauthorized` where there is no such session any more, and `forbidden` where a page of another origin asks.
 */
export async function authenticateConsole(deps: Deps, tenant: Tenant, headers: Headers): Promise<Caller> {
  requireOwnPage(tenant, headers)
  const found = await findConsoleSessionOf(deps, tenant, headers)
  if (!found) throw new Problem('unauthorized', { isWrongSecret: true, reason: 'There is no such console session' })
  const { session } = found
  const at = deps.clock.now()
  if (session.expiresAt <= at) throw ended('The console session was as long as one may be')
  if (session.lastUsedAt <= plusMs(at, -idleMs)) throw ended('The console session was not used for too long')
  const caller = found.client ? callerOf(session, found.client, at) : await personOf(deps, tenant, session)
  if (headers['x-console'] !== ofNobody && session.lastUsedAt <= plusMs(at, -writtenEveryMs))
    await deps.db.tx((tx) => markConsoleSessionUsed(tx, tenant.id, session.id, at))
  return caller
}

function callerOf({ clientSecretHash }: ConsoleSessionRow, client: ClientRow, at: Date): Caller {
  const isGood = clientSecretHash !== null && isSecretHash(client, clientSecretHash, at)
  if (!isGood) throw ended("The client's secret was replaced")
  return { clientId: client.id, roles: client.roles }
}

/** A session of a person is good as long as the provider's settings say what they said. */
async function personOf(deps: Deps, tenant: Tenant, session: ConsoleSessionRow): Promise<Caller> {
  const { managementUserId, providerHash, roles } = session
  const provider = managementUserId === null ? undefined : await findProviderOf(deps, tenant)
  if (managementUserId === null || !provider || hashOfGrants(provider) !== providerHash)
    throw ended('The client is gone, or the settings of the sign-in provider are others')
  return { managementUserId, roles: roles ?? [] }
}

function ended(reason: string): Problem {
  return new Problem('unauthorized', { reason })
}

/** Throws where the header is missing, or a browser says that a page of another origin asks. */
export function requireOwnPage(tenant: Tenant, headers: Headers): void {
  if (headers['x-console'] === undefined) {
    const msg = `Required: the header ${consoleHeader}, with any value`
    throw new Problem('bad_request', { details: [{ msg, param: consoleHeader, location: 'headers' }] })
  }
  const own = originAt(tenant)
  const { origin = own, 'sec-fetch-site': site = 'same-origin' } = headers
  if (origin !== own || site !== 'same-origin')
    throw new Problem('forbidden', { message: 'The console is used from pages of its own host alone' })
}

/** Of the pages at the host that was addressed, which may be an alias. */
export function originAt({ baseUrl, host }: Tenant): string {
  return `${new URL(baseUrl).protocol}//${host}`
}

/** What the request's cookie opens, or opened; undefined where it is none of this tenant's. */
export async function findConsoleSessionOf(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
): Promise<Awaited<ReturnType<typeof findConsoleSession>>> {
  const secret = consoleCookie(tenant, headers, 'console')
  const found = secret && (await findConsoleSession(deps.db.read, tenant.id, idOfSecret(secret)))
  return found && equalInConstantTime(hashSecret(secret), found.session.secretHash) ? found : undefined
}

/** The id of the same. */
export async function findConsoleSessionId(deps: Deps, tenant: Tenant, headers: Headers): Promise<string | undefined> {
  return (await findConsoleSessionOf(deps, tenant, headers))?.session.id
}

/** When it ends, at the latest and unless it is used. */
export function endsOf({ expiresAt, lastUsedAt }: Pick<ConsoleSessionRow, 'expiresAt' | 'lastUsedAt'>) {
  const idleUntil = plusMs(lastUsedAt, idleMs)
  return { until: expiresAt, idleUntil: idleUntil < expiresAt ? idleUntil : expiresAt }
}

/** Whose session begins, and on what it hangs. */
export type SignedIn =
  | { clientId: string; clientSecretHash: string }
  | { managementUserId: string; managementUserName: string; roles: Role[]; providerHash: string }

const noClient = { clientId: null, clientSecretHash: null }
const nobody = { managementUserId: null, managementUserName: null, roles: null, providerHash: null }

/** Signs in, always under a new id and a new secret. Returns the session with its `Set-Cookie`, which has no end: it goes with the browser. */
export async function beginConsoleSession(
  tx: Writer,
  tenant: Tenant,
  who: SignedIn,
  at: Date,
): Promise<{ session: ConsoleSessionRow; cookie: string }> {
  await deleteOldConsoleSessions(tx, tenant.id, who, mostSessions - 1)
  const id = newOrderedId(at)
  const value = newSecretOf(id)
  const times = { lastUsedAt: at, expiresAt: plusMs(at, longestMs), createdAt: at }
  const session = { ...noClient, ...nobody, ...who, id, tenantId: tenant.id, secretHash: hashSecret(value), ...times }
  await insertConsoleSession(tx, session)
  return { session, cookie: setConsoleCookie(tenant, 'console', { value, sameSite: 'Strict' }) }
}

/** `Set-Cookie` that takes the cookie back. */
export function endConsoleCookie(tenant: Tenant): string {
  return setConsoleCookie(tenant, 'console', { value: '', sameSite: 'Strict', forSeconds: 0 })
}
