import { type BackendFactory, type JobType, type PgQueryable, PostgresConnection, PostgresQueueBackend } from 'bullmq'
import type { Dependency } from '../../shared/process/dependency.ts'
import type { PostgresAccess } from '../engine/database.ts'
import type { Signals } from '../engine/postgres-signals.ts'
import { createJobNotifications } from './job-notifications.ts'
import { addPostgresJobs, areIndependent } from './postgres-add.ts'
import { countPostgresJobs, listWaiting } from './postgres-ranges.ts'
import { workerOperations } from './postgres-worker.ts'
import { openQueueConnections } from './queue-connections.ts'
import { requireQueueSchema } from './queue-schema.ts'
import { createStalledJobs } from './stalled-jobs.ts'

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
  const stalledJobs = createStalledJobs(connections)
  return {
    backend: (queue, opts) => {
      const connection = new PostgresConnection(connections)
      // Each process checks the schema at its start. The check of BullMQ stays failed when it fails once.
      connection.waitUntilReady = async () => undefined
      const backend = new PostgresQueueBackend(connection, queue, { ...opts, connection: connections })
      const worker = workerOperations(backend, { connections, notifications, stalledJobs, opts })
      return Object.assign(backend, addsOf(backend, connections), worker, rangesOf(backend, connections))
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

function addsOf(backend: PostgresQueueBackend, connections: PgQueryable) {
  const { addJob, addJobs } = backend
  const add = (entries: Parameters<typeof addJobs>[0]) => addPostgresJobs(connections, backend.qualifiedName, entries)
  return {
    async addJob(...[job, jobId, parent = {}]: Parameters<typeof addJob>) {
      const entries = [{ job, jobId, parentKeyOpts: parent }]
      if (!areIndependent(entries)) return addJob.call(backend, job, jobId, parent)
      const [id = jobId] = await add(entries)
      return id
    },
    addJobs: async (entries: Parameters<typeof addJobs>[0]) =>
      areIndependent(entries) ? add(entries) : addJobs.call(backend, entries),
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
