import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundleFile } from '../../shared/launcher/bundle.ts'
import { type ClientFacts, readDemoFacts } from '../../shared/launcher/demo-facts.ts'
import { parseProcfile } from '../../shared/launcher/procfile.ts'
import type { QueueIn } from '../../shared/settings/config.ts'
import { startPostgres } from '../harness/postgres.ts'
import { freePort, startRedis } from '../harness/redis.ts'
import { allocationCounter } from './allocations.ts'
import type { BenchDatabase } from './options.ts'

/** The processes of the Procfile, a Redis and a database as in production, with their own data. */
export interface Stack {
  origin: string
  /** The origins of all web processes. */
  origins: string[]
  /** The metrics origins of the first web process and the first worker. */
  opsOrigins: string[]
  issuer: string
  /** The management client of the demo tenant. */
  clientId: string
  clientSecret: string
  /** The client of the platform. */
  platform: ClientFacts
  databaseUrl: string
  redisUrl: string
  redisPrefix: string
  queueIn: QueueIn
  /** The processes whose CPU time and memory count. */
  pids: Record<string, number>
  /** The processes of Node among them. */
  nodeProcesses: Record<string, ChildProcess>
  stop(): Promise<void>
}

export const ownRoot = fileURLToPath(new URL('../..', import.meta.url))
const redisPrefix = 'bench'

/** PostgreSQL with durable writes, unlike the server of the tests, and with statistics (database-counts.ts). */
const durable = {
  ...{ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' },
  shared_preload_libraries: 'pg_stat_statements',
}

export interface StackOptions {
  profileDir?: string | undefined
  /** The number of processes of each kind. */
  each?: number
  /** A module of the benchmark that each process loads first. With `fromSources` it can patch any dependency. */
  preload?: string | undefined
  /** Runs the sources instead of the bundle, which holds most dependencies. */
  fromSources?: boolean
  /** The folder of the version that runs. */
  root?: string
  /** The system that stores the queues. */
  queueIn?: QueueIn | undefined
  /** More settings. */
  env?: Record<string, string> | undefined
}

export async function startStack(
  database: BenchDatabase,
  {
    profileDir,
    each = 1,
    preload,
    fromSources = false,
    root = ownRoot,
    env: more = {},
    queueIn = 'redis',
  }: StackOptions,
): Promise<Stack> {
  await using started = new AsyncDisposableStack()
  const dir = started.adopt(mkdtempSync(join(tmpdir(), 'trustwright-bench-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  )
  const redis = started.adopt(await startRedis({ dir, on: 'socket' }), (each) => each.stop())
  const [port, opsPort, workerOpsPort] = [await freePort(), await freePort(), await freePort()]
  const postgres =
    database === 'postgres' ? started.adopt(await startPostgres(durable), (each) => each.stop()) : undefined
  const databaseUrl = postgres?.url ?? `file:${join(dir, 'bench.db')}`
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    PORT: String(port),
    OPS_PORT: String(opsPort),
    SIGNING_OPS_PORT: '0',
    WORKER_OPS_PORT: String(workerOpsPort),
    PLATFORM_DOMAIN: `localhost:${port}`,
    DATA_DIR: dir,
    DATABASE_URL: databaseUrl,
    ...(queueIn === 'redis' ? { REDIS_URL: redis.url } : { QUEUE: 'database' }),
    REDIS_PREFIX: redisPrefix,
    OUTBOUND_ALLOW_LOOPBACK: '1',
    SERVICE_SECRET: randomBytes(32).toString('base64'),
    LIMIT_ANONYMOUS_PER_MINUTE: '0', // all requests come from one address
    ...more,
  }
  const start = (command: string, env: NodeJS.ProcessEnv, nodeOptions: string[] = []) =>
    startProcess(fromSources ? command.replace(` ${bundleFile} `, ' ') : command, { cwd: root, env }, nodeOptions)
  const run = async (command: string) => {
    const [code] = await once(start(command, env), 'exit')
    if (code !== 0) throw new Error(`${command} ended with ${code}`)
  }
  const keyEncryptionKey = randomBytes(32).toString('base64')
  const envOf = (name: string, common: NodeJS.ProcessEnv) =>
    name === 'signing' ? { ...common, KEY_ENCRYPTION_KEY: keyEncryptionKey } : common
  // Earlier versions have no bundle.
  if (existsSync(join(root, 'api/cli/build-server.ts'))) await run('node api/cli/build-server.ts')
  const entries = parseProcfile(readFileSync(join(root, 'Procfile'), 'utf8'))
  for (const { command } of entries.filter(({ name }) => name === 'release')) await run(command)
  const nodeProcesses: Record<string, ChildProcess> = {}
  for (const { name, command } of entries.filter((entry) => entry.name !== 'release')) {
    const nodeOptions = [allocationCounter, ...preloadOf(preload), ...profileOf(name, profileDir)]
    nodeProcesses[name] = started.adopt(start(command, envOf(name, env), nodeOptions), end)
  }
  const origin = `http://127.0.0.1:${port}`
  const origins = [origin]
  for (let number = 2; number <= each; number++) {
    const own = { ...env, PORT: String(await freePort()), OPS_PORT: String(await freePort()), WORKER_OPS_PORT: '0' }
    for (const { name, command } of entries.filter((entry) => entry.name !== 'release'))
      nodeProcesses[`${name} ${number}`] = started.adopt(start(command, envOf(name, own), [allocationCounter]), end)
    origins.push(`http://127.0.0.1:${own.PORT}`)
  }
  const pids = Object.fromEntries(Object.entries(nodeProcesses).map(([name, { pid = 0 }]) => [name, pid]))
  if (queueIn === 'redis') pids.redis = redis.process.pid ?? 0
  if (postgres) pids.postgres = postgres.pid ?? 0
  await run(`node ${commandFile(root, 'init.ts')} --demo`)
  for (const ready of origins) await untilReady(ready)
  const facts = readDemoFacts(dir)
  if (!facts) throw new Error('init.ts left no facts')
  const { baseUrl: issuer, clientId, clientSecret, platform } = facts
  const running = started.move()
  const stop = () => running.disposeAsync()
  const opsOrigins = [opsPort, workerOpsPort].map((each) => `http://127.0.0.1:${each}`)
  return {
    origin,
    origins,
    opsOrigins,
    issuer,
    clientId,
    clientSecret,
    platform,
    databaseUrl,
    redisUrl: redis.url,
    redisPrefix,
    queueIn,
    pids,
    nodeProcesses,
    stop,
  }
}

/**
 * `--cpu-prof` writes a file for each thread of the process when the thread ends. The file names are those of Node, because all threads
 * would write to a given name.
 */
function profileOf(name: string, dir: string | undefined): string[] {
  if (!dir) return []
  const own = resolve(dir, name)
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  return ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${own}`]
}

function preloadOf(file: string | undefined): string[] {
  return file === undefined ? [] : [`--import=${new URL(file, import.meta.url)}`]
}

/** Returns the path of a command of the API. Earlier versions have it in another folder. */
function commandFile(root: string, name: string): string {
  return existsSync(join(root, 'api/cli', name)) ? `api/cli/${name}` : `api/${name}`
}

/** Starts a process. Its log is written, as in production, and discarded. */
function startProcess(
  command: string,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  nodeOptions: string[],
): ChildProcess {
  const [file = '', ...args] = command.split(/\s+/)
  if (file !== 'node') throw new Error(`the Procfile starts ${file}, which the benchmark does not know`)
  return spawn(process.execPath, [...nodeOptions, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

export async function untilReady(origin: string): Promise<void> {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    const ready = await fetch(`${origin}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await sleep(50)
  }
  throw new Error('the service did not get ready')
}
