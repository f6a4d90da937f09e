import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectPatient } from '../../shared/jobs/redis.ts'

export interface TestRedis {
  url: string
  process: ChildProcess
  stop(): Promise<void>
}

/**
 * Starts a redis-server with its data in a folder that is removed with it. It listens on a free port, or, as with `npm start`, on a
 * socket in that folder.
 */
export async function startRedis(options: { port?: number; dir?: string; on?: 'socket' } = {}): Promise<TestRedis> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'trustwright-redis-'))
  const { url, place } = options.on === 'socket' ? onSocket(dir) : onPort(options.port ?? (await freePort()))
  const child = spawn(
    'redis-server',
    [...place, '--dir', dir, '--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction'],
    { stdio: 'ignore' },
  )
  await once(child, 'spawn') // fails without redis-server
  // The server also ends after an aborted run.
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  await answering(url)
  return {
    url,
    process: child,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.kill('SIGKILL')) await ended
      if (!options.dir) rmSync(dir, { recursive: true, force: true })
    },
  }
}

function onPort(port: number) {
  return { url: `redis://127.0.0.1:${port}`, place: ['--port', String(port), '--bind', '127.0.0.1'] }
}

function onSocket(dir: string) {
  const socket = join(dir, 'redis.sock')
  return { url: `unix://${socket}`, place: ['--port', '0', '--unixsocket', socket] }
}

async function answering(url: string): Promise<void> {
  const redis = connectPatient(url)
  await redis.ping()
  while ((await redis.info('persistence')).includes('loading:1')) await sleep(20)
  redis.disconnect()
}

const portsPerWorker = 1_500
/** The worker of vitest, of eight at most. */
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 8
let nextPort = Math.floor(Math.random() * portsPerWorker)

/**
 * Returns a port that is free now. The caller listens on it only later. Until then it is not returned again, also not in another worker,
 * and the system does not assign it to a connection.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + worker * portsPerWorker + (nextPort++ % portsPerWorker)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
