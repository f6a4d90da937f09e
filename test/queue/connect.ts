import { type ConnectionOptions, createRedisBackend, type IQueueBackend, withBackend } from 'bullmq'
import { openDatabase } from '../../db/client.ts'
import { createSqliteBackend } from '../../db/queue/backend.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'

export type BackendName = 'redis' | 'sqlite'

/** How each process opens the same queue. */
export interface QueueAddress {
  backend: BackendName
  url: string
  prefix: string
  queue: string
}

/** Returns the classes of BullMQ on the backend, and what closes its connections. */
export function connectTo({ backend, url }: QueueAddress) {
  if (backend === 'sqlite') {
    const db = openDatabase(url, { survives: 'crash' })
    return { ...classesOn(createSqliteBackend(db)), connection: (): ConnectionOptions => ({}), close: () => db.close() }
  }
  const opened: ReturnType<typeof connectPatient>[] = []
  return {
    ...classesOn(createRedisBackend),
    connection(): ConnectionOptions {
      const connection = connectPatient(url)
      opened.push(connection)
      return connection
    },
    async close() {
      for (const connection of opened) connection.disconnect()
    },
  }
}

const classesOn = (factory: Parameters<typeof withBackend<IQueueBackend, ConnectionOptions>>[0]) =>
  withBackend<IQueueBackend, ConnectionOptions>(factory)
