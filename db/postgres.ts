import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Database, Writer } from './database.ts'
import { mostConnections, openPool } from './postgres-pool.ts'
import { DatabaseUnavailable, isConnectionLost, repeatable, translateFailure } from './unavailable.ts'

/** A server that was restarted has lost all connections of a pool: the attempt after them gets one that is new. */
const attempts = mostConnections + 2

/** PostgreSQL: a pool for reads, whose sessions refuse writes, and one for transactions. */
export function openPostgres(url: string): Database {
  const reads = openPool(url, { readOnly: true })
  const writes = openPool(url, { readOnly: false })
  const query = (config: string | QueryConfig, values?: unknown[]) => queryAny(reads, config, values)
  return {
    // Boundary: of a pool, Drizzle calls nothing else outside of its own transactions, which a `Reader` does not have.
    read: drizzle({ query } as unknown as Pool),
    async tx(work) {
      for (let attempt = 1; ; attempt++) {
        const outcome = await runOnce(writes, work)
        if (!('error' in outcome)) return outcome.result
        if (attempt === attempts || !outcome.mayRunAgain) throw outcome.error
      }
    },
    emptyLog: async () => true,
    async ping() {
      await query('SELECT 1')
    },
    async close() {
      await Promise.all([reads.end(), writes.end()])
    },
  }
}

/** A query that only reads, on any connection; on another one when that is lost, as all are once a server was restarted. */
async function queryAny(pool: Pool, config: string | QueryConfig, values: unknown[] | undefined) {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect().catch(unavailable)
    try {
      const result = await client.query(config, values)
      client.release()
      return result
    } catch (error) {
      const failure = translateFailure(error)
      client.release(failure instanceof DatabaseUnavailable)
      if (attempt === attempts || !isConnectionLost(error)) throw failure
    }
  }
}

function unavailable(error: unknown): never {
  throw new DatabaseUnavailable(error)
}

type Outcome<Result> = { result: Result } | { error: unknown; mayRunAgain: boolean }

/**
 * One attempt at a transaction. A connection that cannot be told to be out of it is not used again. A transaction may run
 * again when it is certain that nothing of it is left: the server says so, or the connection was lost before COMMIT was sent.
 */
async function runOnce<Result>(pool: Pool, work: (tx: Writer) => Promise<Result>): Promise<Outcome<Result>> {
  const client = await pool.connect().catch(unavailable)
  let isOver = false
  let isCommitting = false
  try {
    // Said explicitly: behind PgBouncer, a session may be one that was told to refuse writes.
    await client.query('BEGIN READ WRITE')
    const result = await work(writerOn(client))
    isCommitting = true
    await commit(client)
    isOver = true
    return { result }
  } catch (error) {
    const failure = translateFailure(error)
    isOver = await isRolledBack(client)
    return { error: failure, mayRunAgain: isRepeatable(error) || (isConnectionLost(error) && !isCommitting) }
  } finally {
    client.release(!isOver)
  }
}

/** A transaction in which a statement failed is rolled back by COMMIT, which then does not fail itself. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT')
  if (command !== 'COMMIT') throw new Error('a statement failed, and the transaction went on as if it had not')
}

async function isRolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK')
    return true
  } catch {
    return false
  }
}

const writers = new WeakMap<PoolClient, Writer>()

/** One per connection, so that what is prepared on it (prepared.ts) is prepared once. */
function writerOn(client: PoolClient): Writer {
  const writer = writers.get(client) ?? drizzle(client)
  writers.set(client, writer)
  return writer
}

function isRepeatable(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause && repeatable.some((code) => code === cause.code)
}
