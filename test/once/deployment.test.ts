import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { readConfig, readKeyEncryptionKeys, readMigrationConfig } from '../../shared/settings/config.ts'
import { settings } from '../../shared/settings/settings.ts'
import { workerRolesOf } from '../../workers/worker-roles.ts'
import {
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
const deployments = { systemd: readUnits(), compose: readCompose(), kubernetes: readKubernetes() }
const all = Object.entries(deployments)

/** Values for the secrets, which are in no file of the project. */
const key = Buffer.alloc(32).toString('base64')
const secretValues: Record<string, string> = {
  SERVICE_SECRET: key,
  KEY_ENCRYPTION_KEY: key,
  DATABASE_URL: 'postgres://trustwright:secret@postgres/trustwright',
  REDIS_URL: 'redis://:secret@redis',
}

/** The environment of a process, with the variables of Compose that an operator sets. */
function environmentOf(deployment: keyof typeof deployments, name: string): Record<string, string> {
  const { settings: given, files } = deployments[deployment][name]!
  const values = Object.entries(given).map(([setting, value]) => [
    setting,
    value.replace(/^\$\{PLATFORM_DOMAIN.*\}$/, 'issuer.example.org').replace('%S/', '/var/lib/'),
  ])
  return {
    ...Object.fromEntries(values),
    ...Object.fromEntries(Object.keys(files).map((each) => [each, secretValues[each]!])),
  }
}

test.each(all)('%s has the processes and the commands of the Procfile, and no others', (_, deployment) => {
  const commands = Object.entries(deployment).map(([name, { command }]) => [name, command])
  expect(Object.fromEntries(commands)).toEqual(processes)
})

test.each(all)('%s sets known settings only, and secrets only by files that the process gets', (_, deployment) => {
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
})

test.each(all)(
  '%s gives each process the secrets that it needs, and the key-encryption key to signing only',
  (_, deployment) => {
    const common = ['DATABASE_URL', 'REDIS_URL', 'SERVICE_SECRET']
    const secrets = Object.entries(deployment).map(([name, { files }]) => [name, Object.keys(files).sort()])
    expect(Object.fromEntries(secrets)).toEqual({
      release: ['DATABASE_URL'],
      web: common,
      signing: [...common, 'KEY_ENCRYPTION_KEY'].sort(),
      worker: common,
    })
  },
)

test.each(Object.keys(deployments) as (keyof typeof deployments)[])(
  '%s sets what each process needs to start in production, with the ports of the others',
  (deployment) => {
    const { release, ...services } = deployments[deployment]
    expect(release).toBeDefined()
    expect(readMigrationConfig(environmentOf(deployment, 'release')).production).toBe(true)
    expect(readKeyEncryptionKeys(environmentOf(deployment, 'signing'))).toHaveLength(1)
    for (const name of Object.keys(services)) {
      const { production, platformDomain, port, opsPort, signingOpsPort, workerOpsPort, trustedProxies } = readConfig(
        environmentOf(deployment, name),
      )
      expect([name, production, platformDomain]).toEqual([name, true, 'issuer.example.org'])
      expect([port, opsPort, signingOpsPort, workerOpsPort]).toEqual([3000, 3001, 3003, 3004])
      if (name === 'web') expect(trustedProxies).toHaveLength(1)
    }
  },
)

test('proxies, probes, the image and scrapers use the ports of the settings', () => {
  const config = readConfig(environmentOf('compose', 'web'))
  const { lineOf } = readContainerfile()
  expect(lineOf('EXPOSE')).toBe(String(config.port))
  expect(readDeployFile('Caddyfile')).toContain(`dynamic a web ${config.port} {`)
  const { edge } = readComposeFile().networks
  expect(config.trustedProxies).toEqual([edge?.ipam?.config[0]?.subnet])

  const opsPorts = { web: config.opsPort, signing: config.signingOpsPort, worker: config.workerOpsPort }
  for (const workload of readManifests().filter(({ kind }) => kind === 'Deployment')) {
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

test('systemd accepts the units, and finds an exposure below 2.0', { tags: 'systemd' }, () => {
  for (const name of names) {
    const unit = unitOf(name)
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
