import { hash, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditEvents } from '../../../db/repos/operations/audit/audit.ts'
import { consoleProgramCodes } from '../../../db/tables/console/program-codes.ts'
import type { ApiResponse } from '../../harness/api-client.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const header = { 'x-console': '1' }
const wrong = {
  status: 401,
  body: {
    code: 'access_denied',
    message: 'The code is invalid, used or expired. A code is valid once, for two minutes. Sign in again.',
  },
}

type Session = { 'x-console': string; cookie: string }
const sessionOf = ({ headers }: ApiResponse): Session => ({
  ...header,
  cookie: String(headers['set-cookie']).split(';', 1)[0]!,
})

async function signIn({ anonymous, clientId, clientSecret }: TestTenant = service): Promise<Session> {
  return sessionOf(await anonymous.post('/console/session', { clientId, clientSecret }, header))
}

function newProgram() {
  const codeVerifier = randomBytes(32).toString('base64url')
  return { codeVerifier, challenge: hash('sha256', codeVerifier, 'base64url') }
}

const allow = (session: object, challenge: string, { anonymous }: TestTenant = service) =>
  anonymous.post('/console/program-codes', { challenge }, { ...session })
const exchange = (body: object, { anonymous }: TestTenant = service) =>
  anonymous.post('/console/program-sessions', body)

/** Returns a code that an operator has allowed. */
async function allowed() {
  const session = await signIn()
  const { codeVerifier, challenge } = newProgram()
  const { body } = await allow(session, challenge)
  return { session, code: String(body.code), codeVerifier }
}

test('a program gets a session of its own, once, and the audit names both sessions', async () => {
  const { session, code, codeVerifier } = await allowed()
  const kept = await service.deps.db.read.select().from(consoleProgramCodes)
  expect(JSON.stringify(kept)).not.toContain(code.split('.')[1])

  const { status, body } = await exchange({ code, codeVerifier })
  expect([status, body]).toEqual([201, expect.objectContaining({ clientId: service.clientId, roles: ['admin'] })])
  const program = { ...header, cookie: body.cookie }
  expect(program.cookie).not.toBe(session.cookie)
  expect(await service.anonymous.post('/v1/users', { claims: {} }, program)).toMatchObject({ status: 201 })
  expect(await exchange({ code, codeVerifier })).toMatchObject(wrong)

  // Each session ends on its own.
  expect(await service.anonymous.delete('/console/session', session)).toMatchObject({ status: 204 })
  expect(await service.anonymous.get('/console/session', program)).toMatchObject({ status: 200 })
  const { rows } = await listAuditEvents(service.deps.db.read, service.id, {}, 100)
  const ofProgram = rows.filter(({ type }) => type.startsWith('CONSOLE_PROGRAM'))
  expect(ofProgram.map(({ type }) => type).sort()).toEqual([
    'CONSOLE_PROGRAM_CODE_CREATE_AUDIT',
    'CONSOLE_PROGRAM_SIGN_IN_AUDIT',
  ])
  expect(ofProgram.map(({ clientId }) => clientId)).toEqual([service.clientId, service.clientId])
  expect(new Set(ofProgram.map(({ data }) => (data as { sessionId: string }).sessionId)).size).toBe(1)
})

test('only the program that has the verifier gets a session, and only at the host of the tenant', async () => {
  const { code, codeVerifier } = await allowed()
  const other = await service.addTenant()
  for (const body of [
    { code, codeVerifier: newProgram().codeVerifier },
    { code: `${code.split('.')[0]}.${newProgram().challenge}`, codeVerifier },
    { code: newProgram().challenge, codeVerifier },
  ])
    expect(await exchange(body)).toMatchObject(wrong)
  expect(await exchange({ code, codeVerifier }, other)).toMatchObject(wrong)
  expect(await exchange({ code, codeVerifier })).toMatchObject({ status: 201 })
})

test('concurrent exchanges of one code begin one session', async () => {
  const { code, codeVerifier } = await allowed()
  const answers = await Promise.all(Array.from({ length: 6 }, () => exchange({ code, codeVerifier })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401, 401])
})

test('a code ends with the session that allowed it, and after two minutes', async () => {
  const first = await allowed()
  await service.anonymous.delete('/console/session', first.session)
  expect(await exchange({ code: first.code, codeVerifier: first.codeVerifier })).toMatchObject(wrong)
  const second = await allowed()
  service.clock.advance(2 * 60_000)
  expect(await exchange({ code: second.code, codeVerifier: second.codeVerifier })).toMatchObject(wrong)
  const { db } = service.deps
  expect(
    await db.read.select().from(consoleProgramCodes).where(eq(consoleProgramCodes.tenantId, service.id)),
  ).not.toEqual([])
})

test('a session of a program ends when the session that allowed it would, also after several exchanges', async () => {
  let session = await signIn()
  const until = (await service.anonymous.get('/console/session', session)).body.until
  for (let time = 1; time <= 2; time++) {
    service.clock.advance(20 * 60_000)
    const { codeVerifier, challenge } = newProgram()
    const { code } = (await allow(session, challenge)).body
    const { body } = await exchange({ code, codeVerifier })
    expect(body.until).toBe(until)
    session = { ...header, cookie: body.cookie }
  }
})

test('a token cannot allow a program, and neither can a page of another origin', async () => {
  const { challenge } = newProgram()
  expect(await service.operator.post('/console/program-codes', { challenge }, header)).toMatchObject({ status: 401 })
  const session = await signIn()
  expect(await allow({ cookie: session.cookie }, challenge)).toMatchObject({ status: 400 })
  expect(await allow({ ...session, origin: 'https://evil.example' }, challenge)).toMatchObject({ status: 403 })
  expect(await allow(session, 'short')).toMatchObject({
    status: 400,
    body: { details: [{ param: 'challenge', msg: 'Must be a SHA-256 in base64url' }] },
  })
})
