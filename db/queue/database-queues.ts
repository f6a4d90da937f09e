import type { Database } from '../client.ts'
import { dialect } from '../columns.ts'
import type { Signals } from '../engine/postgres-signals.ts'
import { createSqliteBackend } from './backend.ts'
import type { DatabaseQueues } from './postgres-backend.ts'
import type { QueueSignals } from './signals.ts'

/** Loaded only with PostgreSQL. */
const postgresBackend = dialect === 'postgres' ? await import('./postgres-backend.ts') : undefined

/** Opens the queues of a process. `signals` are those of the process on PostgreSQL, and `queueSignals` those on SQLite. */
export function openDatabaseQueues(
  db: Database,
  signals: Signals | undefined,
  queueSignals?: QueueSignals,
): DatabaseQueues {
  if (postgresBackend && db.postgres && signals) return postgresBackend.openPostgresQueues(db.postgres, signals)
  // Each process waits for its database, and closes it.
  return { backend: createSqliteBackend(db, queueSignals), dependency: undefined, close: async () => undefined }
}
