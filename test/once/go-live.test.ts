import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectionChecks } from '../../api/cli/trustwright/doctor/connection-checks.ts'
import { alertNames } from '../../api/cli/trustwright/doctor/go-live/alert-names.ts'
import type { GoLive } from '../../api/cli/trustwright/doctor/go-live/go-live.ts'
import { goLiveCheckNames, goLiveChecks } from '../../api/cli/trustwright/doctor/go-live/go-live-checks.ts'
import { resolveLocalhostNames } from '../../api/cli/trustwright/localhost-names.ts'
import { findTenantBySubdomain } from '../../db/repos/tenancy/tenants.ts'
import { createTrustwright } from '../../shared/client/client.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { newCommandLine } from '../harness/command-line.ts'
import { activeIaca } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { startRedis } from '../harness/redis.ts'

resolveLocalhostNames()
let service: Service
let input: GoLive
let platform: GoLive
const dir = mkdtempSync(join(tmpdir(), 'trustwright-go-live-'))
beforeAll(async () => {
  service = await startService()
  const { origin: baseUrl, clientId, clientSecret, deps } = service
  const client = createTrustwright({ baseUrl, clientId, clientSecret, maxRetryMs: 0 })
  input = { client, baseUrl, env: {}, profiles: join(dir, 'none'), prometheus: undefined, backup: undefined }
  const row = await findTenantBySubdomain(deps.db.read, 'platform')
  const made = await service.platform.post(`/v1/tenants/${row?.id}/clients`, { name: 'Doctor', roles: ['platform'] })
  const platformUrl = `http://platform.localhost:${new URL(baseUrl).port}`
  platform = {
    ...input,
    baseUrl: platformUrl,
    client: createTrustwright({ ...made.body, baseUrl: platformUrl, maxRetryMs: 0 }),
  }
})
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
  await service[Symbol.asyncDispose]()
})

async function check(name: string, given: Partial<GoLive> = {}) {
  const check = goLiveChecks({ ...input, ...given }).find((each) => each.name === name)
  if (!check) throw new Error(`there is no check ${name}`)
  return [await check.run()].flat().map(({ status, message }) => `${status}: ${message}`)
}

const page = readFileSync(new URL('../../docs/go-live.md', import.meta.url), 'utf8')

test('the page has a section for each check, in the same order', () => {
  const list = page.slice(page.indexOf('## Public DNS'), page.indexOf('## After the list'))
  const sections = [...list.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title.toLowerCase())
  expect(sections).toEqual(goLiveCheckNames)
  const links = goLiveChecks(input).map(({ see }) => see)
  expect(links).toEqual(sections.map((title) => `docs/go-live.md#${title.replaceAll(' ', '-')}`))
})

test('a check that needs more than the client is not checked, and says what it needs', async () => {
  for (const name of ['backup', 'alarms', 'limits', 'demo tenant', 'secret files'])
    expect(await check(name)).toEqual([expect.stringMatching(/^skipped: Not checked: .+/)])
  expect(await check('roots', platform)).toEqual([
    expect.stringMatching(/^skipped: Not checked: .*profile of the tenant/),
  ])
  expect(await check('clocks')).toEqual([
    'ok: This clock and that of the service agree',
    'skipped: Not checked: the clock of the database. Run the command with DATABASE_URL of the service.',
  ])
})

test('the hosts of all tenants must have public addresses', async () => {
  expect(await check('public dns')).toEqual([expect.stringMatching(/^warning: 127.0.0.1 is .*cannot reach/)])
  expect(await check('public dns', { baseUrl: 'https://203.0.113.10' })).toEqual(['ok: 1 host with public addresses'])
  expect(await check('public dns', { baseUrl: 'https://unknown.invalid' })).toEqual([
    'error: unknown.invalid has no address. Add a record to the DNS',
  ])
  expect((await check('public dns', platform)).join()).toContain(new URL(service.baseUrl).hostname)
})

test('each host must have https with a certificate that does not end soon', async () => {
  expect(await check('public tls')).toEqual([expect.stringMatching(/^error: .* is not https/)])
  const soon = await startTls(10)
  expect(await check('public tls', { baseUrl: soon })).toEqual([
    expect.stringMatching(/^warning: .* ends in (9|10) days/),
  ])
  expect(await check('public tls', { baseUrl: await startTls(100) })).toEqual(['ok: 1 host with certificates'])
})

/** Starts a TLS server whose certificate this process trusts. */
async function startTls(days: number): Promise<string> {
  const [key, certificate] = [join(dir, `${days}.key`), join(dir, `${days}.pem`)]
  const options = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
  ]
  const names = ['-subj', `/CN=${days} days`, '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', '-days', String(days), ...options, ...names], { stdio: 'ignore' })
  const cert = readFileSync(certificate, 'utf8')
  setDefaultCACertificates([...getCACertificates('default'), cert])
  const server = createHttpsServer({ key: readFileSync(key), cert }, (_request, response) => response.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a server that answers each path with JSON. */
async function startServer(answers: Record<string, unknown>, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(answers[url.split('?')[0] ?? ''] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the clocks of the service and of the database must agree with this one', async () => {
  const baseUrl = await startServer({}, { Date: new Date(Date.now() + 3_600_000).toUTCString() })
  const [ofService, ofDatabase] = await check('clocks', { baseUrl, env: { DATABASE_URL: 'file:none' } })
  expect(ofService).toMatch(/^error: This clock is 3[56]\d\d s behind that of the service/)
  expect(ofDatabase).toMatch(/^ok: SQLite/)
})

test('a backup must be complete, intact and new', async () => {
  const [backup, file] = [dir, join(dir, 'trustwright.db')]
  expect(await check('backup', { backup })).toEqual([expect.stringMatching(/^error: .* has no trustwright.db/)])
  writeFileSync(file, 'no database, and longer than the header of one'.repeat(100))
  expect(await check('backup', { backup })).toEqual([expect.stringMatching(/^error: .* is damaged/)])
  rmSync(file)
  new SqliteDatabase(file).exec('CREATE TABLE t (a)').close()
  writeFileSync(join(dir, 'service-secret'), '')
  const soon = Date.now() / 1_000 + 60
  utimesSync(file, soon, soon)
  expect(await check('backup', { backup })).toEqual([
    expect.stringMatching(/^warning: .* has no key-encryption-key/),
    'ok: The database of the backup is intact, and 0 hours old',
  ])
  const env = { DATABASE_URL: 'postgres://localhost/x' }
  expect(await check('backup', { backup, env })).toEqual([expect.stringMatching(/^skipped: Not checked: dumps/)])
})

test('Prometheus must have the alarms of the project, and an Alertmanager', async () => {
  const yaml = readFileSync(new URL('../../docs/deploy/prometheus/alerts.yaml', import.meta.url), 'utf8')
  expect([...yaml.matchAll(/alert: (\w+)/g)].map(([, name]) => name)).toEqual(alertNames)
  const [first = '', ...others] = alertNames
  const answersOf = (names: readonly string[], activeAlertmanagers: unknown[]) => ({
    '/api/v1/rules': {
      data: { groups: [{ rules: names.map((name) => ({ name, type: 'alerting', state: 'inactive' })) }] },
    },
    '/api/v1/alertmanagers': { data: { activeAlertmanagers } },
  })
  expect(await check('alarms', { prometheus: await startServer(answersOf(others, [])) })).toEqual([
    `error: Prometheus lacks ${first}. Load docs/deploy/prometheus/alerts.yaml`,
    'error: Prometheus sends alarms to no Alertmanager',
  ])
  const prometheus = await startServer(answersOf(alertNames, [{ url: 'http://alerts' }]))
  expect(await check('alarms', { prometheus })).toEqual([expect.stringMatching(/^ok: Prometheus has \d+ alarms/)])
})

test('a service in production has its limits', async () => {
  const env = { PLATFORM_DOMAIN: 'issuer.example.org', NODE_ENV: 'production' }
  expect(await check('limits', { env })).toEqual([expect.stringMatching(/^ok: LIMIT_ANONYMOUS_PER_MINUTE default/)])
  const open = { ...env, NODE_ENV: '', LIMIT_ANONYMOUS_PER_MINUTE: '0', OUTBOUND_ALLOW_LOOPBACK: '1' }
  expect(await check('limits', { env: open })).toEqual([
    'error: NODE_ENV is development. Only "production" has limits and JSON logs',
    'error: LIMIT_ANONYMOUS_PER_MINUTE is 0, which is no limit. Remove it',
    'error: OUTBOUND_ALLOW_LOOPBACK lets tenants reach programs of this machine. Remove it',
  ])
})

test('a root must sign', async () => {
  expect(await check('roots')).toEqual([expect.stringMatching(/^error: No root signs/)])
  await activeIaca(service)
  const roots = await check('roots')
  expect(roots).toHaveLength(2)
  for (const root of roots)
    expect(root).toMatch(/^ok: The root Test IACA signs (mobile|sd-jwt) credentials for \d+ days more/)
})

test('no demo tenant and no tenant of a load test is left', async () => {
  expect(await check('demo tenant', platform)).toEqual(['ok: No tenant is a demo or left of a load test'])
  const demo = await service.addTenant({ subdomain: 'demo' })
  await service.addTenant({ subdomain: 'load-1' })
  const findings = await check('demo tenant', platform)
  expect(findings.sort()).toEqual([
    expect.stringMatching(`^error: The demo tenant .*DELETE /v1/tenants/${demo.id}`),
    expect.stringMatching(/^warning: .* is left of a load test/),
  ])
})

test('other users cannot read files with secrets', async () => {
  const file = join(dir, 'redis-url')
  writeFileSync(file, 'x', { mode: 0o644 })
  chmodSync(dir, 0o755)
  const env = { REDIS_URL_FILE: file, SSL_CERT_FILE: join(dir, 'trustwright.db') }
  expect(await check('secret files', { env })).toEqual([
    `error: Other users can read ${file}, which has secrets. Run "chmod 600 ${file}"`,
  ])
  chmodSync(file, 0o600)
  expect(await check('secret files', { env })).toEqual(['ok: 1 file with secrets, for their owner only'])
  chmodSync(dir, 0o700)
})

test('Redis must write to disk', { tags: 'redis' }, async () => {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  await using other = await startService({ redisUrl: redis.url })
  const baseUrl = other.origin
  const env = { REDIS_URL: redis.url }
  expect(await check('redis', { baseUrl })).toEqual([expect.stringMatching(/^skipped: Not checked: .*REDIS_URL/)])
  expect(await check('redis', { baseUrl, env })).toEqual(['ok: Redis writes to disk and evicts no keys'])
  const admin = connectPatient(redis.url)
  await (admin as import('ioredis').Redis).config('SET', 'appendonly', 'no')
  admin.disconnect()
  expect(await check('redis', { baseUrl, env })).toEqual([
    expect.stringMatching(/^error: Redis writes nothing to disk/),
  ])
})

test('a service with its queues in the database needs no Redis', async () => {
  await using other = await startService({ queueIn: 'database' })
  const passed = ['ok: The queues are in the database. The service needs no Redis']
  expect(await check('redis', { baseUrl: other.origin })).toEqual(passed)
  expect(await check('redis', { baseUrl: other.origin, env: { REDIS_URL: 'redis://127.0.0.1:1' } })).toEqual(passed)
  const service = connectionChecks(other.origin, join(dir, 'none')).find(({ name }) => name === 'service')
  expect(await service?.run()).toMatchObject({ message: 'The service is ready. Its queues are in the database' })
})

test('the command prints the checks with links to the page, and refuses their options without them', async () => {
  const line = newCommandLine(service)
  onTestFinished(line.end)
  await line.login()
  const { code, stdout } = await line.run(['doctor', '--go-live'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^error {4}public tls {4}.* is not https.*\(docs\/go-live.md#public-tls\)$/m)
  expect(stdout).toMatch(/^skipped {2}backup {8}Not checked: .*\(docs\/go-live.md#backup\)$/m)
  const refused = await line.run(['doctor', '--backup', 'x'])
  expect(refused).toMatchObject({ code: 1, stderr: '--prometheus and --backup need --go-live.\n' })
})
