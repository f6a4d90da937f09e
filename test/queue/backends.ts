import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Processor, WorkerOptions } from 'bullmq'
import { onTestFinished, test } from 'vitest'
import { newDatabase } from '../harness/database.ts'
import { sharedRedisUrl } from '../harness/shared-redis.ts'
import { type BackendName, connectTo, type QueueAddress } from './connect.ts'

/** Defines a test on each backend. */
export function testOnBackends(name: string, run: (backend: BackendName) => Promise<void>): void {
  // Once, in the suite on SQLite.
  test(`redis: ${name}`, { tags: ['redis', 'sqlite'] }, () => run('redis'))
  test(`sqlite: ${name}`, { tags: 'sqlite' }, () => run('sqlite'))
  test(`postgres: ${name}`, { tags: 'postgres' }, () => run('postgres'))
}

type Connected = ReturnType<typeof connectTo>

/** A queue as a process has it. */
export interface QueueSide {
  address: QueueAddress
  queue: InstanceType<Connected['Queue']>
  /** Opens the same queue on a connection of its own. */
  another(): QueueSide
  serve(processor: Processor, options?: Partial<WorkerOptions>): InstanceType<Connected['Worker']>
}

/** Creates an empty queue. */
export async function newQueue(backend: BackendName): Promise<QueueSide> {
  const names = { prefix: `test-${randomUUID()}`, queue: 'upkeep' }
  return openQueue({ backend, url: backend === 'redis' ? await sharedRedisUrl() : await newDatabaseUrl(), ...names })
}

/** Creates a migrated database. */
export async function newDatabaseUrl(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-queue-'))
  const { url, drop } = await newDatabase(dir)
  onTestFinished(async () => {
    await drop()
    rmSync(dir, { recursive: true, force: true })
  })
  return url
}

/** Opens a queue until the end of the test. */
function openQueue(address: QueueAddress): QueueSide {
  const { Queue, Worker, connection, close } = connectTo(address)
  onTestFinished(close)
  const queue = new Queue(address.queue, { connection: connection(), prefix: address.prefix })
  onTestFinished(() => queue.close())
  return {
    address,
    queue,
    another: () => openQueue(address),
    serve(processor, options = {}) {
      const given = { connection: connection(), prefix: address.prefix, ...options }
      const worker = new Worker(address.queue, processor, given)
      worker.on('error', () => undefined)
      onTestFinished(() => worker.close(true))
      return worker
    },
  }
}
