import { type ClientBase, Pool } from 'pg'

/** Connections per pool. */
export const maxConnections = 8
/** The wait for a new or a free connection. */
const connectWithinMs = 5_000
const statementWithinMs = 30_000
/** The server cancels slow statements first. This limit is for a server that does not respond. */
const answerWithinMs = 35_000
/** The server releases the locks of a stopped process after this time. */
const idleInTransactionMs = 30_000
/**
 * Every query has an index. PostgreSQL may keep a plan from when a table was small, and scan the whole table with its
 * dead rows (measured after 12,000 rows went through the outbox: 470 µs to find it empty, this: 14). If a scan is
 * unavoidable, its plan has a high cost, for which PostgreSQL would use JIT compilation. So `jit` is off.
 */
const byIndex = ['SET enable_seqscan = off', 'SET jit = off']

/**
 * Opens a pool of connections to one server. PgBouncer refuses start-up parameters, so statements set the session. The
 * loss of a connection is not reported by itself. The next query on it fails, and the pool removes it.
 */
export function openPool(url: string, { readOnly }: { readOnly: boolean }): Pool {
  const settings = [
    `SET statement_timeout = ${statementWithinMs}`,
    `SET idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
    ...byIndex,
    ...(readOnly ? ['SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY'] : []),
  ].join('; ')
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectWithinMs,
    query_timeout: answerWithinMs,
    keepAlive: true,
    async onConnect(client: ClientBase) {
      // Without a listener, the loss of a connection that is in use ends the process.
      client.on('error', () => undefined)
      await client.query(settings)
    },
  })
  pool.on('error', () => undefined) // The same for an idle connection.
  return pool
}
