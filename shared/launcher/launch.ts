import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { duplicateSignalMs } from '../process/process.ts'
import { type Config, faultsOfPorts, type Listening } from '../settings/config.ts'
import { refuse } from '../settings/settings.ts'
import { buildIfChanged, commandOfSources } from './bundle.ts'
import { type ConsoleLinks, readConsoleLinks } from './console-links.ts'
import { continueAsService } from './continue-as-service.ts'
import { continueInBundle, isInBundle } from './continue-in-bundle.ts'
import { environments } from './environments.ts'
import { finishStart } from './finish-start.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { isInstalled } from './is-installed.ts'
import { onceOrphaned } from './once-orphaned.ts'
import { requireFreePort } from './ports.ts'
import { printError } from './print-error.ts'
import { parseProcfile } from './procfile.ts'
import { prepareProvider, providerAddress, providerHost } from './provider.ts'
import { duringStep, reportIfSlow } from './report-slow-step.ts'
import { rolesIn, serviceProcesses } from './service-processes.ts'
import { stopWithinMs } from './stop-limits.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'

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
    return duringStep(supervisor, () => 'the bundle of the service is built', built).catch(printError)
  }
  return buildIfChanged('.', isInstalled('vite') ? build : undefined)
}

async function startAll(
  supervisor: Supervisor,
  config: Config,
  { env, hasBundle }: { env: NodeJS.ProcessEnv; hasBundle: boolean },
): Promise<never> {
  const dataDir = resolve(config.dataDir)
  const provider = await prepareProvider(config)
  const redisUrl =
    config.queueIn === 'redis' ? env.REDIS_URL || (await startLocalRedis(supervisor, dataDir)) : undefined
  if (!redisUrl && existsSync(join(dataDir, 'redis'))) console.log(movedQueues(join(dataDir, 'redis')))
  const envOf = environments(env, dataDir, redisUrl, provider)

  const procfile = parseProcfile(readFileSync('Procfile', 'utf8'))
  const entries = hasBundle
    ? procfile
    : procfile.map(({ name, command }) => ({ name, command: commandOfSources(command) }))
  for (const { command } of entries.filter(({ name }) => name === 'release')) {
    const definition = { name: command, command, env: envOf(command), stopWithinMs: stopWithinMs.others }
    await duringStep(supervisor, () => 'the database is migrated', supervisor.run(definition))
  }
  const processes = serviceProcesses(config, entries).map(({ name, command }) => {
    // The process with the role web creates the demo tenant before it answers.
    const isDemo = rolesIn(name).includes('web') && !config.production
    return { name, command: isDemo ? `${command} --demo` : command }
  })
  const [only, ...others] = processes
  const runsOthers = others.length > 0 || supervisor.running().length > 0
  if (only && !runsOthers && !supervisor.isStopping()) continueAsService(only.command, envOf(only.name))
  let consoleLinks: ConsoleLinks | undefined
  const onMessage = (message: unknown) => {
    consoleLinks = readConsoleLinks(message)
  }
  for (const { name, command } of processes)
    supervisor.start({ name, command, env: envOf(name), stopWithinMs: stopWithinOf(name), onMessage })
  await finishStart(supervisor, config, { envOf, consoleLinks: () => consoleLinks })
  return supervisor.failure
}

function startLocalRedis(supervisor: Supervisor, dataDir: string): Promise<string> {
  const start = async () => {
    const { startRedis } = await import('./redis.ts') // its client stays in memory
    return startRedis(supervisor, dataDir, stopWithinMs.redis)
  }
  return duringStep(supervisor, () => 'redis-server loads its data', start())
}

/** An earlier start had its queues in a Redis. The scheduler of the database finds no schedules, so that all lost jobs are queued again. */
function movedQueues(folder: string): string {
  return `The queues are in the database now. Jobs that waited in ${folder} are queued again. You can remove that folder.`
}

/** Limits the time of a process to stop. The processes that answer requests stop before the process that signs for them. */
function stopWithinOf(name: string): number {
  const roles = rolesIn(name)
  return roles.includes('web') && !roles.includes('signing') ? stopWithinMs.web : stopWithinMs.others
}

/** Returns all ports of the service. */
function portsOf(config: Config): Listening[] {
  const { host, port, opsHost } = config
  return [
    { name: 'PORT', port, host },
    { name: 'OPS_PORT', port: config.opsPort, host: opsHost },
    { name: 'PROVIDER_PORT', port: providerAddress(config) ? config.providerPort : 0, host: providerHost },
    { name: 'SIGNING_OPS_PORT', port: config.signingOpsPort, host: opsHost },
    { name: 'WORKER_OPS_PORT', port: config.workerOpsPort, host: opsHost },
  ]
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
  if (process.env.npm_lifecycle_event) onceOrphaned(process.ppid, stop)
  return promise
}
