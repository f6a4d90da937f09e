import type { Reader, Writer } from '../../../db/client.ts'
import {
  type ConsoleSessionRow,
  deleteOldConsoleSessions,
  findConsoleSession,
  insertConsoleSession,
  markConsoleSessionUsed,
} from '../../../db/repos/console/sessions.ts'
import { type ClientRow, isSecretHash } from '../../../db/repos/tenancy/clients.ts'
import type { ConsoleSessionKind } from '../../../db/tables/console/sessions.ts'
import { minuteMs, plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret, idOfSecret, newOrderedId, newSecretOf } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets/secrets.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { findRights } from '../rights.ts'
import type { Caller, Tenant } from '../subjects.ts'
import { consoleCookie, setConsoleCookie } from './cookie.ts'
import { findProviderOf, hashOfGrants } from './provider.ts'

/** A session ends after this time without a request of its user, with a precision of a minute. */
const idleMs = 30 * minuteMs
/** Returns the time after which a session must have been used to be valid. */
export const usedAfter = (at: Date) => plusMs(at, -idleMs)
const maxLifetimeMs = 12 * 60 * minuteMs
const writtenEveryMs = minuteMs
/** The number of concurrent sessions per client or user. A new session ends the oldest one. */
const maxSessions = 100

/** A header that a page of another origin cannot send: a form cannot set headers, and CORS blocks a script. */
const consoleHeader = 'X-Console'

/** The header value of automatic polling requests. They do not keep a session alive. */
const pollingRequest = 'poll'

/** The header parameter in the API reference. */
export const consoleHeaderParameter = {
  name: consoleHeader,
  description: 'Any value. Protects against requests from pages of another origin, which cannot send this header.',
  example: '1',
}

/** Whether a request authenticates with a console session. A bearer token takes precedence. A cookie without the header is ignored. */
export function hasConsoleSession(tenant: Tenant, headers: Headers): boolean {
  const isOfConsole = headers.authorization === undefined && headers['x-console'] !== undefined
  return isOfConsole && consoleCookie(tenant, headers, 'console') !== undefined
}

/**
 * Authenticates a console session. For a client it reads the client and its current roles each time. For a user it returns the roles
 * of the sign-in. Throws `unauthorized` if the session does not exist or has ended, and `forbidden` for a request from another origin.
 */
export async function authenticateConsole(deps: Deps, tenant: Tenant, headers: Headers): Promise<Caller> {
  requireOwnPage(tenant, headers)
  const login = await findConsoleSessionOf(deps, tenant, headers)
  if (!login) throw new Problem('unauthorized', { isWrongSecret: true, reason: 'The console session does not exist' })
  const { session } = login
  const at = deps.clock.now()
  if (session.expiresAt <= at) throw ended('The console session has reached its maximum lifetime')
  if (session.lastUsedAt <= usedAfter(at)) throw ended('The console session was idle for too long')
  const caller = await (login.client ? callerOf(deps, session, login.client, at) : userOf(deps, tenant, session))
  if (headers['x-console'] !== pollingRequest && session.lastUsedAt <= plusMs(at, -writtenEveryMs))
    await deps.db.tx((tx) => markConsoleSessionUsed(tx, tenant.id, session.id, at))
  return { ...caller, consoleSessionId: session.id }
}

/** Returns whether a session has not ended since a request of it, except by its idle time. */
export async function isOpenConsoleSession(db: Reader, tenantId: string, id: string, at: Date): Promise<boolean> {
  const login = await findConsoleSession(db, tenantId, id)
  if (!login || login.session.expiresAt <= at) return false
  // The session of a person is deleted when the settings of the provider change.
  return login.client ? hasItsSecret(login.client, login.session, at) : login.session.managementUserId !== null
}

async function callerOf(deps: Deps, session: ConsoleSessionRow, client: ClientRow, at: Date): Promise<Caller> {
  if (!hasItsSecret(client, session, at)) throw ended("The client's secret was replaced")
  const rights = await findRights(deps.db.read, session.tenantId, client.roles)
  return { clientId: client.id, name: client.name, ...rights }
}

function hasItsSecret(client: ClientRow, { clientSecretHash }: ConsoleSessionRow, at: Date): boolean {
  return clientSecretHash !== null && isSecretHash(client, clientSecretHash, at)
}

/** Returns the user of a session. The session is valid as long as the settings of the provider have not changed. */
async function userOf(deps: Deps, tenant: Tenant, session: ConsoleSessionRow): Promise<Caller> {
  const { managementUserId, managementUserName, providerHash, roles } = session
  const provider = managementUserId === null ? undefined : await findProviderOf(deps, tenant)
  if (managementUserId === null || !provider || hashOfGrants(provider) !== providerHash)
    throw ended('The client was deleted, or the settings of the sign-in provider have changed')
  return {
    managementUserId,
    name: managementUserName ?? managementUserId,
    ...(await findRights(deps.db.read, tenant.id, roles ?? [])),
  }
}

function ended(reason: string): Problem {
  return new Problem('unauthorized', { reason })
}

/** Throws if the header is missing, or if the browser reports a request from a page of another origin. */
export function requireOwnPage(tenant: Tenant, headers: Headers): void {
  if (headers['x-console'] === undefined) {
    const msg = `The header ${consoleHeader} is required. Any value is accepted.`
    throw new Problem('bad_request', { details: [{ msg, param: consoleHeader, location: 'headers' }] })
  }
  const own = originAt(tenant)
  const { origin = own, 'sec-fetch-site': site = 'same-origin' } = headers
  if (origin !== own || site !== 'same-origin')
    throw new Problem('forbidden', { message: 'The console accepts requests only from pages of its own host' })
}

/** Returns the origin of the requested host, which may be an alias. */
export function originAt({ baseUrl, host }: Tenant): string {
  return `${new URL(baseUrl).protocol}//${host}`
}

/** Finds the session of the request's cookie, including an ended one. Returns undefined if this tenant has no such session. */
export async function findConsoleSessionOf(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
): Promise<Awaited<ReturnType<typeof findConsoleSession>>> {
  const secret = consoleCookie(tenant, headers, 'console')
  const row = secret && (await findConsoleSession(deps.db.read, tenant.id, idOfSecret(secret)))
  return row && equalInConstantTime(hashSecret(secret), row.session.secretHash) ? row : undefined
}

/** Finds the id of the session of the request's cookie, including an ended one. */
export async function findConsoleSessionId(deps: Deps, tenant: Tenant, headers: Headers): Promise<string | undefined> {
  return (await findConsoleSessionOf(deps, tenant, headers))?.session.id
}

/** Returns when the session ends: `until` at the latest, and `idleUntil` if it is not used before. */
export function endsOf({ expiresAt, lastUsedAt }: Pick<ConsoleSessionRow, 'expiresAt' | 'lastUsedAt'>) {
  const idleUntil = plusMs(lastUsedAt, idleMs)
  return { until: expiresAt, idleUntil: idleUntil < expiresAt ? idleUntil : expiresAt }
}

/** The client or user of a new session, and the hash on which the validity of the session depends. */
export type SignedIn =
  | { clientId: string; clientSecretHash: string }
  | { managementUserId: string; managementUserName: string; roles: string[]; providerHash: string }

const noClient = { clientId: null, clientSecretHash: null }
const noUser = { managementUserId: null, managementUserName: null, roles: null, providerHash: null }

/**
 * Creates a session with a new id and a new secret, which ends at `until` at the latest. Returns it with its `Set-Cookie` value, which
 * ends when the browser closes.
 */
export async function beginConsoleSession(
  tx: Writer,
  tenant: Tenant,
  who: SignedIn,
  at: Date,
  { kind = 'browser', until = plusMs(at, maxLifetimeMs) }: { kind?: ConsoleSessionKind; until?: Date } = {},
): Promise<{ session: ConsoleSessionRow; cookie: string }> {
  await deleteOldConsoleSessions(tx, tenant.id, who, maxSessions - 1)
  const id = newOrderedId(at)
  const value = newSecretOf(id)
  const times = { lastUsedAt: at, expiresAt: until, createdAt: at }
  const own = { id, tenantId: tenant.id, kind, secretHash: hashSecret(value) }
  const session = { ...noClient, ...noUser, ...who, ...own, ...times }
  await insertConsoleSession(tx, session)
  return { session, cookie: setConsoleCookie(tenant, 'console', { value, sameSite: 'Strict' }) }
}

/** Returns the `Set-Cookie` value that deletes the session cookie. */
export function endConsoleCookie(tenant: Tenant): string {
  return setConsoleCookie(tenant, 'console', { value: '', sameSite: 'Strict', forSeconds: 0 })
}
