import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { readConfig, readKeyEncryptionKeys, readMigrationConfig } from '../../shared/settings/config.ts'
import { settings } from '../../shared/settings/settings.ts'
import { workerRolesOf } from '../../workers/worker-roles.ts'
import {
  type Deployment,
  isSecret,
  podOf,
  readCompose,
  readComposeFile,
  readContainerfile,
  readDeployFile,
  readKubernetes,
  readManifests,
  readProcfile,
  readUnits,
  unitFolder,
  unitOf,
  valuesOf,
} from '../harness/deployments.ts'

const processes = readProcfile()
const names = Object.keys(processes)
const all = (['database', 'redis'] as const).flatMap((queueIn) => [
  { by: 'systemd', queueIn, deployment: readUnits(queueIn) },
  { by: 'Compose', queueIn, deployment: readCompose(queueIn) },
  { by: 'Kubernetes', queueIn, deployment: readKubernetes(readManifests(queueIn)) },
])

/** Values for the secrets, which are in no file of the project. */
const key = Buffer.alloc(32).toString('base64')
const secretValues: Record<string, string> = {
  SERVICE_SECRET: key,
  KEY_ENCRYPTION_KEY: key,
  DATABASE_URL: 'postgres://trustwright:secret@postgres/trustwright',
  REDIS_URL: 'redis://:secret@redis',
}

/** The environment of a process, with the variables of Compose that an operator sets. */
function environmentOf(deployment: Deployment, name: string): Record<string, string> {
  const { settings: given, files } = deployment[name]!
  const values = Object.entries(given).map(([setting, value]) => [
    setting,
    value.replace(/^\$\{PLATFORM_DOMAIN.*\}$/, 'issuer.example.org').replace('%S/', '/var/lib/'),
  ])
  return {
    ...Object.fromEntries(values),
    ...Object.fromEntries(Object.keys(files).map((each) => [each, secretValues[each]!])),
  }
}

test.each(all)('$by with queues in $queueIn has the commands of the Procfile, and no others', ({ deployment }) => {
  const commands = Object.entries(deployment).map(([name, { command }]) => [name, command])
  expect(Object.fromEntries(commands)).toEqual(processes)
})

test.each(all)(
  '$by with queues in $queueIn sets known settings, and secrets by files of the process',
  ({ deployment }) => {
    for (const [name, { settings: given, files, secrets }] of Object.entries(deployment)) {
      expect(
        Object.keys(given).filter((each) => !(each in settings) && each !== 'PATH'),
        name,
      ).toEqual([])
      expect(Object.keys(given).filter(isSecret), name).toEqual([])
      expect(
        Object.keys(files).filter((each) => !isSecret(each)),
        name,
      ).toEqual([])
      expect(Object.values(files).sort(), name).toEqual([...secrets].sort())
    }
  },
)

test.each(all)(
  '$by with queues in $queueIn gives each process the secrets that it needs, and the key-encryption key to signing only',
  ({ queueIn, deployment }) => {
    const common = ['DATABASE_URL', ...(queueIn === 'redis' ? ['REDIS_URL'] : []), 'SERVICE_SECRET']
    const secrets = Object.entries(deployment).map(([name, { files }]) => [name, Object.keys(files).sort()])
    expect(Object.fromEntries(secrets)).toEqual({
      release: ['DATABASE_URL'],
      web: common,
      signing: [...common, 'KEY_ENCRYPTION_KEY'].sort(),
      worker: common,
    })
  },
)

test.each(all)(
  '$by with queues in $queueIn sets what each process needs to start in production, with the ports of the others',
  ({ queueIn, deployment }) => {
    const { release, ...services } = deployment
    expect(release).toBeDefined()
    expect(readMigrationConfig(environmentOf(deployment, 'release')).production).toBe(true)
    expect(readKeyEncryptionKeys(environmentOf(deployment, 'signing'))).toHaveLength(1)
    for (const name of Object.keys(services)) {
      const config = readConfig(environmentOf(deployment, name))
      const { production, platformDomain, port, opsPort, signingOpsPort, workerOpsPort, trustedProxies } = config
      expect([name, production, platformDomain]).toEqual([name, true, 'issuer.example.org'])
      expect(config.queueIn).toBe(queueIn)
      expect([port, opsPort, signingOpsPort, workerOpsPort]).toEqual([3000, 3001, 3003, 3004])
      if (name === 'web') expect(trustedProxies).toHaveLength(1)
    }
  },
)

test('proxies, probes, the image and scrapers use the ports of the settings', () => {
  const config = readConfig(environmentOf(readCompose('database'), 'web'))
  const { lineOf } = readContainerfile()
  expect(lineOf('EXPOSE')).toBe(String(config.port))
  expect(readDeployFile('Caddyfile')).toContain(`dynamic a web ${config.port} {`)
  const { edge } = readComposeFile('database').networks
  expect(config.trustedProxies).toEqual([edge?.ipam?.config[0]?.subnet])

  const opsPorts = { web: config.opsPort, signing: config.signingOpsPort, worker: config.workerOpsPort }
  for (const workload of readManifests('database').filter(({ kind }) => kind === 'Deployment')) {
    const [{ name, ports, ...probes }] = podOf(workload).containers
    const ops = opsPorts[name as keyof typeof opsPorts]
    const http = name === 'web' ? [{ name: 'http', containerPort: config.port }] : []
    expect(ports).toEqual([...http, { name: 'ops', containerPort: ops }])
    expect(workload.spec.template.metadata.annotations['prometheus.io/port']).toBe(String(ops))
    const port = name === 'web' ? 'http' : 'ops'
    expect(probes).toMatchObject({
      startupProbe: { httpGet: { path: '/health/live', port } },
      livenessProbe: { httpGet: { path: '/health/live', port } },
      readinessProbe: { httpGet: { path: '/health/ready', port } },
    })
  }
})

test('the Containerfile has the command of web, the version, an unprivileged user and a health check', () => {
  const { text, lineOf, environment } = readContainerfile()
  expect(JSON.parse(lineOf('CMD'))).toEqual(['node', ...processes.web!])
  expect(text).toContain(`ARG VERSION=${manifest.version}\n`)
  expect(text).toContain(manifest.description)
  expect(lineOf('USER')).toBe('10001:10001')
  expect(lineOf('HEALTHCHECK')).toContain('CMD ["node", "shared/check-health.ts"]')
  expect(environment).toEqual({ PATH: '/usr/local/bin', NODE_ENV: 'production', DATA_DIR: '/data' })
})

test('roles in one process have the queues of their processes in the Procfile', () => {
  for (const [name, roles] of Object.entries(workerRolesOf))
    expect(processes[name]!.slice(-roles.length)).toEqual(roles)
})

test('the target of systemd starts all processes, by the Node.js of the project', () => {
  const target = valuesOf(join(unitFolder, 'trustwright.target'), 'Wants').join(' ').split(' ')
  const services = names.filter((name) => name !== 'release').map((name) => `trustwright-${name}.service`)
  expect(target.sort()).toEqual(services.sort())
  for (const name of names)
    expect(valuesOf(unitOf(name), 'ExecStart')[0]).toMatch(/^\/opt\/trustwright\/node_modules\/\.bin\/node /)
})

const dir = mkdtempSync(join(tmpdir(), 'trustwright-units-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** The commands of docs/installation.md that add Redis to the units, in a folder of this test. */
function addRedis(): string {
  const page = readDeployFile('../installation.md')
  const [commands = ''] = /(?<=```sh\n)for unit in .*?(?=systemctl)/s.exec(page) ?? []
  cpSync(unitFolder, dir, { recursive: true })
  execFileSync('sh', [
    '-euc',
    commands.replaceAll('/etc/systemd/system', dir).replace('docs/deploy/systemd', unitFolder),
  ])
  const changed = globSync('*.service.d/redis.conf', { cwd: dir }).sort()
  expect(changed).toEqual(['signing', 'web', 'worker'].map((name) => `trustwright-${name}.service.d/redis.conf`))
  return dir
}

test.each([
  ['in the database', () => unitFolder],
  ['in Redis', addRedis],
])('systemd accepts the units with queues %s, and finds an exposure below 2.0', { tags: 'systemd' }, (_, folderOf) => {
  const folder = folderOf()
  for (const name of names) {
    const unit = join(folder, basename(unitOf(name)))
    const verified = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', unit], { encoding: 'utf8' })
    // The program is not installed here.
    expect(verified.stderr.split('\n').filter((line) => line && !line.includes('is not executable'))).toEqual([])
    const report = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
      encoding: 'utf8',
    })
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(report) ?? []
    expect(Number(exposure), report).toBeLessThan(2)
    expect(Number(exposure)).toBeGreaterThan(0)
  }
})
