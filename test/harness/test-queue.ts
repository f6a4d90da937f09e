import { dialect } from '../../db/columns.ts'
import type { QueueIn } from '../../shared/settings/config.ts'

/** The system that stores the queues of tests that do not choose one: the SQLite database, and with `TEST_QUEUE=redis` or on PostgreSQL Redis. */
export const testQueueIn: QueueIn = dialect === 'postgres' || process.env.TEST_QUEUE === 'redis' ? 'redis' : 'database'
