import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './redis.ts'

const master = 'main'
// A Sentinel writes passwords without quotes into its file.
export const sentinelPassword = 'of-the-sentinels&more'

interface Program {
  port: number
  start(): Promise<void>
  kill(): Promise<void>
}

export interface TestSentinels {
  url: string
  /** The addresses of the three Sentinels. */
  addresses: string[]
  servers: Program[]
  sentinels: Program[]
  /** Returns the port of the master that the first Sentinel names. */
  masterPort(): Promise<number>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a master, its replica and three Sentinels, on loopback. All have a password. */
export async function startSentinels(): Promise<TestSentinels> {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-redis-sentinel-'))
  const ports = [await freePort(), await freePort(), await freePort(), await freePort(), await freePort()]
  const [first = 0, second = 0, ...others] = ports
  const password = 'of-redis'
  const durable = ['appendonly yes', 'save ""', 'maxmemory-policy noeviction']
  const both = [`requirepass "${password}"`, `masterauth "${password}"`]
  const servers = [
    program('redis-server', dir, first, [...durable, ...both], password),
    program('redis-server', dir, second, [...durable, ...both, `replicaof 127.0.0.1 ${first}`], password),
  ]
  const monitor = [
    `sentinel monitor ${master} 127.0.0.1 ${first} 2`,
    `sentinel auth-pass ${master} "${password}"`,
    `sentinel down-after-milliseconds ${master} 1000`,
    `sentinel failover-timeout ${master} 4000`,
    `requirepass "${sentinelPassword}"`,
    `sentinel sentinel-pass "${sentinelPassword}"`,
  ]
  const sentinels = others.map((port) => program('redis-sentinel', dir, port, monitor, sentinelPassword))
  const all = [...servers, ...sentinels]
  for (const { start } of all) await start()
  const ask = (port: number, ...words: [string, ...string[]]) =>
    onServer(port, sentinelPassword, (redis) => redis.call('SENTINEL', ...words))
  for (const port of others) {
    const isComplete = async () => String(await ask(port, 'CKQUORUM', master).catch(String)).startsWith('OK 3')
    const replicas = async () => (await ask(port, 'REPLICAS', master)) as unknown[]
    while (!((await isComplete()) && (await replicas()).length === 1)) await sleep(50)
  }
  await untilLinked(second, password)
  const addresses = others.map((port) => `127.0.0.1:${port}`)
  const query = `sentinelPassword=${encodeURIComponent(sentinelPassword)}`
  return {
    url: `redis+sentinel://:${encodeURIComponent(password)}@${addresses.join(',')}/${master}?${query}`,
    ...{ addresses, servers, sentinels },
    masterPort: async () => Number(((await ask(others[0]!, 'GET-MASTER-ADDR-BY-NAME', master)) as string[])[1]),
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map(({ kill }) => kill()))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function untilLinked(port: number, password: string): Promise<void> {
  const isLinked = () =>
    onServer(port, password, async (redis) => (await redis.info('replication')).includes('master_link_status:up'))
  while (!(await isLinked())) await sleep(20)
}

function program(command: string, dir: string, port: number, lines: string[], password: string): Program {
  const own = join(dir, String(port))
  mkdirSync(own)
  const file = join(own, 'redis.conf')
  writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${own}`, ...lines].join('\n'))
  let child: ChildProcess | undefined
  const end = () => child?.kill('SIGKILL')
  process.once('exit', end)
  return {
    port,
    async start() {
      child = spawn(command, [file], { stdio: 'ignore' })
      await onServer(port, password, (redis) => redis.ping())
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function onServer<Answer>(port: number, password: string, work: (redis: Redis) => Promise<Answer>) {
  const redis = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null, enableReadyCheck: false, password })
  redis.on('error', () => undefined)
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}
