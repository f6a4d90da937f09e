import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConnectionOptions,
  createRedisBackend,
  type IQueueBackend,
  type Processor,
  type WorkerOptions,
  withBackend,
} from 'bullmq'
import { inject, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../../db/client.ts'
import { createSqliteBackend } from '../../db/queue/backend.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { newDatabase } from '../harness/database.ts'

/** The backends on which the cases of a file run. */
export const backends = ['redis', 'sqlite'] as const
export type BackendName = (typeof backends)[number]

/** How another process opens the same queue. */
export interface QueueAddress {
  backend: BackendName
  url: string
  prefix: string
  queue: string
}

type Classes = ReturnType<typeof withBackend<IQueueBackend, ConnectionOptions>>

/** A queue as a process has it. */
export interface QueueSide {
  address: QueueAddress
  queue: InstanceType<Classes['Queue']>
  /** Opens the same queue on a connection of its own. */
  another(): QueueSide
  serve(processor: Processor, options?: Partial<WorkerOptions>): InstanceType<Classes['Worker']>
}

/** Creates an empty queue. */
export async function newQueue(backend: BackendName): Promise<QueueSide> {
  const names = { prefix: `test-${randomUUID()}`, queue: 'upkeep' }
  if (backend === 'redis') return openQueue({ backend, url: inject('redisUrl'), ...names })
  return openQueue({ backend, url: await newSqliteUrl(), ...names })
}

/** Creates a migrated SQLite database. */
export async function newSqliteUrl(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-queue-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return (await newDatabase(dir)).url
}

/** Opens a SQLite database until the end of the test. */
export function openSqlite(url: string): Database {
  const db = openDatabase(url, { survives: 'crash' })
  onTestFinished(() => db.close())
  return db
}

/** Opens a queue until the end of the test. */
function openQueue(address: QueueAddress): QueueSide {
  const { prefix, backend, url } = address
  const { Queue, Worker } = withBackend<IQueueBackend, ConnectionOptions>(
    backend === 'redis' ? createRedisBackend : createSqliteBackend(openSqlite(url)),
  )
  const queue = new Queue(address.queue, { connection: connect(address), prefix })
  onTestFinished(() => queue.close())
  return {
    address,
    queue,
    another: () => openQueue(address),
    serve(processor, options = {}) {
      const worker = new Worker(address.queue, processor, { connection: connect(address), prefix, ...options })
      worker.on('error', () => undefined)
      onTestFinished(() => worker.close(true))
      return worker
    },
  }
}

function connect({ backend, url }: QueueAddress): ConnectionOptions {
  if (backend === 'sqlite') return {}
  const connection = connectPatient(url)
  onTestFinished(() => connection.disconnect())
  return connection
}
