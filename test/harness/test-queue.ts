import { dialect } from '../../db/columns.ts'
import type { QueueIn } from '../../shared/settings/config.ts'

const chosen = process.env.TEST_QUEUE
const isRedis = chosen === 'redis' || (dialect === 'postgres' && chosen !== 'database')

/** The system that stores the queues of tests that do not choose one: `TEST_QUEUE`, or the database on SQLite and Redis on PostgreSQL. */
export const testQueueIn: QueueIn = isRedis ? 'redis' : 'database'
