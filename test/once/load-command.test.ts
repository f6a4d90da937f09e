import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTenantBySubdomain } from '../../db/repos/tenancy/tenants.ts'
import { type CommandLine, newCommandLine, program } from '../harness/command-line.ts'
import { activeIaca } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'

let service: Service
let line: CommandLine
let platform: Record<string, string>
beforeAll(async () => {
  service = await startService()
  line = newCommandLine(service)
  platform = await platformVariables(service)
})
afterAll(async () => {
  line.end()
  await service[Symbol.asyncDispose]()
})

/** The variables of a new client of the platform. */
async function platformVariables({ deps, platform, origin }: Service): Promise<Record<string, string>> {
  const row = await findTenantBySubdomain(deps.db.read, 'platform')
  const { body } = await platform.post(`/v1/tenants/${row?.id}/clients`, { name: 'Load', roles: ['platform'] })
  return {
    TRUSTWRIGHT_BASE_URL: `http://platform.localhost:${new URL(origin).port}`,
    TRUSTWRIGHT_CLIENT_ID: body.clientId,
    TRUSTWRIGHT_CLIENT_SECRET: body.clientSecret,
  }
}

/** Runs the command until it has written a text to standard error, and then presses Ctrl-C. */
async function interruptedAt(text: RegExp, ...args: string[]) {
  const child = spawn(process.execPath, [program, 'load', ...args], { env: { ...process.env, ...platform } })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (data) => {
    stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr += data
    if (!child.killed && text.test(stderr)) child.kill('SIGINT')
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}

const tenantsOfTests = async ({ platform }: Service) =>
  (await platform.get('/v1/tenants')).body.data.filter(({ name }: { name: string }) => name === 'Load test')

test('wallets collect credentials of a tenant of the test, which is deleted at the end', async () => {
  const args = ['load', '--wallets', '3', '--credentials', '7', '--revocable', '--deferred', '--json']
  const { code, stdout, stderr } = await line.run(args, { env: platform })
  expect(stderr).toMatch(
    /The tenant of the test is http:\/\/load-\w+\.localhost.*trustwright api DELETE \/v1\/tenants\//,
  )
  expect(stderr).toContain('Warning: the wallets run on the machine of the service')
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({ wallets: 3, credentials: 7, errors: [], limits: expect.any(Array) })
  expect(Object.keys(report.steps)).toEqual(['metadata', 'offer', 'token', 'nonce', 'credential', 'notification'])
  for (const step of ['offer', 'token', 'nonce', 'credential']) {
    const { count, p50Ms, p95Ms, p99Ms } = report.steps[step]
    expect(count).toBe(7)
    expect(0 < p50Ms && p50Ms <= p95Ms && p95Ms <= p99Ms).toBe(true)
  }
  expect(report.total.count).toBe(7)
  expect(code).toBe(0)
  expect(await tenantsOfTests(service)).toEqual([])
})

test('a rate limit is named with its setting, and a tenant that exists loses what the test made', async () => {
  const tenant = await service.addTenant({ limits: { issuancesPerMinute: 2 } })
  const args = ['--tenant', tenant.id, '--wallets', '1', '--credentials', '5']
  const without = await line.run(['load', ...args], { env: platform })
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('has no root certificate') })
  await activeIaca(tenant)
  const { code, stdout } = await interruptedAt(/ [1-9]\d* errors?$/m, ...args)
  expect(stdout).toContain('2 credentials in')
  expect(stdout).toMatch(/credential +2 /)
  expect(stdout).toContain('at credential: 429 TooManyRequests')
  expect(stdout).toContain('LIMIT_ISSUANCES_PER_MINUTE, or limits.issuancesPerMinute of the tenant')
  expect(code).toBe(1)
  const { body: configurations } = await tenant.operator.get('/v2/credentials/sd-jwt/configurations')
  expect(configurations.data).toEqual([])
  const { body: clients } = await tenant.operator.get(`/v1/tenants/${tenant.id}/clients`)
  expect(clients.data.map(({ clientId }: { clientId: string }) => clientId)).toEqual([tenant.clientId])
})

test('Ctrl-C ends the test, prints what was measured and deletes the tenant', async () => {
  const { code, stdout, stderr } = await interruptedAt(/./, '--json')
  expect(JSON.parse(stdout)).toMatchObject({ wallets: 10, errors: [] })
  expect(stderr).toContain('What the test made is deleted.')
  expect(code).toBe(0)
  expect(await tenantsOfTests(service)).toEqual([])
})

test('the test ends after its time', async () => {
  const { code, stdout } = await line.run(['load', '--wallets', '1', '--minutes', '0.02', '--json'], { env: platform })
  const { seconds, errors } = JSON.parse(stdout)
  expect(seconds).toBeGreaterThan(1)
  expect(errors).toEqual([])
  expect(code).toBe(0)
})

test('a client of a tenant is refused', async () => {
  await line.login()
  const outcome = await line.run(['load'])
  expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/a client of the platform/) })
})

test.each([
  [['--wallets', '0'], '--wallets must be a number from 1 and at most 10000'],
  [['--minutes', '0'], '--minutes must be a number above 0 and at most 1440'],
  [['--tenant', 'x', '--deferred'], '--deferred is a setting of the tenant'],
])('%s is refused', async (args, message) => {
  const outcome = await line.run(['load', ...args], { env: platform })
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
})

test('a service behind https: a tenant that exists is refused, and the own tenant is deleted after an error', async () => {
  await using secure = await startService({ env: { PUBLIC_SCHEME: 'https' } })
  const env = await platformVariables(secure)
  const refused = await line.run(['load', '--tenant', secure.id], { env })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/can be in production.*--allow-production/) })
  // No server answers at the https address.
  const failed = await line.run(['load'], { env })
  expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('cannot be reached') })
  expect(failed.stderr).toContain('What the test made is deleted.')
  expect(await tenantsOfTests(secure)).toEqual([])
})
