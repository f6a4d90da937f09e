import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundleFile } from '../../shared/launcher/bundle.ts'
import { type DemoFacts, readDemoFacts } from '../../shared/launcher/demo-facts.ts'
import { freePort } from '../harness/redis.ts'
import { childrenOf, cpuTime, type Memory, memoryOf } from './cpu.ts'
import { verdict } from './flow-verdicts.ts'
import { createLane } from './lane.ts'
import { sum } from './results.ts'
import { untilReady } from './stack.ts'
import { runFlow } from './wallet.ts'

/** How long a new user waits, and how much memory the service then needs. */
export interface NpmStarts {
  /** In an empty folder. */
  first: NpmStart
  /** In the same folder, after the first start was stopped. */
  second: NpmStart
  /** Memory of the launcher and its processes after another start, without requests, for each arrangement of roles (`ROLES`). */
  memory: Record<string, Record<string, Memory>>
}

export interface NpmStart {
  readySeconds: number
  /** Seconds from the command until a wallet has a credential. */
  credentialSeconds: number
  /** CPU seconds of all processes except npm, until then. */
  cpuSeconds: number
}

interface Running {
  launcher: number
  /** Seconds since the command. */
  seconds(): number
}

/** The arrangements of roles in `npm start`, each with the most megabytes that all of its processes may have at rest. */
const most: Readonly<Record<string, number>> = { all: 256, 'web,worker': 320, web: 400 }

const root = fileURLToPath(new URL('../..', import.meta.url))

export async function measureNpmStarts(restMs: number): Promise<NpmStarts> {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-bench-'))
  const ports = { PORT: await freePort(), OPS_PORT: await freePort(), PROVIDER_PORT: await freePort() }
  const origin = `http://127.0.0.1:${ports.PORT}`
  const named = Object.entries(ports).map(([name, port]) => [name, String(port)])
  const env = { ...process.env, ...Object.fromEntries(named), DATA_DIR: dir }
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'NODE_ENV', 'NODE_COMPILE_CACHE', 'ROLES'] as const) delete env[name]
  try {
    const timed = () => whileItRuns(env, origin, (running) => timeCredential(running, origin, dir))
    const first = await timed()
    const second = await timed()
    const memory: NpmStarts['memory'] = {}
    for (const roles of Object.keys(most)) {
      memory[roles] = await whileItRuns({ ...env, ROLES: roles }, origin, async ({ launcher }) => {
        await sleep(restMs)
        return memoryByName(launcher)
      })
    }
    return { first, second, memory }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Starts the service, runs `work` when it is ready, and stops it. */
async function whileItRuns<Result>(
  env: NodeJS.ProcessEnv,
  origin: string,
  work: (running: Running) => Promise<Result>,
) {
  const startedAt = performance.now()
  const npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    await untilReady(origin)
    return await work({ launcher: launcherOf(npm), seconds: () => (performance.now() - startedAt) / 1000 })
  } finally {
    await stop(npm)
  }
}

async function timeCredential({ launcher, seconds }: Running, origin: string, dir: string): Promise<NpmStart> {
  const readySeconds = seconds()
  const facts = readDemoFacts(dir)
  if (!facts) throw new Error('npm start left no facts')
  await issueOne(origin, facts)
  const credentialSeconds = seconds()
  const { user, system } = cpuTime(launcher)
  return { readySeconds, credentialSeconds, cpuSeconds: user + system }
}

/** The steps of a new user: a token, a configuration, an offer, and a wallet that collects it. */
async function issueOne(origin: string, { baseUrl: issuer, clientId, clientSecret }: DemoFacts): Promise<void> {
  await using lane = createLane(origin)
  const client = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }
  const { access_token: token } = await lane.call('POST', '/oauth/token', client)
  const configuration = { claimMappings: { given_name: { mapFrom: 'claims.given_name' } }, expiresIn: { years: 1 } }
  const path = '/v2/credentials/compact/configurations'
  const { id: configurationId } = await lane.call('POST', path, configuration, { token })
  const job = { origin, issuer, token, configurationId, begins: 'CSC:/1/', flows: 1, concurrency: 1 }
  await runFlow(lane, { kind: 'flows', flow: 'pre-authorized', ...job }, () => undefined)
}

/** The only child process of npm. */
function launcherOf({ pid = 0 }: ChildProcess): number {
  const [launcher] = childrenOf(pid)
  if (launcher === undefined) throw new Error('npm start has ended')
  return launcher
}

/** Memory by the roles of a process. Other children of the launcher are named by their command. */
function memoryByName(launcher: number): Record<string, Memory> {
  const nameOf = (pid: number) => {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    if (command.startsWith('redis-server')) return 'redis'
    const isOfService = command.includes(bundleFile)
    const [, roles] = /(?:^|\0)ROLES=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? []
    return isOfService && roles ? roles : command.replace(/^.*\/|\.ts$/g, '')
  }
  const children = childrenOf(launcher).map((pid) => [nameOf(pid), memoryOf(pid)])
  return { launcher: memoryOf(launcher), ...Object.fromEntries(children) }
}

async function stop(npm: ChildProcess): Promise<void> {
  if (npm.exitCode !== null || npm.signalCode !== null) return
  const ended = once(npm, 'exit')
  npm.kill('SIGTERM') // npm passes the signal on and ends after the launcher
  await ended
}

export function printNpmStarts({ first, second, memory }: NpmStarts): void {
  const lines = [
    startLine('npm start on an empty folder', first),
    startLine('npm start once more', second),
    under('npm start to the first credential', first.credentialSeconds, 4, 's'),
    under('npm start once more, to a credential', second.credentialSeconds, 3, 's'),
    ...Object.entries(memory).flatMap(([roles, ofProcesses]) => memoryLines(roles, ofProcesses)),
  ]
  for (const line of lines) console.log(line)
}

/** The verdict counts what processes share once. npm is not counted. */
function memoryLines(roles: string, memory: Record<string, Memory>): string[] {
  const all = Object.values(memory)
  const resident = sum(all.map((each) => each.resident))
  const proportional = sum(all.map((each) => each.proportional))
  const each = Object.entries(memory).map(([name, one]) => `${name} ${one.proportional.toFixed(0)} MB`)
  return [
    `memory at rest with ROLES=${roles}: ${each.join(', ')}; resident ${resident.toFixed(0)} MB`,
    under(`memory at rest with ROLES=${roles}`, proportional, most[roles] ?? 0, 'MB'),
  ]
}

function startLine(what: string, { readySeconds, credentialSeconds, cpuSeconds }: NpmStart): string {
  return `${what}: ready after ${readySeconds.toFixed(1)} s, a credential after ${credentialSeconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s`
}

function under(what: string, value: number, most: number, unit: string): string {
  return verdict(what, `${value.toFixed(1)} of ${most} ${unit}`, value < most).what
}
