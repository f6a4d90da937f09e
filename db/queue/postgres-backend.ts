import { type BackendFactory, type JobType, type PgQueryable, PostgresConnection, PostgresQueueBackend } from 'bullmq'
import type { Dependency } from '../../shared/process/dependency.ts'
import type { PostgresAccess } from '../engine/database.ts'
import type { Signals } from '../engine/postgres-signals.ts'
import { createJobNotifications, type JobNotifications } from './job-notifications.ts'
import { countPostgresJobs, listWaiting } from './postgres-ranges.ts'
import { openQueueConnections } from './queue-connections.ts'
import { requireQueueSchema } from './queue-schema.ts'

/** The queues in the database. */
export interface DatabaseQueues {
  backend: BackendFactory
  /** Undefined if each process waits for its database anyway. */
  dependency: Dependency | undefined
  close(): Promise<void>
}

/**
 * Opens BullMQ's own backend on the schema of the queues. All queues of a process share its connections. Workers are woken by notifications over
 * `listen`.
 */
export function openPostgresQueues(postgres: PostgresAccess, { listen }: Pick<Signals, 'listen'>): DatabaseQueues {
  const connections = openQueueConnections(postgres)
  const notifications = createJobNotifications(listen)
  return {
    backend: (queue, opts) => {
      const connection = new PostgresConnection(connections)
      // Each process checks the schema at its start. The check of BullMQ stays failed when it fails once.
      connection.waitUntilReady = async () => undefined
      const backend = new PostgresQueueBackend(connection, queue, { ...opts, connection: connections })
      return Object.assign(backend, waitsOf(backend, notifications), rangesOf(backend, connections))
    },
    dependency: {
      name: 'database',
      address: postgres.address,
      reach: () => requireQueueSchema(connections, postgres.address),
    },
    async close() {
      notifications.close()
      await connections.end()
    },
  }
}

/**
 * Replaces the waits of BullMQ, which need a connection for each queue and two statements for each wait. A worker waits for a notification
 * that was not counted when it began to look for a job and found none. Looks of the same worker overlap.
 */
function waitsOf(backend: PostgresQueueBackend, notifications: JobNotifications) {
  const queue = backend.qualifiedName
  let seen = -1
  let cancellation = new AbortController()
  const { moveToActive, moveToCompleted, moveToFailed } = backend
  async function look<Result>(operation: () => Promise<Result>, nextOf: (result: Result) => unknown) {
    const counted = notifications.count(queue)
    const result = await operation()
    const next = nextOf(result)
    if (Array.isArray(next) && !next[0]) seen = counted
    return result
  }
  return {
    waitUntilReady: async () => undefined,
    // The backend also calls it to take a job after it delayed another one.
    moveToActive: (...args: Parameters<typeof moveToActive>) =>
      look(
        () => moveToActive.apply(backend, args),
        (next) => next,
      ),
    moveToCompleted: (...args: Parameters<typeof moveToCompleted>) =>
      look(
        () => moveToCompleted.apply(backend, args),
        ({ result }) => result,
      ),
    moveToFailed: (...args: Parameters<typeof moveToFailed>) =>
      look(
        () => moveToFailed.apply(backend, args),
        ({ result }) => result,
      ),
    async waitForJob(timeoutSeconds: number) {
      const { signal } = cancellation
      const isNotified = await notifications.waitForOther(queue, seen, timeoutSeconds * 1_000, signal)
      return isNotified ? { member: queue, score: 0 } : null
    },
    disconnectBlocking: async () => cancellation.abort(),
    async reconnectBlocking() {
      cancellation = new AbortController()
    },
  } satisfies Partial<PostgresQueueBackend>
}

function rangesOf(backend: PostgresQueueBackend, connections: PgQueryable) {
  const others = backend.getRanges.bind(backend)
  return {
    async getRanges(types: JobType[], start = 0, end = -1, asc = false) {
      const ids: string[][] = []
      for (const type of types) {
        const waiting = await listWaiting(connections, backend.qualifiedName, type, { start, end, asc })
        ids.push(...(waiting ? [waiting] : await others([type], start, end, asc)))
      }
      // Boundary: BullMQ types a list of ids as a tuple.
      return ids as [string][]
    },
    getCounts: (types: JobType[]) => countPostgresJobs(connections, backend.qualifiedName, types),
  } satisfies Partial<PostgresQueueBackend>
}
