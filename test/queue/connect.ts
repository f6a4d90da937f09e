import { type ConnectionOptions, createRedisBackend, type IQueueBackend, withBackend } from 'bullmq'
import { openDatabase } from '../../db/client.ts'
import { openDatabaseQueues } from '../../db/queue/database-queues.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'

export type BackendName = 'redis' | 'sqlite' | 'postgres'

/** How each process opens the same queue. */
export interface QueueAddress {
  backend: BackendName
  url: string
  prefix: string
  queue: string
}

/** Returns the classes of BullMQ on the backend, and what closes its connections. */
export function connectTo({ backend, url }: QueueAddress) {
  if (backend !== 'redis') {
    const db = openDatabase(url, { survives: 'crash' })
    const queues = openDatabaseQueues(db, db.postgres?.openSignals())
    const close = async () => {
      await queues.close()
      await db.close()
    }
    return { ...classesOn(queues.backend), connection: (): ConnectionOptions => ({}), close }
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
