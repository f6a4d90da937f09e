import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticateConsole, endsOf, hasConsoleSession } from '../../../api/access/console/session.ts'
import { insertConsoleSession } from '../../../db/repos/console/sessions.ts'
import { insertClient } from '../../../db/repos/tenancy/clients.ts'
import { rightsOf } from '../../../shared/access/roles.ts'
import { hashSecret, newId, newSecretOf } from '../../../shared/ids.ts'
import { type OpenDatabase, openNewDatabase } from '../../harness/database.ts'

// Tests when console sessions end, to the millisecond, on a database without a service.

let database: OpenDatabase
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.drop())

const minuteMs = 60_000
const at = new Date('2026-06-01T12:00:00Z')
const after = (ms: number) => new Date(at.getTime() + ms)
const tenant = { id: newId(), baseUrl: 'https://university.example', host: 'university.example' } as never
const tenantId = (tenant as { id: string }).id

const noUser = { managementUserId: null, managementUserName: null, roles: null, providerHash: null }
const person = { managementUserId: 'ada', managementUserName: 'Ada', roles: ['issuer' as const], providerHash: 'hash' }

async function newSession({ ofPerson = false, lastUsedAt = at, expiresAt = after(12 * 60 * minuteMs) } = {}) {
  const id = newId()
  const secret = newSecretOf(id)
  const clientId = await database.db.tx(async (tx) => {
    const { client } = await insertClient(tx, tenantId, { name: 'Client', roles: ['admin'] }, at)
    const who = ofPerson
      ? { ...person, clientId: null, clientSecretHash: null }
      : { ...noUser, clientId: client.id, clientSecretHash: client.secretHash }
    await insertConsoleSession(tx, {
      ...{ id, tenantId, kind: 'browser', secretHash: hashSecret(secret), lastUsedAt, expiresAt, createdAt: at },
      ...who,
    })
    return client.id
  })
  const headers = { 'x-console': '1', cookie: `__Host-console=${secret}` }
  const authenticateAt = (now: Date) => {
    const deps = { db: database.db, clock: { now: () => now } } as never
    return authenticateConsole(deps, tenant, headers).catch((error: unknown) => error)
  }
  return { authenticateAt, clientId, headers, id }
}

test('a session ends at its expiry and after 30 minutes without use', async () => {
  const short = await newSession({ expiresAt: after(minuteMs) })
  expect(await short.authenticateAt(after(minuteMs - 1))).toEqual({
    ...{ clientId: short.clientId, name: 'Client', consoleSessionId: short.id },
    ...rightsOf(['admin']),
  })
  expect(await short.authenticateAt(after(minuteMs))).toMatchObject({
    problem: 'unauthorized',
    reason: 'The console session has reached its maximum lifetime',
  })
  const idle = await newSession()
  expect(await idle.authenticateAt(after(30 * minuteMs))).toMatchObject({
    problem: 'unauthorized',
    reason: 'The console session was idle for too long',
  })
  expect(await idle.authenticateAt(after(30 * minuteMs - 1))).toMatchObject({ clientId: idle.clientId })
})

test('a session of a user ends without the provider that gave the roles', async () => {
  const { authenticateAt } = await newSession({ ofPerson: true })
  expect(await authenticateAt(at)).toMatchObject({
    problem: 'unauthorized',
    reason: expect.stringContaining('the settings of the sign-in provider'),
  })
})

test('the response names the end of a session: the idle timeout, or the expiry if it is earlier', () => {
  const until = after(60 * minuteMs)
  expect(endsOf({ expiresAt: until, lastUsedAt: at })).toEqual({ until, idleUntil: after(30 * minuteMs) })
  expect(endsOf({ expiresAt: until, lastUsedAt: after(50 * minuteMs) })).toEqual({ until, idleUntil: until })
})

test('a request has a session if it has the header and the cookie of the console and no token', () => {
  const cookie = '__Host-console=a.b'
  expect(hasConsoleSession(tenant, { 'x-console': '1', cookie })).toBe(true)
  expect(hasConsoleSession(tenant, { 'x-console': '1' })).toBe(false)
  expect(hasConsoleSession(tenant, { cookie })).toBe(false)
  expect(hasConsoleSession(tenant, { 'x-console': '1', cookie, authorization: 'Bearer a' })).toBe(false)
})

test('the service refuses a page of another host', async () => {
  const { headers } = await newSession()
  const deps = { db: database.db, clock: { now: () => at } } as never
  const other = { ...headers, origin: 'https://evil.example' }
  expect(await authenticateConsole(deps, tenant, other).catch((error: unknown) => error)).toMatchObject({
    problem: 'forbidden',
    message: 'The console accepts requests only from pages of its own host',
  })
})
