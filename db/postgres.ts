import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import type { Database, Writer } from './database.ts'

const attempts = 5

/** PostgreSQL: a pool for reads, whose sessions refuse writes, and one for transactions. */
export function openPostgres(url: string): Database {
  const reads = new Pool({ connectionString: url, max: 8, options: '-c default_transaction_read_only=on' })
  const writes = new Pool({ connectionString: url, max: 8 })
  for (const pool of [reads, writes]) pool.on('error', () => undefined) // an idle connection was lost; the next query opens another
  const writer = drizzle(writes)
  return {
    read: drizzle(reads),
    async tx(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await writer.transaction((tx) => work(tx satisfies Writer))
        } catch (error) {
          if (attempt === attempts || !isRetryable(error)) throw error
        }
      }
    },
    async ping() {
      await reads.query('SELECT 1')
    },
    async close() {
      await Promise.all([reads.end(), writes.end()])
    },
  }
}

/** serialization_failure and deadlock_detected: the transaction left nothing behind and may run again. */
function isRetryable(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause && (cause.code === '40001' || cause.code === '40P01')
}
