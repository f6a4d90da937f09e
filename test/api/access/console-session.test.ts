import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticateConsole, bringsConsoleSession, endsOf } from '../../../api/access/console/session.ts'
import { insertConsoleSession } from '../../../db/repos/console/sessions.ts'
import { insertClient } from '../../../db/repos/tenancy/clients.ts'
import { hashSecret, newId, newSecretOf } from '../../../shared/ids.ts'
import { type OpenDatabase, openNewDatabase } from '../../harness/database.ts'

// When sessions of the console end, to the millisecond, over a database without a service.

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

const nobody = { managementUserId: null, managementUserName: null, roles: null, providerHash: null }
const person = { managementUserId: 'ada', managementUserName: 'Ada', roles: ['issuer' as const], providerHash: 'hash' }

async function newSession({ ofPerson = false, lastUsedAt = at, expiresAt = after(12 * 60 * minuteMs) } = {}) {
  const id = newId()
  const secret = newSecretOf(id)
  const clientId = await database.db.tx(async (tx) => {
    const { client } = await insertClient(tx, tenantId, { name: 'Client', roles: ['admin'] }, at)
    const who = ofPerson
      ? { ...person, clientId: null, clientSecretHash: null }
      : { ...nobody, clientId: client.id, clientSecretHash: client.secretHash }
    await insertConsoleSession(tx, {
      ...{ id, tenantId, secretHash: hashSecret(secret), lastUsedAt, expiresAt, createdAt: at },
      ...who,
    })
    return client.id
  })
  const headers = { 'x-console': '1', cookie: `__Host-console=${secret}` }
  const askAt = (now: Date) => {
    const deps = { db: database.db, clock: { now: () => now } } as never
    return authenticateConsole(deps, tenant, headers).catch((error: unknown) => error)
  }
  return { askAt, clientId, headers }
}

test('a session ends at its time, and after 30 minutes without use', async () => {
  const short = await newSession({ expiresAt: after(minuteMs) })
  expect(await short.askAt(after(minuteMs - 1))).toEqual({ clientId: short.clientId, roles: ['admin'] })
  expect(await short.askAt(after(minuteMs))).toMatchObject({
    problem: 'unauthorized',
    reason: 'The console session has reached its maximum lifetime',
  })
  const idle = await newSession()
  expect(await idle.askAt(after(30 * minuteMs))).toMatchObject({
    problem: 'unauthorized',
    reason: 'The console session was idle for too long',
  })
  expect(await idle.askAt(after(30 * minuteMs - 1))).toMatchObject({ clientId: idle.clientId })
})

test('a session of a person ends without the provider that gave the roles', async () => {
  const { askAt } = await newSession({ ofPerson: true })
  expect(await askAt(at)).toMatchObject({
    problem: 'unauthorized',
    reason: expect.stringContaining('the settings of the sign-in provider'),
  })
})

test('a session is told its end: that of its use, unless that of its length comes before', () => {
  const until = after(60 * minuteMs)
  expect(endsOf({ expiresAt: until, lastUsedAt: at })).toEqual({ until, idleUntil: after(30 * minuteMs) })
  expect(endsOf({ expiresAt: until, lastUsedAt: after(50 * minuteMs) })).toEqual({ until, idleUntil: until })
})

test('a request brings a session with the header of the console and its cookie, and without a token', () => {
  const cookie = '__Host-console=a.b'
  expect(bringsConsoleSession(tenant, { 'x-console': '1', cookie })).toBe(true)
  expect(bringsConsoleSession(tenant, { 'x-console': '1' })).toBe(false)
  expect(bringsConsoleSession(tenant, { cookie })).toBe(false)
  expect(bringsConsoleSession(tenant, { 'x-console': '1', cookie, authorization: 'Bearer a' })).toBe(false)
})

test('a page of another host is refused', async () => {
  const { headers } = await newSession()
  const deps = { db: database.db, clock: { now: () => at } } as never
  const other = { ...headers, origin: 'https://evil.example' }
  expect(await authenticateConsole(deps, tenant, other).catch((error: unknown) => error)).toMatchObject({
    problem: 'forbidden',
    message: 'The console accepts requests only from pages of its own host',
  })
})
