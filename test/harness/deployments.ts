import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { parseProcfile } from '../../shared/launcher/procfile.ts'
import type { QueueIn } from '../../shared/settings/config.ts'
import { secretSettings } from '../../shared/settings/secret-files.ts'

/**
 * Reads the processes of the Procfile, of the units for systemd, of the Compose files and of the manifests for Kubernetes. The last three
 * have two forms: with queues in the database, and with additions for Redis.
 */

export interface Deployed {
  /** The arguments, without the program. */
  command: string[]
  /** Settings with their values. The settings of the image are included. */
  settings: Record<string, string>
  /** The settings whose values are in files, with the names of the files. */
  files: Record<string, string>
  /** The secrets that the process can read. */
  secrets: string[]
}

export type Deployment = Record<string, Deployed>

const project = join(import.meta.dirname, '../..')
export const deployFolder = join(project, 'docs/deploy')
export const unitFolder = join(deployFolder, 'systemd')
export const kubernetesFolder = join(deployFolder, 'kubernetes')
export const readDeployFile = (path: string) => readFileSync(join(deployFolder, path), 'utf8')

export const isSecret = (name: string) => secretSettings.some((each) => each === name)

export function readProcfile(): Record<string, string[]> {
  const entries = parseProcfile(readFileSync(join(project, 'Procfile'), 'utf8'))
  return Object.fromEntries(entries.map(({ name, command }) => [name, command.split(' ').slice(1)]))
}

/** Divides variables into settings and those with the name of a file. */
function divide(variables: Record<string, string>): Pick<Deployed, 'settings' | 'files'> {
  const all = Object.entries(variables)
  const fileOf = (name: string) => (name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : undefined)
  return {
    settings: Object.fromEntries(all.filter(([name]) => fileOf(name) === undefined)),
    files: Object.fromEntries(all.flatMap(([name, value]) => (fileOf(name) ? [[fileOf(name), basename(value)]] : []))),
  }
}

const variablesOf = (lines: string[]) =>
  Object.fromEntries(lines.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]))

/** The migration has its own name as a unit. */
export const unitOf = (name: string) => join(unitFolder, `trustwright-${name === 'release' ? 'migrate' : name}.service`)

export const redisDropIn = join(unitFolder, 'redis.conf')

/** Returns the values of a directive of a unit. */
export function valuesOf(unit: string, directive: string): string[] {
  return [...readFileSync(unit, 'utf8').matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'))].map(
    ([, value = '']) => value,
  )
}

export function readUnits(queueIn: QueueIn): Deployment {
  const shared = variablesOf(readDeployFile('systemd/trustwright.env').match(/^[A-Z_]+=.*$/gm) ?? [])
  const names = globSync('*.service', { cwd: unitFolder }).map((file) =>
    file.replace('trustwright-', '').replace('.service', '').replace('migrate', 'release'),
  )
  return Object.fromEntries(
    names.map((name) => {
      const files = [unitOf(name), ...(queueIn === 'redis' && name !== 'release' ? [redisDropIn] : [])]
      const all = (directive: string) => files.flatMap((file) => valuesOf(file, directive))
      const [, ...command] = all('ExecStart')[0]?.split(' ') ?? []
      const secrets = all('LoadCredential').map((each) => each.split(':')[0] ?? '')
      return [name, { command, ...divide({ ...shared, ...variablesOf(all('Environment')) }), secrets }]
    }),
  )
}

/** The settings of the image. */
export function readContainerfile() {
  const text = readDeployFile('Containerfile').replaceAll('\\\n', '')
  const lineOf = (instruction: string) => text.match(new RegExp(`^${instruction} (.*)$`, 'm'))?.[1] ?? ''
  const environment = variablesOf(lineOf('ENV').split(' '))
  return { text, lineOf, environment }
}

interface Service {
  image: string
  command: string[]
  environment?: Record<string, string>
  secrets?: string[]
  networks: string[]
  ports?: string[]
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck: { test?: string[]; disable?: boolean }
  deploy: { resources: { limits: { cpus: string; memory: string } } }
  pids_limit: number
}

export interface ComposeFile {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>
  secrets: Record<string, { file: string }>
}

/** The files of Compose, in their order. */
export const composeFilesOf = (queueIn: QueueIn) => [
  'compose.yaml',
  ...(queueIn === 'redis' ? ['compose.redis.yaml'] : []),
]

export function readComposeFile(queueIn: QueueIn): ComposeFile {
  const files = composeFilesOf(queueIn).map((name) => parse(readDeployFile(name), { merge: true }))
  return files.reduce(mergeFiles)
}

/** Merges as Compose does: lists of secrets are joined, and maps by their keys. */
function mergeFiles(base: Manifest, added: Manifest): Manifest {
  const entries = Object.entries(added).map(([key, value]) => {
    const current = base[key]
    if (Array.isArray(current)) return [key, [...current, ...value]]
    return [key, typeof current === 'object' ? mergeFiles(current, value) : value]
  })
  return { ...base, ...Object.fromEntries(entries) }
}

export function readCompose(queueIn: QueueIn): Deployment {
  const { services } = readComposeFile(queueIn)
  const own = Object.entries(services).filter(([, { image }]) => image.startsWith('trustwright:'))
  const { environment: ofImage } = readContainerfile()
  return Object.fromEntries(
    own.map(
      ([
        name,
        {
          command: [, ...command],
          environment,
          secrets = [],
        },
      ]) => {
        return [name, { command, ...divide({ ...ofImage, ...environment }), secrets }]
      },
    ),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any member
export type Manifest = Record<string, any>

/** The objects of the base, and the settings that base and example give to its processes. */
export function readManifests(queueIn: QueueIn): Manifest[] {
  const files = globSync('base/*.yaml', { cwd: kubernetesFolder }).filter(
    (file) => !file.endsWith('kustomization.yaml'),
  )
  const base = [...files.sort().flatMap(readManifestFile), ...configMaps()]
  if (queueIn === 'database') return base
  for (const deployment of base.filter(({ kind }) => kind === 'Deployment'))
    for (const { op, path, value } of parse(readDeployFile('kubernetes/components/redis/redis-url.yaml')))
      if (op === 'add') listAt(deployment, path).push(value)
  return [...base, ...readManifestFile('components/redis/network-policy.yaml')]
}

const readManifestFile = (file: string) => parseManifests(readFileSync(join(kubernetesFolder, file), 'utf8'))

/** Returns the list to which a JSON patch adds, such as `/spec/template/spec/containers/0/env/-`. */
const listAt = (manifest: Manifest, path: string) =>
  path
    .split('/')
    .slice(1, -1)
    .reduce((value, key) => value[key], manifest)

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text, { merge: true }).map((document) => document.toJS())
}

function configMaps(): Manifest[] {
  const generators = ['base', 'overlays/example'].flatMap(
    (folder) => parse(readFileSync(join(kubernetesFolder, folder, 'kustomization.yaml'), 'utf8')).configMapGenerator,
  )
  return [...Map.groupBy(generators, ({ name }) => name)].map(([name, all]) => {
    const data = variablesOf(all.flatMap(({ literals }) => literals))
    return { kind: 'ConfigMap', metadata: { name }, data }
  })
}

export const podOf = (manifest: Manifest) => manifest.spec.template.spec

export function readKubernetes(manifests: Manifest[]): Deployment {
  const workloads = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  const { environment: ofImage } = readContainerfile()
  return Object.fromEntries(
    workloads.map((workload) => {
      const { containers, volumes } = podOf(workload)
      const [{ name, command, env, envFrom = [] }] = containers
      const maps = envFrom.map(({ configMapRef }: Manifest) => {
        return manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef.name)?.data
      })
      const own = Object.fromEntries(env.map(({ name: variable, value }: Manifest) => [variable, value]))
      const secrets = volumes.flatMap(({ secret }: Manifest) => {
        return secret?.items?.map(({ path }: Manifest) => path) ?? (secret ? ['key-encryption-key'] : [])
      })
      const variables = { ...ofImage, ...Object.assign({}, ...maps), ...own }
      return [name, { command: command.slice(1), ...divide(variables), secrets }]
    }),
  )
}
