import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

export interface TestRedis {
  url: string
  process: ChildProcess
  stop(): Promise<void>
}

/** A redis-server of one's own on a free port, with its data in a folder that goes with it. */
export async function startRedis(options: { port?: number; dir?: string } = {}): Promise<TestRedis> {
  const port = options.port ?? (await freePort())
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'trustwright-redis-'))
  const child = spawn(
    'redis-server',
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      dir,
      '--appendonly',
      'yes',
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
    ],
    { stdio: 'ignore' },
  )
  const url = `redis://127.0.0.1:${port}`
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

async function answering(url: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 20 })
  redis.on('error', () => undefined)
  await redis.ping()
  while ((await redis.info('persistence')).includes('loading:1')) await sleep(20)
  redis.disconnect()
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return address.port
}
