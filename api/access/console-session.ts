import type { Writer } from '../../db/client.ts'
import {
  type ConsoleSessionRow,
  deleteOldConsoleSessions,
  findConsoleSession,
  insertConsoleSession,
  markConsoleSessionUsed,
} from '../../db/repos/console/sessions.ts'
import { type ClientRow, isSecretHash } from '../../db/repos/tenancy/clients.ts'
import { plusMs } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors.ts'
import { hashSecret, idOfSecret, newOrderedId, newSecretOf } from '../../shared/ids.ts'
import { equalInConstantTime } from '../../shared/secrets.ts'
import type { Deps } from '../deps.ts'
import { cookiesOf } from '../http/cookies.ts'
import type { Headers } from '../http/route.ts'
import type { Tenant } from './subjects.ts'

const minuteMs = 60_000
/** Without a request that is somebody's own it ends after this long, to a minute. */
const idleMs = 30 * minuteMs
const longestMs = 12 * 60 * minuteMs
const writtenEveryMs = minuteMs
/** Of one client at a time; the next one ends the oldest. */
const mostSessions = 100

/** What a page of another origin cannot send: a form has no headers, and to a script the browser's question is answered with no. */
export const consoleHeader = 'X-Console'

/** What a page says there of requests that it makes by itself, again and again: with those alone a session ends as an idle one. */
const ofNobody = 'poll'

/** Whether a request is to be judged by a session: a bearer token counts before it, and a cookie that came without the header is not looked at. */
export function bringsConsoleSession(tenant: Tenant, headers: Headers): boolean {
  const isOfConsole = headers.authorization === undefined && headers['x-console'] !== undefined
  return isOfConsole && cookiesOf(headers).has(cookieName(tenant))
}

/**
 * The management client that is signed in in the browser, as it is now: it is found with its roles each time. Throws
 * `unauthorized` where there is no such session any more, and `forbidden` where a page of another origin asks.
 */
export async function authenticateConsole(deps: Deps, tenant: Tenant, headers: Headers): Promise<ClientRow> {
  requireOwnPage(tenant, headers)
  const found = await findOwn(deps, tenant, headers)
  if (!found) throw new Problem('unauthorized', { isWrongSecret: true, reason: 'There is no such console session' })
  const { session, client } = found
  const at = deps.clock.now()
  const ended = whyEnded(session, client, at)
  if (ended) throw new Problem('unauthorized', { reason: ended })
  if (headers['x-console'] !== ofNobody && session.lastUsedAt <= plusMs(at, -writtenEveryMs))
    await deps.db.tx((tx) => markConsoleSessionUsed(tx, tenant.id, session.id, at))
  return client
}

/** Throws where the header is missing, or a browser says that a page of another origin asks. */
export function requireOwnPage({ baseUrl, host }: Tenant, headers: Headers): void {
  if (headers['x-console'] === undefined) {
    const msg = `Required: the header ${consoleHeader}, with any value`
    throw new Problem('bad_request', { details: [{ msg, param: consoleHeader, location: 'headers' }] })
  }
  const own = `${new URL(baseUrl).protocol}//${host}`
  const { origin = own, 'sec-fetch-site': site = 'same-origin' } = headers
  if (origin !== own || site !== 'same-origin')
    throw new Problem('forbidden', { message: 'The console is used from pages of its own host alone' })
}

/** Undefined where the cookie is none of this tenant's. */
async function findOwn(deps: Deps, tenant: Tenant, headers: Headers) {
  const secret = cookiesOf(headers).get(cookieName(tenant))
  const found = secret && (await findConsoleSession(deps.db.read, tenant.id, idOfSecret(secret)))
  return found && equalInConstantTime(hashSecret(secret), found.session.secretHash) ? found : undefined
}

function whyEnded(session: ConsoleSessionRow, client: ClientRow, at: Date): string | undefined {
  if (session.expiresAt <= at) return 'The console session was as long as one may be'
  if (session.lastUsedAt <= plusMs(at, -idleMs)) return 'The console session was not used for too long'
  return isSecretHash(client, session.clientSecretHash ?? '', at) ? undefined : "The client's secret was replaced"
}

/** The id of the session that the request's cookie opens, or opened. */
export async function findConsoleSessionId(deps: Deps, tenant: Tenant, headers: Headers): Promise<string | undefined> {
  return (await findOwn(deps, tenant, headers))?.session.id
}

/** Signs a client in, always under a new id and a new secret. Returns `Set-Cookie`, which has no end: it goes with the browser. */
export async function beginConsoleSession(
  tx: Writer,
  tenant: Tenant,
  { id: clientId, clientSecretHash }: { id: string; clientSecretHash: string },
  at: Date,
): Promise<{ id: string; cookie: string }> {
  await deleteOldConsoleSessions(tx, tenant.id, clientId, mostSessions - 1)
  const id = newOrderedId(at)
  const secret = newSecretOf(id)
  const times = { lastUsedAt: at, expiresAt: plusMs(at, longestMs), createdAt: at }
  const secretHash = hashSecret(secret)
  const ofPerson = { providerHash: null, managementUserId: null, managementUserName: null, roles: null }
  const row = { id, tenantId: tenant.id, clientId, secretHash, clientSecretHash, ...ofPerson, ...times }
  await insertConsoleSession(tx, row)
  return { id, cookie: setCookie(tenant, secret) }
}

/** `Set-Cookie` that takes the cookie back. */
export function endConsoleCookie(tenant: Tenant): string {
  return `${setCookie(tenant, '')}; Max-Age=0`
}

/** Of this host alone, whatever its neighbours set (RFC 6265bis, section 4.1.3.2), which a browser holds to where it is https. */
function cookieName(tenant: Tenant): string {
  return isHttps(tenant) ? '__Host-console' : 'console'
}

function setCookie(tenant: Tenant, value: string): string {
  const secure = isHttps(tenant) ? '; Secure' : ''
  return `${cookieName(tenant)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`
}

function isHttps({ baseUrl }: Tenant): boolean {
  return baseUrl.startsWith('https:')
}
