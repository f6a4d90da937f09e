import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Misconfigured } from '../process/dependency.ts'
import { endLoading } from '../process/process.ts'
import { type Config, faultsOfPorts, type Listening, readDataLocations } from '../settings/config.ts'
import { refuse } from '../settings/settings.ts'
import { buildIfChanged, commandOfSources } from './bundle.ts'
import { type ConsoleLinks, readConsoleLinks } from './console-links.ts'
import { continueInBundle, isInBundle } from './continue-in-bundle.ts'
import { demoFactsFile, readDemoFacts } from './demo-facts.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { keepIdentityProviderFacts } from './identity-provider-facts.ts'
import { developmentMessage, productionMessage } from './message.ts'
import { requireFreePort } from './ports.ts'
import { parseProcfile } from './procfile.ts'
import { reportIfSlow } from './report-slow-step.ts'
import { rolesIn, serviceProcesses } from './service-processes.ts'
import { StartupError } from './startup-error.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'

/**
 * Time limits for stopping the processes of `npm start`. The web process ends before the workers that its requests wait for, and Redis
 * ends last. Everything ends within 10 s.
 */
const stopWithinMs = { web: 4_000, others: 8_500, redis: 9_500 }
/** A terminal and npm both forward a Ctrl-C. Only a signal after this time counts as a second one. */
const duplicateSignalMs = 1_000
const providerHost = '127.0.0.1'

/** Runs the service until a signal stops it or one of its processes ends. Resolves with the exit code. */
export async function launch(config: Config, env: NodeJS.ProcessEnv): Promise<number> {
  const supervisor = createSupervisor()
  let lock: FolderLock | undefined
  const startLocked = async () => {
    await requireFreePorts(config)
    // A redis-server of the folder is a lock as well.
    if (config.queueIn === 'database') lock = lockFolder(resolve(config.dataDir))
    const hasBundle = isInBundle() || (await buildBundle(supervisor, resolve(config.dataDir), env))
    if (hasBundle && !supervisor.isStopping()) continueInBundle()
    return startAll(supervisor, config, { env, hasBundle })
  }
  const exitCode = await Promise.race([waitForSignal(), startLocked(), supervisor.failure]).catch(printError)
  await reportIfSlow(() => `stopping ${supervisor.running().join(', ')}`, supervisor.stop())
  lock?.release()
  return exitCode
}

async function requireFreePorts(config: Config): Promise<void> {
  refuse(faultsOfPorts(portsOf(config)))
  await requireFreePort('PORT', config.port, config.host)
  await requireFreePort('OPS_PORT', config.opsPort, config.opsHost)
}

/** Builds the bundle if its sources changed. Returns whether the service can run from it. */
function buildBundle(supervisor: Supervisor, dataDir: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const command = 'node api/cli/build-server.ts'
  const build = () => {
    const envOf = environments(env, dataDir, undefined, undefined)
    const built = supervisor.run({ name: command, command, env: envOf(command), stopWithinMs: stopWithinMs.others })
    return duringStep(supervisor, 'the bundle of the service is built', built).catch(printError)
  }
  return buildIfChanged('.', isInstalled('vite') ? build : undefined)
}

function duringStep<Result>(supervisor: Supervisor, step: string, work: Promise<Result>): Promise<Result> {
  return reportIfSlow(() => (supervisor.isStopping() ? undefined : step), work)
}

async function startAll(
  supervisor: Supervisor,
  config: Config,
  { env, hasBundle }: { env: NodeJS.ProcessEnv; hasBundle: boolean },
): Promise<never> {
  const dataDir = resolve(config.dataDir)
  const provider = await prepareProvider(config, dataDir)
  const startLocalRedis = async () => {
    const { startRedis } = await import('./redis.ts') // its client stays in memory
    return startRedis(supervisor, dataDir, stopWithinMs.redis)
  }
  const usesRedis = config.queueIn === 'redis'
  const redisUrl =
    usesRedis && (env.REDIS_URL || (await duringStep(supervisor, 'redis-server loads its data', startLocalRedis())))
  if (!usesRedis && existsSync(join(dataDir, 'redis'))) console.log(movedQueues(join(dataDir, 'redis')))
  const envOf = environments(env, dataDir, redisUrl || undefined, provider)
  const metricsUrl = `http://${localHostOf(config.opsHost)}:${config.opsPort}/metrics`
  const start = (definition: { name: string; command: string; onMessage?: (message: unknown) => void }) =>
    supervisor.start({ ...definition, env: envOf(definition.name), stopWithinMs: stopWithinOf(definition.name) })
  const run = (command: string, step: string) => {
    const definition = { name: command, command, env: envOf(command), stopWithinMs: stopWithinMs.others }
    return duringStep(supervisor, step, supervisor.run(definition))
  }

  const procfile = parseProcfile(readFileSync('Procfile', 'utf8'))
  const entries = hasBundle
    ? procfile
    : procfile.map(({ name, command }) => ({ name, command: commandOfSources(command) }))
  for (const { command } of entries.filter(({ name }) => name === 'release'))
    await run(command, 'the database is migrated')
  let consoleLinks: ConsoleLinks | undefined
  const onMessage = (message: unknown) => {
    consoleLinks = readConsoleLinks(message)
  }
  for (const { name, command } of serviceProcesses(config, entries)) {
    // The process with the role web creates the demo tenant before it answers.
    if (rolesIn(name).includes('web') && !config.production) start({ name, command: `${command} --demo`, onMessage })
    else start({ name, command })
  }
  if (provider) start({ name: 'provider', command: 'node --expose-gc shared/launcher/identity-provider-process.ts' })
  let health = 'no answer'
  const getReady = waitUntilReady(config, (text) => {
    health = text
  })
  const readyStep = () =>
    supervisor.isStopping() ? undefined : `the processes get ready (GET /health/ready: ${health})`
  await reportIfSlow(readyStep, getReady)
  console.log(
    config.production
      ? productionMessage(config, { dataDir, metricsUrl, environment: process.env })
      : demoMessage(dataDir, { metricsUrl, provider, consoleLinks }),
  )
  endLoading()
  // Last, so that nothing waits for it. It does nothing if the console is already built. An installation without Vite has a built console.
  if (isInstalled('vite')) await run('node api/console/build.ts', 'the console is built').catch(printError)
  return supervisor.failure
}

/** An earlier start had its queues in a Redis. The scheduler of the database finds no schedules, so that all lost jobs are queued again. */
function movedQueues(folder: string): string {
  return `The queues are in the database now. Jobs that waited in ${folder} are queued again. You can remove that folder.`
}

function demoMessage(
  dataDir: string,
  links: { metricsUrl: string; provider: string | undefined; consoleLinks: ConsoleLinks | undefined },
): string {
  const facts = readDemoFacts(dataDir)
  if (!facts) throw new Error('The web process did not write demo.json.')
  return developmentMessage(facts, { factsFile: demoFactsFile(dataDir), ...links })
}

/** Limits the time of a process to stop. The processes that answer requests stop before the process that signs for them. */
function stopWithinOf(name: string): number {
  const roles = rolesIn(name)
  return roles.includes('web') && !roles.includes('signing') ? stopWithinMs.web : stopWithinMs.others
}

/** Returns all ports of the service. */
function portsOf({ host, port, opsHost, ...config }: Config): Listening[] {
  return [
    { name: 'PORT', port, host },
    { name: 'OPS_PORT', port: config.opsPort, host: opsHost },
    { name: 'PROVIDER_PORT', port: hasProvider(config) ? config.providerPort : 0, host: providerHost },
    { name: 'SIGNING_OPS_PORT', port: config.signingOpsPort, host: opsHost },
    { name: 'WORKER_OPS_PORT', port: config.workerOpsPort, host: opsHost },
  ]
}

/** Returns the address of the development provider. Undefined in production, and without development dependencies. */
async function prepareProvider(config: Config, dataDir: string): Promise<string | undefined> {
  const { providerPort } = config
  if (!hasProvider(config)) return undefined
  await requireFreePort('PROVIDER_PORT', providerPort, providerHost)
  return keepIdentityProviderFacts(dataDir, `http://${providerHost}:${providerPort}`).issuer
}

function hasProvider({
  production,
  publicScheme,
  providerPort,
}: Pick<Config, 'production' | 'publicScheme' | 'providerPort'>) {
  return !production && publicScheme === 'http' && providerPort !== 0 && isInstalled('oidc-provider')
}

function isInstalled(name: string): boolean {
  try {
    return import.meta.resolve(name) !== ''
  } catch {
    return false
  }
}

/** Returns the environment of each process by its name. Only a process that signs gets the key-encryption key. All use the Node of this process. */
function environments(
  { KEY_ENCRYPTION_KEY, ...environment }: NodeJS.ProcessEnv,
  dataDir: string,
  redisUrl: string | undefined,
  provider: string | undefined,
): (name: string) => NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), environment.PATH].join(delimiter)
  // There is no notice period: all processes stop together, so that a proxy has no other process.
  const env = {
    STOP_NOTICE_MS: '0',
    ...environment,
    DATA_DIR: dataDir,
    DATABASE_URL: readDataLocations({ ...environment, DATA_DIR: dataDir }).databaseUrl,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    PATH: path,
  }
  const origins = [environment.OUTBOUND_ALLOW_ORIGINS, provider].filter(Boolean).join(',')
  return (name) => {
    const roles = rolesIn(name)
    return {
      ...env,
      ...(roles.length > 0 && { ROLES: roles.join(',') }),
      ...(roles.includes('signing') && KEY_ENCRYPTION_KEY && { KEY_ENCRYPTION_KEY }),
      ...(roles.includes('web') && { OUTBOUND_ALLOW_ORIGINS: origins }),
    }
  }
}

/** Waits as long as it takes. The supervisor ends the wait when a process ends. `report` gets the last answer. */
async function waitUntilReady({ host, port }: Config, report: (health: string) => void): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(`http://${localHostOf(host)}:${port}/health/ready`)
      report(await response.text())
      if (response.ok) return
    } catch {
      // the web process does not listen yet
    }
    await sleep(100)
  }
}

/** Returns the host for connections from this machine. Undefined, `0.0.0.0` and `::` are all addresses of the machine. */
function localHostOf(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Resolves with the exit code at the first signal. A second signal ends this process at once. */
function waitForSignal(): Promise<number> {
  const { promise, resolve: settle } = Promise.withResolvers<number>()
  let firstAt: number | undefined
  const stop = () => {
    if (firstAt === undefined) console.log('\nStopping.')
    if (firstAt !== undefined && Date.now() - firstAt > duplicateSignalMs) process.exit(1)
    firstAt ??= Date.now()
    settle(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  if (process.env.npm_lifecycle_event) onceOrphaned(stop)
  return promise
}

/** Calls `stop` when the parent has ended. An npm that is killed forwards no signal. */
function onceOrphaned(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 500).unref()
}

function printError(error: unknown): number {
  const isForOperator = error instanceof StartupError || error instanceof Misconfigured
  console.error(isForOperator ? `\n${error.message}` : error)
  return 1
}
