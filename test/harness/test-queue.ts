import type { QueueIn } from '../../shared/settings/config.ts'

/** The system that stores the queues of tests that do not choose one: Redis, or with `TEST_QUEUE=database` the SQLite database. */
export const testQueueIn: QueueIn = process.env.TEST_QUEUE === 'database' ? 'database' : 'redis'
