import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createTenant } from '../../api/tenancy/tenants/create.ts'
import { type Database, openDatabase } from '../../db/client.ts'
import type { TenantSettings } from '../../db/tables/tenancy/tenants.ts'
import { systemClock } from '../../shared/clock.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { createKeys } from '../../shared/jobs/keys.ts'
import { bundleFile } from '../../shared/launcher/bundle.ts'
import { createSecrets, type Secrets } from '../../shared/secrets/secrets.ts'
import type { QueueIn } from '../../shared/settings/config.ts'
import { type Config, readConfig } from '../../shared/settings/config.ts'
import { openBrokerWithoutSockets } from './broker.ts'
import { newDatabase } from './database.ts'
import { readProcfile } from './deployments.ts'
import { type TestTenant, testTenant } from './harness.ts'
import { commandsOfImage, inImage, type Program } from './image-root.ts'
import { readAnswer } from './lazy-answer.ts'
import { freePort, startRedis, type TestRedis } from './redis.ts'
import { inherited } from './started.ts'
import { suspend } from './suspend.ts'
import { testQueueIn } from './test-queue.ts'

/**
 * `second web` has its own port. It, `second signing` and `second worker` run beside the first ones after `start`. `web,worker` and `all` are processes of several
 * roles.
 */
export type ProcessName =
  | 'web'
  | 'second web'
  | 'signing'
  | 'second signing'
  | 'worker'
  | 'second worker'
  | 'web,worker'
  | 'all'

const workerWords = ['workers/main.ts', 'relay', 'scheduler', 'publishing', 'delivery', 'analytics', 'upkeep']

/** The processes of the Procfile and those of several roles, each with the log line of its readiness. */
const commands: Record<ProcessName, { words: string[]; works: string }> = {
  web: { words: ['api/main.ts'], works: '"msg":"serving"' },
  'second web': { words: ['api/main.ts'], works: '"msg":"serving"' },
  signing: { words: ['workers/main.ts', 'signing', 'signing-bulk'], works: '"msg":"working"' },
  'second signing': { words: ['workers/main.ts', 'signing', 'signing-bulk'], works: '"msg":"working"' },
  worker: { words: workerWords, works: '"msg":"working"' },
  'second worker': { words: workerWords, works: '"msg":"working"' },
  'web,worker': { words: ['api/combined/main.ts'], works: '"msg":"serving"' },
  all: { words: ['api/combined/main.ts'], works: '"msg":"serving"' },
}

/** The service as separate processes with one tenant, which tests can kill, and the database and queues that they use. */
export interface Processes {
  origin: string
  /** The origin of `second web`. */
  secondOrigin: string
  tenant: TestTenant
  /** The first alias is in its base URL. */
  addTenant(settings?: Partial<TenantSettings>, aliases?: string[]): Promise<TestTenant>
  /** The folder of the files of Redis, and of the database on SQLite. */
  dir: string
  databaseUrl: string
  config: Config
  /** The same database and queues as the processes have. */
  db: Database
  bus: Bus
  /** Opens what the processes seal. */
  secrets: Secrets
  /** Kills a process and waits for its end. Also `redis`, which keeps its data. Without Redis, `config.queueIn` is `database`. */
  kill(name: ProcessName | 'redis'): Promise<void>
  /** Sends SIGTERM to a process and returns its exit code. */
  stop(name: ProcessName): Promise<number | null>
  /** Restarts a killed process, with `env` in addition, and waits until it is ready. Rejects if it ends before. */
  start(name: ProcessName | 'redis', env?: Record<string, string>): Promise<void>
  /** The memory that a process has now. `bytes` is undefined if it does not run. */
  memoryOf(name: ProcessName): { pid: number | undefined; bytes: number | undefined }
  /** Suspends a process (SIGSTOP) until `resume` or `kill`. */
  pause(name: ProcessName): void
  resume(name: ProcessName): void
  /** Returns the logged warnings and errors, and what processes printed when they ended, for the messages of failed tests. */
  errorOutput(): string
  /** Returns everything that the processes logged or printed. */
  output(): string
  [Symbol.asyncDispose](): Promise<void>
}

interface Running {
  child: ChildProcess
  working: Promise<void>
}

/** The programs of the processes. `procfile` is the bundle with the flags of Node.js that the Procfile has. */
type Variant = 'bundle' | 'procfile' | 'sources'

/**
 * Starts the processes of an arrangement with a database and queues of their own, in the root of an image if `TEST_IMAGE_ROOT` names one, and
 * else from the bundle. `await using` stops them. `addressOf` returns the URL through which the processes reach the database.
 */
export async function startProcesses(
  env: Record<string, string> = {},
  {
    addressOf = (url: string) => url,
    imageRoot = process.env.TEST_IMAGE_ROOT,
    variant = 'bundle',
    names = ['web', 'signing', 'worker'],
    queueIn = env.REDIS_URL === undefined ? testQueueIn : 'redis',
    apart = false,
  }: {
    addressOf?: (databaseUrl: string) => string
    imageRoot?: string | undefined
    variant?: Variant
    /** The processes that start. Default: those of the Procfile. */
    names?: readonly ProcessName[]
    /** The system that stores the queues. With `redis`, a separate redis-server starts. */
    queueIn?: QueueIn
    /** Whether each process has a DATA_DIR of its own, as on separate machines. No process then reaches the Unix socket of another one. */
    apart?: boolean
  } = {},
): Promise<Processes> {
  if (!imageRoot && variant !== 'sources') await readAnswer(inject('bundleSocket'))
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-processes-'))
  const redisDir = join(dir, 'redis')
  mkdirSync(redisDir)
  const [port, opsPort, redisPort] = [await freePort(), await freePort(), await freePort()]
  const [secondPort, secondOpsPort] = [await freePort(), await freePort()]
  const database = await newDatabase(dir)
  const serviceSecret = randomBytes(32)
  const common = {
    ...inherited(),
    NODE_ENV: 'production', // the log as JSON, nothing else
    LOG_LEVEL: 'info',
    DATA_DIR: dir,
    DATABASE_URL: addressOf(database.url),
    ...(queueIn === 'redis' ? { REDIS_URL: `redis://127.0.0.1:${redisPort}` } : { QUEUE: 'database' }),
    REDIS_PREFIX: `test-${randomUUID()}`,
    PORT: String(port),
    OPS_PORT: String(opsPort),
    SIGNING_OPS_PORT: '0',
    WORKER_OPS_PORT: '0',
    PLATFORM_DOMAIN: `localhost:${port}`,
    OUTBOUND_ALLOW_LOOPBACK: '1',
    LIMIT_ANONYMOUS_PER_MINUTE: '0', // all of it comes from one address
    CREDENTIAL_DEADLINE_MS: '60000', // longer than a request takes on any machine
    SERVICE_SECRET: serviceSecret.toString('base64'),
    ...env,
  }
  const keyEncryptionKey = randomBytes(32).toString('base64')
  const errorOutput: string[] = []
  const output: string[] = []
  const running = new Map<ProcessName, Running>()
  const startRedisHere = () => startRedis({ port: redisPort, dir: redisDir })
  let redis: TestRedis | undefined = queueIn === 'redis' ? await startRedisHere() : undefined

  function startProcess(name: ProcessName, extra: Record<string, string> = {}): Promise<void> {
    const own = {
      ...(apart && { DATA_DIR: join(dir, 'machines', name) }),
      ...extra,
      ...((name.endsWith('signing') || name === 'all') && { KEY_ENCRYPTION_KEY: keyEncryptionKey }),
      ...((name === 'web,worker' || name === 'all') && { ROLES: name }),
      ...(name === 'second web' && { PORT: String(secondPort), OPS_PORT: String(secondOpsPort) }),
    }
    const program = programOf(name, { imageRoot, data: dir, env: { ...common, ...own }, variant })
    const child = spawn(program.file, program.args, {
      env: program.env,
      // With the channel it ends automatically if this process is killed.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const working = untilWorking(child, commands[name].works, (line) => {
      output.push(line)
      if (!/^\{"level":[123]0,/.test(line)) errorOutput.push(`${name}: ${line}`)
    })
    working.catch(() => undefined) // the waiting caller gets the error
    running.set(name, { child, working })
    return working
  }

  async function kill(name: ProcessName | 'redis'): Promise<void> {
    const child = name === 'redis' ? redis?.process : running.get(name)?.child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  async function stop(name: ProcessName): Promise<number | null> {
    const child = running.get(name)?.child
    if (!child) throw new Error(`${name} does not run`)
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    return (await gone)[0]
  }

  await Promise.all(names.map((name) => startProcess(name)))
  const config = readConfig(common)
  const db = openDatabase(config.databaseUrl, { survives: 'crash' })
  const secrets = createSecrets([serviceSecret])
  const bus = openBrokerWithoutSockets(config, { db, secrets }).openBus()
  const { close } = bus
  let closed: Promise<void> | undefined
  bus.close = () => (closed ??= close()) // a test can close it before the end
  await bus.connected
  const origin = `http://127.0.0.1:${port}`
  async function addTenant(settings: Partial<TenantSettings> = {}, aliases: string[] = []): Promise<TestTenant> {
    const made = await createTenant(
      { config, db, clock: systemClock, keys: createKeys(bus, 20_000) },
      { kind: 'tenant', name: 'Test', subdomain: `t${randomUUID().slice(0, 8)}`, aliases, settings },
    )
    const client = { clientId: made.client.id, clientSecret: made.clientSecret }
    const baseUrl = `http://${made.tenant.canonicalHost}`
    return testTenant(origin, { id: made.tenant.id, baseUrl, did: made.tenant.did, client })
  }
  return {
    origin,
    secondOrigin: `http://127.0.0.1:${secondPort}`,
    tenant: await addTenant(),
    addTenant,
    dir,
    databaseUrl: database.url,
    config,
    db,
    bus,
    secrets,
    kill,
    stop,
    async start(name, extra) {
      if (name === 'redis') redis = await startRedisHere()
      else await startProcess(name, extra)
    },
    memoryOf(name) {
      const pid = running.get(name)?.child.pid
      return { pid, bytes: residentBytes(pid ?? 0) }
    },
    pause(name) {
      const child = running.get(name)?.child
      if (child) suspend(child, database.url)
    },
    resume: (name) => void running.get(name)?.child.kill('SIGCONT'),
    errorOutput: () => errorOutput.join('\n'),
    output: () => output.join('\n'),
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.keys()].map(kill))
      await bus.close()
      await db.close()
      await kill('redis')
      await database.drop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function programOf(
  name: ProcessName,
  {
    imageRoot,
    data,
    env,
    variant,
  }: { imageRoot: string | undefined; data: string; env: Record<string, string>; variant: Variant },
): Program {
  const inProcfile = name.replace('second ', '')
  const { words } = commands[name]
  // The files for deployment have no process of several roles.
  if (imageRoot)
    return inImage(imageRoot, commandsOfImage(imageRoot)[inProcfile] ?? ['node', bundleFile, ...words], { data, env })
  const args = {
    bundle: () => [bundleFile, ...words],
    procfile: () => readProcfile()[inProcfile]?.slice(1) ?? [],
    sources: () => words,
  }[variant]()
  return { file: process.execPath, args, env }
}

/** Resolves at the line of readiness. Passes on all lines. */
function untilWorking(child: ChildProcess, works: string, tell: (line: string) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isWorking = false
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.includes(works)) resolve()
        isWorking ||= line.includes(works)
        tell(line)
      }
    })
  }
  child.once('exit', (code, signal) => {
    if (!isWorking) reject(new Error(`it ended by ${signal ?? code} before it worked`))
    if (signal !== 'SIGKILL') tell(`ended by ${signal ?? code}`)
  })
  return promise
}

/** Reads the memory of a process from Linux. */
function residentBytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024
  } catch {
    return undefined
  }
}
