import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { readConfig, readKeyEncryptionKeys } from '../../shared/settings/config.ts'
import { type ComposeFile, composeFilesOf, readComposeFile, readDeployFile } from '../harness/deployments.ts'
import { eventually } from '../harness/harness.ts'
import { freePort } from '../harness/redis.ts'

const { services, networks, secrets } = readComposeFile('redis')
const forms = (['database', 'redis'] as const).map((queueIn) => ({ queueIn, file: readComposeFile(queueIn) }))
const dir = mkdtempSync(join(tmpdir(), 'trustwright-compose-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** The commands of docs/deployment.md that make the secrets, also those of Redis, and a certificate. */
beforeAll(() => {
  const certificate = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  const files = ['-keyout', 'privkey.pem', '-out', 'fullchain.pem', '-subj', '/CN=issuer.example.org']
  execFileSync('openssl', [...certificate, ...files], { cwd: dir, stdio: 'ignore' })
  const page = readDeployFile('../deployment.md')
  const blocks = page.match(/(?<=```sh\ncd docs\/deploy\n).*?(?=docker compose)/gs) ?? []
  expect(blocks).toEqual([
    expect.stringContaining('mkdir -m 700 secrets'),
    expect.stringContaining('secrets/redis-url'),
  ])
  for (const block of blocks) execFileSync('sh', ['-euc', block], { cwd: dir })
})

const pathOf = (name: string) => join(dir, 'secrets', name)

test('no container gains rights, writes to its root, or has resources without a limit', () => {
  for (const [name, service] of Object.entries(services)) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      deploy: { resources: { limits: { cpus: expect.any(String), memory: expect.any(String) } } },
      pids_limit: expect.any(Number),
    })
    if (name !== 'release') expect(service.healthcheck.test, name).toBeDefined()
  }
  const processes = ['web', 'signing', 'worker']
  for (const name of processes)
    expect(services[name]?.healthcheck.test).toEqual(['CMD', 'node', 'shared/check-health.ts', name])
})

test('only the proxy publishes ports, and only web and workers can reach the internet', () => {
  const published = Object.entries(services).filter(([, { ports }]) => ports)
  expect(published.map(([name]) => name)).toEqual(['proxy'])
  const internal = Object.keys(networks).filter((name) => networks[name]?.internal)
  expect(internal).toEqual(['data'])
  const withWayOut = Object.entries(services).filter(([, of]) => of.networks.some((name) => !internal.includes(name)))
  expect(withWayOut.map(([name]) => name).sort()).toEqual(['proxy', 'web', 'worker'])
})

test.each(forms)(
  'with queues in $queueIn, processes start after the migration, and the proxy after web',
  ({ queueIn, file }) => {
    const redis = queueIn === 'redis' ? { redis: { condition: 'service_healthy' } } : {}
    for (const name of ['web', 'signing', 'worker'])
      expect(file.services[name]?.depends_on).toEqual({
        release: { condition: 'service_completed_successfully' },
        ...redis,
      })
    expect(file.services.release?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    expect(file.services.proxy?.depends_on).toEqual({ web: { condition: 'service_healthy' } })
  },
)

test('without the second file there is no Redis', () => {
  expect(readDeployFile('compose.yaml')).not.toMatch(/redis/i)
})

test('PostgreSQL has connections for two of each process with queues in the database', () => {
  const { command } = services.postgres!
  expect(command.slice(0, 2)).toEqual(['postgres', '-c'])
  const [, connections] = /^max_connections=(\d+)$/.exec(command[2] ?? '') ?? []
  // docs/performance.md: 16, 4 for queues and 1 for notifications.
  expect(Number(connections)).toBeGreaterThan(6 * 21)
})

test('the documented commands make all secrets, and the processes accept them', () => {
  const used = Object.values(services).flatMap((service) => service.secrets ?? [])
  expect([...new Set(used)].sort()).toEqual(Object.keys(secrets).sort())
  for (const [name, { file }] of Object.entries(secrets)) {
    expect(file).toBe(`secrets/${name}`)
    expect(readFileSync(pathOf(name), 'utf8').trim()).not.toBe('')
  }
  const files = Object.entries(services.signing?.environment ?? {}).map(([name, value]) => [
    name,
    value.replace('/run/secrets/', join(dir, 'secrets/')),
  ])
  const variables = readFileSync(join(dir, '.env'), 'utf8')
  expect(variables).toContain(`\nCOMPOSE_FILE=${composeFilesOf('redis').join(':')}\n`)
  const [, domain = ''] = /^PLATFORM_DOMAIN=(.*)\n/.exec(variables) ?? []
  const env = { ...Object.fromEntries(files), NODE_ENV: 'production', PLATFORM_DOMAIN: domain }
  const { databaseUrl, platformDomain } = readConfig(env)
  expect(platformDomain).toBe('issuer.example.org')
  expect(readKeyEncryptionKeys(env)).toHaveLength(1)
  const { username, password, hostname, pathname } = new URL(databaseUrl)
  expect([username, hostname, pathname]).toEqual(['trustwright', 'postgres', '/trustwright'])
  expect(services.postgres?.environment).toMatchObject({ POSTGRES_USER: username })
  expect(password).toBe(readFileSync(pathOf('postgres-password'), 'utf8'))
})

test('Redis starts with its command, requires the password, and is fit for jobs', { tags: 'redis' }, async () => {
  const port = await freePort()
  const words = services.redis!.command.map((word) => word.replace('/run/secrets/', join(dir, 'secrets/')))
  const own = words.map((word) => (word === '/data' ? dir : word))
  const [program = '', ...args] = [...own, '--port', String(port)]
  const server = spawn(program, args, { stdio: 'ignore' })
  const url = readFileSync(pathOf('redis-url'), 'utf8').trim().replace('@redis', `@127.0.0.1:${port}`)
  const redis = connectPatient(url)
  try {
    expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction'])
    expect(await redis.config('GET', 'appendonly')).toEqual(['appendonly', 'yes'])
    const check = services
      .redis!.healthcheck.test![1]!.replaceAll('$$', '$')
      .replace('/run/secrets/', join(dir, 'secrets/'))
    const checked = (of: number) =>
      spawnSync('sh', ['-c', check.replace('redis-cli', `redis-cli -p ${of}`)], { stdio: 'ignore' }).status
    expect([checked(port), checked(await freePort())]).toEqual([0, 1])
    const stranger = new Redis(port, { maxRetriesPerRequest: 1 })
    stranger.on('error', () => undefined)
    await expect(stranger.ping()).rejects.toThrow('NOAUTH')
    stranger.disconnect()
  } finally {
    redis.disconnect()
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
})

/** `docker compose` or the earlier program, which knows no names of projects. Neither needs a daemon for this. */
const programs = [
  { file: 'docker', args: ['compose'], isCurrent: true },
  { file: 'docker-compose', args: [], isCurrent: false },
]
const compose = programs.find(({ file, args }) => spawnSync(file, [...args, 'version']).status === 0)

test.each(forms)(
  'the program of Compose merges the files with queues in $queueIn, and requires the domain',
  {
    tags: 'compose',
  },
  ({ queueIn, file }) => {
    const { file: program = '', args = [], isCurrent } = compose ?? {}
    const names = composeFilesOf(queueIn)
    for (const name of names) {
      const content = readDeployFile(name)
      writeFileSync(join(dir, name), isCurrent ? content : content.replace(/^name: .*\n/m, ''))
    }
    rmSync(join(dir, '.env'), { force: true })
    const check = (env: Record<string, string>) =>
      spawnSync(program, [...args, ...names.flatMap((name) => ['-f', join(dir, name)]), 'config'], {
        env: { PATH: process.env.PATH ?? '', HOME: dir, ...env },
        encoding: 'utf8',
      })
    const merged = check({ PLATFORM_DOMAIN: 'issuer.example.org' })
    expect(merged).toMatchObject({ status: 0, stderr: '' })
    const secretsOf = ({ secrets: names = [] }: { secrets?: (string | { source: string })[] }) =>
      names.map((each) => (typeof each === 'string' ? each : each.source)).sort()
    const listSecrets = (of: ComposeFile['services']) =>
      Object.entries(of).map(([name, each]) => [name, secretsOf(each)])
    expect(listSecrets(parse(merged.stdout).services).sort()).toEqual(listSecrets(file.services).sort())
    expect(check({}).stderr).toContain('Set PLATFORM_DOMAIN in .env')
  },
)

test('Caddy accepts its file with the certificate', { tags: 'caddy' }, () => {
  const { status, stderr } = spawnSync('caddy', ['validate', '--config', writeCaddyfile()], {
    env: caddyEnvironment(),
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  expect(stderr).not.toContain('not formatted')
})

test('Caddy passes on the host of a tenant, and replaces what a client claims of itself', {
  tags: 'caddy',
}, async () => {
  const [http, https] = [await freePort(), await freePort()]
  const upstream = createServer(({ headers }, response) => void response.end(JSON.stringify(headers)))
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { port } = upstream.address() as AddressInfo
  const config = writeCaddyfile(
    ['admin 127.0.0.1:2019', `admin off\n\thttp_port ${http}\n\thttps_port ${https}`],
    ['dynamic a web 3000', `dynamic a localhost ${port}`],
  )
  const proxy = spawn('caddy', ['run', '--config', config], { env: caddyEnvironment(), stdio: 'ignore' })
  try {
    const host = 'university.issuer.example.org'
    const claimed = { 'X-Forwarded-For': '203.0.113.1', 'X-Forwarded-Proto': 'http', 'X-Forwarded-Host': 'other' }
    const received = await eventually(() => askProxy(https, { Host: host, ...claimed }).catch(() => undefined))
    expect(received).toMatchObject({
      host,
      ...{ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https', 'x-forwarded-host': host },
    })
  } finally {
    proxy.kill('SIGKILL')
    await once(proxy, 'exit')
    upstream.close()
  }
})

const caddyEnvironment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: dir,
  PLATFORM_DOMAIN: 'issuer.example.org',
})

/** Writes the Caddyfile for this machine: with the secrets of this test, and other replacements. */
function writeCaddyfile(...replacements: [string, string][]): string {
  const file = join(dir, 'Caddyfile')
  const content = readDeployFile('Caddyfile').replaceAll('/run/secrets/', join(dir, 'secrets/'))
  for (const [from] of replacements) expect(content).toContain(from)
  writeFileSync(
    file,
    replacements.reduce((changed, [from, to]) => changed.replace(from, to), content),
  )
  return file
}

/** Returns the headers that the server behind the proxy gets. The certificate of the test has no authority. */
async function askProxy(port: number, headers: Record<string, string>): Promise<object> {
  const options = { host: '127.0.0.1', port, headers, servername: headers.Host ?? '', rejectUnauthorized: false }
  const request = get(options)
  const [response] = await once(request, 'response')
  return JSON.parse(await text(response))
}
