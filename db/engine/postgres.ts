import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool, PoolClient } from 'pg'
import type { PoolStatus } from '../../shared/metrics/process.ts'
import type { AtOnceOptions, Driver, TransactionOptions, Writer } from './database.ts'
import { createPace, type Pace } from './postgres-pace.ts'
import { mostConnections, openPool } from './postgres-pool.ts'
import { PipelinedExchange, type PreparedCall, type Queryable } from './postgres-query.ts'
import { Transaction } from './postgres-transaction.ts'
import { DatabaseUnavailable, isConnectionLost, repeatable, translateFailure } from './unavailable.ts'

/** A server that was restarted has lost all connections of a pool: the attempt after them gets one that is new. */
const attempts = mostConnections + 2

/** PostgreSQL: a pool for reads, whose sessions refuse writes, and one for transactions. */
export function openPostgres(url: string): Driver {
  const reads = openPool(url, { readOnly: true })
  const writes = openPool(url, { readOnly: false })
  const pace = createPace()
  const onAny = readsOn(reads, pace)
  const run = async <Result>(
    work: Work<Result>,
    options: TransactionOptions,
    atOnce?: AtOnceOptions,
  ): Promise<Result> => {
    for (let attempt = 1; ; attempt++) {
      const outcome = await runOnce({ pool: writes, pace }, work, options, atOnce)
      if (!('error' in outcome)) return outcome.result
      if (attempt === attempts || !outcome.mayRunAgain) throw outcome.error
    }
  }
  return {
    read: drizzleOn(onAny),
    tx: (work, options = {}) => run(work, options),
    txAtOnce: (work, options = {}) => run(work, options, options),
    emptyLog: async () => true,
    findMigrationTimes: () => findMigrationTimes(onAny),
    async ping() {
      await onAny.query('SELECT 1')
    },
    findDamage: () => undefined,
    pools: () => [standingOf('reads', reads), standingOf('writes', writes)],
    async close() {
      await Promise.all([reads.end(), writes.end()])
    },
  }
}

function standingOf(pool: PoolStatus['pool'], { totalCount, idleCount, waitingCount }: Pool): PoolStatus {
  return { pool, open: totalCount, idle: idleCount, waiting: waitingCount, max: mostConnections }
}

/** Undefined_table, and insufficient_privilege. */
const [noTable, notAllowed] = ['42P01', '42501']

async function findMigrationTimes(onAny: Queryable): Promise<number[] | 'unknown'> {
  try {
    const { rows } = await onAny.query<{ created_at: string }>('SELECT created_at FROM drizzle.__drizzle_migrations')
    return rows.map((row) => Number(row.created_at))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === noTable) return []
    if (code === notAllowed) return 'unknown'
    throw error
  }
}

function drizzleOn(queryable: Queryable): Writer {
  // Boundary: of a client, Drizzle calls nothing but `query` outside of its own transactions, which a `Writer` does not have.
  return drizzle(queryable as unknown as Pool)
}

function readsOn(pool: Pool, pace: Pace): Queryable {
  const run = (call: PreparedCall) =>
    onAnyOf(pool, async (client) => (await pace.measure(new PipelinedExchange(client, [call]).send()))[0] ?? [])
  return {
    query: ((...asked: Parameters<PoolClient['query']>) =>
      // Boundary: of pg's overloads, Drizzle calls the one that gives a promise.
      onAnyOf(pool, async (client) =>
        pace.measure(Promise.resolve(client.query(...asked))),
      )) as unknown as PoolClient['query'],
    run,
    soon: async (call) => void (await run(call)),
  }
}

/** A query that only reads, on any connection; on another one when that is lost, as all are once a server was restarted. */
async function onAnyOf<Result>(pool: Pool, query: (client: PoolClient) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect().catch(unavailable)
    try {
      const result = await query(client)
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

type Work<Result> = (tx: Writer) => Promise<Result>
type Outcome<Result> = { result: Result } | { error: unknown; mayRunAgain: boolean }

/**
 * One attempt at a transaction. A connection that cannot be told to be out of it is not used again. A transaction may run
 * again when it is certain that nothing of it is left: the server says so, or the connection was lost before COMMIT was sent. One
 * that is sent at once may run again however much of it is left.
 */
async function runOnce<Result>(
  { pool, pace }: { pool: Pool; pace: Pace },
  work: Work<Result>,
  { deadline }: TransactionOptions,
  atOnce?: AtOnceOptions,
): Promise<Outcome<Result>> {
  const client = await pool.connect().catch(unavailable)
  const { transaction, writer } = writerOn(client, pace)
  let isOver = false
  try {
    // What is committed with its first message is committed before the deadline, or not sent.
    if (atOnce) deadline?.require(pace.commitMs())
    transaction.start(deadline, atOnce)
    const result = await work(writer)
    if (!transaction.isCommitting) deadline?.require(pace.commitMs())
    await transaction.commit()
    isOver = true
    return { result }
  } catch (error) {
    const failure = translateFailure(error)
    isOver = await transaction.rollback()
    return {
      error: failure,
      mayRunAgain:
        isRepeatable(error) || (isConnectionLost(error) && (atOnce !== undefined || !transaction.isCommitting)),
    }
  } finally {
    client.release(!isOver)
  }
}

const writers = new WeakMap<PoolClient, { transaction: Transaction; writer: Writer }>()

/** One per connection. */
function writerOn(client: PoolClient, pace: Pace): { transaction: Transaction; writer: Writer } {
  const known = writers.get(client)
  if (known) return known
  const transaction = new Transaction(client, pace)
  const made = { transaction, writer: drizzleOn(transaction) }
  writers.set(client, made)
  return made
}

function isRepeatable(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause && repeatable.some((code) => code === cause.code)
}
