import { execFile } from 'node:child_process'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConsoleLink } from '../../../api/console/links/create-link.ts'
import { listAuditEvents } from '../../../db/repos/operations/audit/audit.ts'
import { consoleLinks } from '../../../db/tables/console/links.ts'
import { type ApiResponse, createApi } from '../../harness/api-client.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { inherited } from '../../harness/started.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/console/session'
const header = { 'x-console': '1' }
const minuteMs = 60_000
const wrong = {
  status: 401,
  body: {
    code: 'access_denied',
    message: 'The link is invalid, used or expired. A link signs in once, within 15 minutes. Request a new link.',
  },
}

const newLink = (tenant: TestTenant = service, clientId = tenant.clientId) =>
  createConsoleLink(service.deps, tenant.id, { clientId, baseUrl: `http://${tenant.host}` })

/** Reads the code from the fragment, like the page of the console. */
const codeOf = (link: string) => new URL(link).hash.replace('#code=', '')

const signIn = (code: unknown, { anonymous }: Pick<TestTenant, 'anonymous'> = service) =>
  anonymous.post(path, { code }, header)

const sessionOf = ({ headers }: ApiResponse) => ({ ...header, cookie: String(headers['set-cookie']).split(';', 1)[0]! })

async function newClient(...roles: string[]): Promise<{ clientId: string }> {
  const { body } = await service.operator.post(`/v1/tenants/${service.id}/clients`, { name: 'Of a link', roles })
  return body
}

/** This test comes before the clock moves, because other processes do not follow the clock. */
describe('`npm run console:link`', () => {
  const run = (...words: string[]) =>
    new Promise<{ stdout: string; stderr: string }>((resolve) => {
      const env = { ...inherited(), DATABASE_URL: service.deps.config.databaseUrl }
      const file = ['api/cli/console-link.ts', ...words]
      execFile(process.execPath, file, { env }, (_error, stdout, stderr) => resolve({ stdout, stderr }))
    })

  test('prints a link for the admin of a tenant and for the client of the platform, at the given host', async () => {
    const tenant = await service.addTenant()
    const { platformHost } = service.deps.config
    const [ofTenant, ofPlatform] = await Promise.all([
      run('--tenant', tenant.host.toUpperCase()),
      run('--tenant', platformHost),
    ])
    expect(ofTenant.stderr).toContain(`${tenant.clientId} (`)
    expect(ofTenant.stdout).toMatch(new RegExp(`^http://${tenant.host}/console/#code=\\S+\\n$`))
    expect(await signIn(codeOf(ofTenant.stdout.trim()), tenant)).toMatchObject({
      status: 201,
      body: { clientId: tenant.clientId },
    })
    const platform = { anonymous: createApi(service.origin, platformHost) }
    const answer = await signIn(codeOf(ofPlatform.stdout.trim()), platform)
    expect(answer).toMatchObject({ status: 201, body: { roles: ['platform'] } })
  })

  test('names what is missing and prints no link', async () => {
    const issuer = await newClient('issuer')
    await newClient('admin')
    const answers = await Promise.all([
      run(),
      run('--tenant', 'unknown.example'),
      run('--tenant', service.host),
      run('--tenant', service.host, '--client', 'none'),
      run('--tenant', service.host, '--client', issuer.clientId),
    ])
    const [usage, unknown, several, none, named] = answers.map(({ stderr }) => stderr)
    expect(usage).toMatch(/^npm run console:link -- --tenant HOST .*\n$/)
    expect(unknown).toBe('No tenant has the host unknown.example.\n')
    expect(several).toMatch(
      /has 2 clients with the role admin\. Select one with --client\.\n {2}\S{36} \(.*: admin\)\n/,
    )
    expect(none).toBe(`${service.host} has no client none.\n`)
    expect(named).toContain(issuer.clientId)
    expect(answers.map(({ stdout }) => stdout !== '')).toEqual([false, false, false, false, true])
  })
})

test('a link signs its client in once, and its code is in the fragment, which browsers do not send', async () => {
  const link = await newLink()
  expect(link).toMatch(new RegExp(`^http://${service.host}/console/#code=[\\w-]{36}\\.[\\w-]{43}$`))
  const code = codeOf(link)
  const kept = await service.deps.db.read.select().from(consoleLinks)
  expect(JSON.stringify(kept)).not.toContain(code.split('.')[1])

  const answer = await signIn(code)
  expect(answer).toMatchObject({ status: 201, body: { clientId: service.clientId, roles: ['admin'] } })
  const session = sessionOf(answer)
  expect(await service.anonymous.get(path, session)).toMatchObject({ status: 200 })
  expect(await service.anonymous.post('/v1/users', { claims: {} }, session)).toMatchObject({ status: 201 })
  expect(await signIn(code)).toMatchObject(wrong)
})

test('concurrent requests with one link sign in once', async () => {
  for (let round = 0; round < 5; round++) {
    const code = codeOf(await newLink())
    const answers = await Promise.all(Array.from({ length: 6 }, () => signIn(code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401, 401])
  }
})

describe('the console refuses with the same message', () => {
  test('an invalid code', async () => {
    const [id, secret] = codeOf(await newLink()).split('.')
    const [otherId, otherSecret] = codeOf(await newLink()).split('.')
    for (const code of ['', '.', 'x', `${id}.`, `${id}.${otherSecret}`, `${otherId}.${secret}`, `.${secret}`])
      expect(await signIn(code)).toMatchObject(wrong)
    // A wrong guess does not use up the link.
    expect(await signIn(`${id}.${secret}`)).toMatchObject({ status: 201 })
  })

  test('a link that is older than 15 minutes', async () => {
    const code = codeOf(await newLink())
    service.clock.advance(15 * minuteMs - 1000)
    expect(await signIn(codeOf(await newLink()))).toMatchObject({ status: 201 })
    service.clock.advance(1000)
    expect(await signIn(code)).toMatchObject(wrong)
  })

  test('a link of another tenant', async () => {
    const other = await service.addTenant()
    const code = codeOf(await newLink())
    expect(await signIn(code, other)).toMatchObject(wrong)
    expect(await signIn(code)).toMatchObject({ status: 201 })
  })

  test("a link from before the replacement of the client's secret, after the overlap", async () => {
    const { clientId } = await newClient('issuer')
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(async () => codeOf(await newLink(service, clientId))),
    )
    const replace = (overlapSeconds: number) =>
      service.operator.post(`/v1/tenants/${service.id}/clients/${clientId}/secret`, { overlapSeconds })
    await replace(60)
    const session = sessionOf(await signIn(first))
    expect(await service.anonymous.get(path, session)).toMatchObject({ status: 200 })
    service.clock.advance(2 * minuteMs)
    expect(await signIn(second)).toMatchObject(wrong)
    expect(await service.anonymous.get(path, session)).toMatchObject({ status: 401 })
    await replace(0)
    expect(await signIn(third)).toMatchObject(wrong)
  })

  test('a link of a deleted client', async () => {
    const { clientId } = await newClient('issuer')
    const code = codeOf(await newLink(service, clientId))
    await service.operator.delete(`/v1/tenants/${service.id}/clients/${clientId}`)
    expect(await signIn(code)).toMatchObject(wrong)
    await expect(newLink(service, clientId)).rejects.toThrow('The tenant has no client')
  })
})

test('after too many wrong links from an address, only wrong links are refused', async () => {
  const tenant = await service.addTenant()
  const code = codeOf(await newLink(tenant))
  const limits = { failedSecretsPerMinute: 3 }
  expect(await service.platform.put(`/v1/tenants/${tenant.id}`, { limits })).toMatchObject({ status: 200 })
  await eventually(async () => (await signIn('x', tenant)).status === 429)
  expect(await signIn(code, tenant)).toMatchObject({ status: 201 })
})

test('a page of another origin cannot use a link, and a code cannot be sent with other credentials', async () => {
  const code = codeOf(await newLink())
  const { clientId, clientSecret, anonymous } = service
  const at = (param: string) => ({ status: 400, body: { details: [{ param, location: 'body' }] } })
  expect(await anonymous.post(path, { code })).toMatchObject({ status: 400 })
  expect(await anonymous.post(path, { code }, { ...header, origin: 'https://evil.example' })).toMatchObject({
    status: 403,
  })
  expect(await anonymous.post(path, { code, clientId, clientSecret }, header)).toMatchObject(at('code'))
  expect(await anonymous.post(path, {}, header)).toMatchObject(at('clientId'))
  const long = await signIn('x'.repeat(201))
  expect(long).toMatchObject(at('code'))
  expect(JSON.stringify(long.body)).not.toContain('xxx')
  expect(await signIn(code)).toMatchObject({ status: 201 })
})

test('the audit records the link and its use, and no event contains the secret', async () => {
  const tenant = await service.addTenant()
  const code = codeOf(await newLink(tenant))
  const answer = await signIn(code, tenant)
  const [id, secret] = code.split('.')
  const { rows } = await listAuditEvents(service.deps.db.read, tenant.id, {}, 10)
  const of = (type: string) => rows.find((row) => row.type === type)
  expect(of('CONSOLE_LINK_CREATE_AUDIT')).toMatchObject({ data: { id, clientId: tenant.clientId } })
  expect(of('CONSOLE_SIGN_IN_AUDIT')).toMatchObject({ clientId: tenant.clientId, data: { linkId: id } })
  const requestId = answer.headers['x-request-id']
  const events = await eventually(async () => {
    const { body } = await tenant.operator.get(`/v1/events?requestIds=${requestId}`)
    return body.data.length >= 3 && body.data
  })
  expect(JSON.stringify([events, rows])).not.toContain(secret)
})

test('unused links are deleted with their tenant', async () => {
  const { db } = service.deps
  const tenant = await service.addTenant()
  await newLink(tenant)
  await service.platform.delete(`/v1/tenants/${tenant.id}`)
  const left = () => db.read.select().from(consoleLinks).where(eq(consoleLinks.tenantId, tenant.id))
  await eventually(async () => (await left()).length === 0)
})
