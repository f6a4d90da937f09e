import { type ClientBase, Pool } from 'pg'

/** Per pool. */
export const mostConnections = 8
/** For a connection: to be made, or, while all are in use, to become free. */
const connectWithinMs = 5_000
const statementWithinMs = 30_000
/** The server says first that a statement took too long; this is for one that does not say anything any more. */
const answerWithinMs = 35_000
/** A process that was stopped in its tracks lets go of what it held. */
const idleInTransactionMs = 30_000
/**
 * Every query has its index. A plan that was made while a table was small, or empty, reads the table whole for as long as it is kept, and
 * of one that is written all the time the dead rows too (measured, after 12,000 rows went through the outbox: 470 µs to
 * see that it is empty; this: 14). A plan that has to read a table whole all the same is given a high price for it, for which PostgreSQL would
 * compile it: so `jit` is off too.
 */
const byIndex = ['SET enable_seqscan = off', 'SET jit = off']

/**
 * Connections to one server. The settings of a session are statements and not start-up parameters, which PgBouncer refuses.
 * A connection that is lost, in use or not, is no event of its own: whoever uses it next is told, and it is not used again.
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
    max: mostConnections,
    connectionTimeoutMillis: connectWithinMs,
    query_timeout: answerWithinMs,
    keepAlive: true,
    async onConnect(client: ClientBase) {
      // Without a listener, the loss of a connection that is in use ends the process.
      client.on('error', () => undefined)
      await client.query(settings)
    },
  })
  pool.on('error', () => undefined) // the same of one that is not in use
  return pool
}
