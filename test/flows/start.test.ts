import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { type Api, createApi } from '../harness/api-client.ts'
import { newDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { createNpmStart, type Launcher, type NpmStart } from '../harness/npm-start.ts'
import { freePort } from '../harness/redis.ts'
import { inherited } from '../harness/started.ts'
import { newAuthorizationWallet } from '../wallets/authorization-wallet.ts'

/** One `npm start` in a folder of its own; the tests below follow each other, as the life of an installation does. */
const dir = mkdtempSync(join(tmpdir(), 'trustwright-start-'))
let npmStart: NpmStart
let port = 0
let database: Awaited<ReturnType<typeof newDatabase>> | undefined
let launcher: Launcher
const launch = (env?: Record<string, string>, command?: string[]) => npmStart.launch(env, command)
const ready = (started: Launcher) => npmStart.ready(started)

interface Facts {
  baseUrl: string
  tenantId: string
  clientId: string
  clientSecret: string
  platform: { baseUrl: string; clientId: string; clientSecret: string }
}

beforeAll(async () => {
  // On PostgreSQL; otherwise it makes its own file.
  database = process.env.DATABASE_URL ? await newDatabase(dir) : undefined
  npmStart = await createNpmStart(dir, database?.url)
  port = npmStart.port
  launcher = launch()
  await ready(launcher)
})

afterAll(async () => {
  await npmStart.end()
  await database?.drop()
  rmSync(dir, { recursive: true, force: true })
})

test('a first start creates a demo tenant, prints its facts and stores them readable by the owner only', async () => {
  const facts = readFacts()
  expect(statSync(join(dir, 'demo.json')).mode & 0o777).toBe(0o600)
  expect(facts.baseUrl).toBe(`http://localhost:${port}`)
  expect(facts.platform.baseUrl).toBe(`http://platform.localhost:${port}`)
  await eventually(async () => launcher.output().includes('.well-known/openid-credential-issuer'))
  for (const fact of [facts.baseUrl, facts.clientId, facts.clientSecret]) expect(launcher.output()).toContain(fact)

  const operator = await signIn(facts.baseUrl, facts)
  expect(await operator.get(`/v1/tenants/${facts.tenantId}/clients`)).toMatchObject({
    status: 200,
    body: { data: [{ clientId: facts.clientId, roles: ['admin'] }] },
  })
  const byAddress = createApi(`http://127.0.0.1:${port}`, `127.0.0.1:${port}`)
  expect(await byAddress.get(`/v1/tenants/${facts.tenantId}/clients`)).toMatchObject({ status: 401 })

  const platform = await signIn(facts.platform.baseUrl, facts.platform)
  expect(await platform.get('/v1/tenants')).toMatchObject({ status: 200, body: { data: [{ id: facts.tenantId }] } })
})

test('the launcher continues as a program of the bundle, in the process that was started', {
  tags: 'once',
}, async () => {
  const own = npmStart.running().find(({ pid }) => pid === launcher.process.pid)
  expect(own?.words).toMatch(/dist\/server\.js shared\/launcher\/run\.ts /)
})

test('a first start prints links that sign in to the consoles of demo tenant and platform, and does not store them', async () => {
  const { baseUrl, clientId, platform } = readFacts()
  await eventually(async () => launcher.output().includes('.well-known/openid-credential-issuer'))
  for (const known of [{ baseUrl, clientId }, platform]) {
    const code = launcher.output().split(`${known.baseUrl}/console/#code=`)[1]?.split('\n')[0]
    expect(readFileSync(join(dir, 'demo.json'), 'utf8')).not.toContain(code)
    const { host } = new URL(known.baseUrl)
    const browser = createApi(`http://127.0.0.1:${port}`, host)
    expect(await browser.post('/console/session', { code }, { 'x-console': '1' })).toMatchObject({
      status: 201,
      body: { clientId: known.clientId },
    })
  }
})

test('people sign in at the development provider, whose secrets are readable by the owner only', {
  tags: 'once',
}, async () => {
  expect(statSync(join(dir, 'identity-provider.json')).mode & 0o777).toBe(0o600)
  const facts = readFacts()
  const operator = await signIn(facts.baseUrl, facts)
  const request = { claimMappings: { given_name: { mapFrom: 'claims.given_name' } } }
  const { body: configuration } = await operator.post('/v2/credentials/compact/configurations', request)
  const tenant = { baseUrl: facts.baseUrl, host: `localhost:${port}` }
  const wallet = newAuthorizationWallet(tenant, facts.baseUrl, configuration.id)
  const code = (await wallet.authorize({}, 'demo-ada')).get('code') ?? ''
  expect(await wallet.redeem(code)).toMatchObject({ status: 200 })
})

test('each process serves its own metrics on its own port, and one of them those of the service', async () => {
  // On SQLite, web and worker share a process.
  const isShared = database === undefined
  const { opsPort, workerPorts } = npmStart
  const ports = {
    web: opsPort,
    signing: workerPorts.SIGNING_OPS_PORT,
    worker: isShared ? opsPort : workerPorts.WORKER_OPS_PORT,
  }
  const scrape = async (name: keyof typeof ports) => (await fetch(`http://127.0.0.1:${ports[name]}/metrics`)).text()
  const [web, signing, worker] = [await scrape('web'), await scrape('signing'), await scrape('worker')]
  for (const [name, text] of Object.entries({ web, signing, worker })) {
    expect(text).toMatch(
      new RegExp(
        `^trustwright_build_info\\{version="[\\d.]+",node="24.*",process="${isShared && name !== 'signing' ? 'web,worker' : name}",database=".*",queue="database"\\} 1$`,
        'm',
      ),
    )
    expect(text).toMatch(/^trustwright_ready 1$/m)
    expect(text).toMatch(/^process_cpu_seconds_total [\d.e-]+$/m)
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
    // No metric has a heading without values.
    expect(text.match(/^# TYPE [^\n]*\n(?=# HELP|$)/gm)).toBeNull()
    if (database) expect(text).toMatch(/^trustwright_database_connections\{pool="reads",state="most"\} 8$/m)
  }
  const namesIn = (text: string) => new Set([...text.matchAll(/^# TYPE (trustwright_\w+)/gm)].map(([, name]) => name))
  const common = [
    'build_info',
    'ready',
    'check_ok',
    'clock_ahead_seconds',
    'seals_total',
    ...(database ? ['database_connections', 'database_connection_waits'] : []),
  ]
  const shared = new Set(common.map((name) => `trustwright_${name}`))
  const own = (text: string) => [...namesIn(text)].filter((name) => !shared.has(String(name)))
  if (!isShared) expect(own(signing).filter((name) => own(web).includes(name))).toEqual([])
  expect(web).toMatch(
    /^trustwright_http_request_duration_seconds_count\{operation="createManagementToken",status="200"\} [1-9]/m,
  )
  if (!isShared) expect(own(web)).not.toContain('trustwright_queue_jobs')
  expect(own(signing)).not.toContain('trustwright_queue_jobs')
  expect(signing).toMatch(
    /^trustwright_job_duration_seconds_bucket\{le="\+Inf",queue="signing",job="signManagementTokens",outcome="done"\} [1-9]/m,
  )
  expect(signing).toMatch(/^trustwright_credentials_issued_total\{profile="compact",asked_by="wallet"\} 0$/m)
  expect(worker).toMatch(/^trustwright_webhook_deliveries_total\{outcome="failed"\} 0$/m)
  expect(worker).toMatch(/^trustwright_queue_jobs\{queue="delivery",state="waiting"\} \d+$/m)
  expect(worker).toMatch(/^trustwright_outbox_oldest_seconds [\d.]+$/m)
})

test('a port or a folder in use is reported before anything is changed', { tags: 'once' }, async () => {
  const samePort = launch()
  expect(await samePort.ended).toBe(1)
  expect(samePort.output()).toContain(`Port ${port} (PORT) is in use`)

  const sameFolder = launch({ PORT: String(await freePort()), OPS_PORT: String(await freePort()), PROVIDER_PORT: '0' })
  expect(await sameFolder.ended).toBe(1)
  expect(sameFolder.output()).toContain(`Another \`npm start\` uses ${dir}`)
  expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200)
})

test('a process that dies stops the others and is named', async () => {
  process.kill(pidOf('workers/main.ts signing'), 'SIGKILL')
  expect(await launcher.ended).toBe(1)
  expect(launcher.output()).toContain('The process "signing" was ended by SIGKILL')
  expect(ours()).toEqual([])
})

test('the next start reuses data and queues, and Ctrl-C stops everything within 10 s', async () => {
  const before = readFacts()
  launcher = launch()
  await ready(launcher)
  expect(readFacts()).toEqual(before)
  await signIn(before.baseUrl, before)
  launcher.process.kill('SIGINT')
  expect(await launcher.ended).toBe(0)
  expect(ours()).toEqual([])
})

test('a start waits as long as its processes live, also for hours of its clock', { tags: 'once' }, async () => {
  launcher = launch({}, [process.execPath, '--import', './test/harness/fast-clock.ts', 'shared/launcher/start.ts'])
  await ready(launcher)
})

test('processes of a killed start end or are taken over, and a lost demo.json gets new clients', {
  tags: 'once',
}, async () => {
  const before = readFacts()
  launcher.process.kill('SIGKILL')
  await eventually(async () => ours().length === 0)

  rmSync(join(dir, 'demo.json'))
  launcher = launch({}, ['npm', 'start'])
  await ready(launcher)
  const after = readFacts()
  expect(after).toMatchObject({ tenantId: before.tenantId, baseUrl: before.baseUrl })
  expect(after.clientId).not.toBe(before.clientId)
  await signIn(after.baseUrl, after)
  await signIn(after.platform.baseUrl, after.platform)
})

test('`npm start` stops its processes, even when npm is killed', { tags: 'once' }, async () => {
  launcher.process.kill('SIGKILL')
  await eventually(async () => ours().length === 0)
})

test('in production a start creates no demo tenant, prints no secret and says how to create the client of the platform', async () => {
  const dataDir = join(dir, 'production')
  mkdirSync(dataDir)
  const own = database && (await newDatabase(dataDir))
  const env = {
    NODE_ENV: 'production',
    PLATFORM_DOMAIN: 'issuer.example',
    PUBLIC_SCHEME: 'http',
    DATA_DIR: dataDir,
    ...(own && { DATABASE_URL: own.url }),
  }
  launcher = launch(env)
  await ready(launcher)
  await eventually(async () => launcher.output().includes('node api/cli/init.ts'))
  const [, command = ''] = /^.*: (.*node api\/cli\/init\.ts)$/m.exec(launcher.output()) ?? []
  const made = await promisify(execFile)('sh', ['-c', command], { env: { ...inherited(), ...env } })
  const { baseUrl, clientId, clientSecret } = JSON.parse(made.stdout)
  expect(baseUrl).toBe('http://platform.issuer.example')
  const platform = await signIn(baseUrl, { clientId, clientSecret })
  expect(await platform.get('/v1/tenants')).toMatchObject({ status: 200, body: { data: [] } })

  expect(existsSync(join(dataDir, 'demo.json'))).toBe(false)
  expect(existsSync(join(dataDir, 'identity-provider.json'))).toBe(false)
  const keys = ['service-secret', 'key-encryption-key'].map((name) => readFileSync(join(dataDir, name), 'utf8').trim())
  for (const word of [...keys, clientSecret, 'secret  ', 'client_secret', 'curl', '#code='])
    expect(launcher.output()).not.toContain(word)
  launcher.process.kill('SIGTERM')
  expect(await launcher.ended).toBe(0)
  await own?.drop()
})

test('on SQLite the start needs no redis-server, and names the folder of an earlier one', {
  tags: 'once',
}, async () => {
  const [dataDir, empty] = [join(dir, 'earlier'), join(dir, 'no-programs')]
  for (const folder of [empty, join(dataDir, 'redis')]) mkdirSync(folder, { recursive: true })
  launcher = launch({ PATH: empty, DATA_DIR: dataDir })
  await ready(launcher)
  expect(launcher.output()).toContain(`Jobs that waited in ${join(dataDir, 'redis')} are queued again.`)
  launcher.process.kill('SIGTERM')
  expect(await launcher.ended).toBe(0)
})

test('with QUEUE=redis and without a redis-server the start prints one message with the command that installs it', {
  tags: 'once',
}, async () => {
  const empty = join(dir, 'empty')
  mkdirSync(empty)
  const { output, ended } = launch({ PATH: empty, QUEUE: 'redis' })
  expect(await ended).toBe(1)
  expect(output().trim()).toMatch(
    /^Trustwright is starting\. This takes some seconds\.\n\nThe command redis-server is missing\..*\n\n {2}apt-get install -y redis-server$/,
  )
})

test('with QUEUE=redis the start runs a redis-server, which keeps its data', { tags: ['once', 'redis'] }, async () => {
  const dataDir = join(dir, 'with-redis')
  for (const kept of [null, 'yes']) {
    launcher = launch({ QUEUE: 'redis', DATA_DIR: dataDir })
    await ready(launcher)
    const redis = connectPatient(readFileSync(join(dataDir, 'redis', 'url'), 'utf8'))
    expect(await redis.get('kept')).toBe(kept)
    await redis.set('kept', 'yes')
    await redis.quit()
    launcher.process.kill('SIGINT')
    expect(await launcher.ended).toBe(0)
    expect(ours()).toEqual([])
  }
})

function readFacts(): Facts {
  return JSON.parse(readFileSync(join(dir, 'demo.json'), 'utf8'))
}

async function signIn(
  baseUrl: string,
  { clientId, clientSecret }: Pick<Facts, 'clientId' | 'clientSecret'>,
): Promise<Api> {
  const origin = `http://127.0.0.1:${port}`
  const { host } = new URL(baseUrl)
  const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials', audience: baseUrl }
  const { status, body } = await createApi(origin, host).post('/oauth/token', new URLSearchParams(form))
  expect(status).toBe(200)
  return createApi(origin, host, body.access_token)
}

/** The processes of this folder besides the launcher. */
function ours(): number[] {
  return npmStart
    .running()
    .map(({ pid }) => pid)
    .filter((pid) => pid !== launcher.process.pid)
}

function pidOf(command: string): number {
  const child = npmStart.running().find(({ words }) => words.includes(command))
  if (!child) throw new Error(`no ${command} runs`)
  return child.pid
}
