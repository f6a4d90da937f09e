import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool, PoolClient } from 'pg'
import { addressOf } from '../../shared/process/dependency.ts'
import { tracing } from '../../shared/tracing/tracing.ts'
import type { Driver, RunStatement, TransactionOptions, Writer } from './database.ts'
import { createPace, type Pace } from './postgres-pace.ts'
import { type ConnectionPool, maxConnections, openPool } from './postgres-pool.ts'
import { PipelinedExchange, type Queryable } from './postgres-query.ts'
import { keepsSessions } from './postgres-session.ts'
import { openPostgresSignals } from './postgres-signals.ts'
import { openStandby } from './postgres-standby.ts'
import { groupsOf, readsByTick, type Work } from './postgres-ticks.ts'
import { type OneMessageOptions, Transaction } from './postgres-transaction.ts'
import { DatabaseUnavailable, isConnectionLost, isUnanswered, repeatable, translateError } from './unavailable.ts'
import { unfinishedCopyTable } from './unfinished-copy.ts'

/** A restart of the server breaks all connections of a pool. The attempt after them gets a new connection. */
const attempts = maxConnections + 2

/** Opens PostgreSQL with two pools: one whose sessions refuse writes, and one for transactions. */
export function openPostgres(url: string, standbyOptions?: { url: string; warn(reason: string): void }): Driver {
  const reads = openPool(url, { readOnly: true })
  const writes = openPool(url, { readOnly: false })
  const queuePools = new Set<ConnectionPool>()
  const pace = createPace()
  const onAny = readsOn(reads, pace)
  const read = drizzleOn(onAny)
  const standby = standbyOptions && openStandby({ ...standbyOptions, primary: onAny })
  const run = async <Result>(
    work: Work<Result>,
    options: TransactionOptions,
    atOnce?: OneMessageOptions,
  ): Promise<Result> => {
    for (let attempt = 1; ; attempt++) {
      const outcome = await runOnce({ pool: writes, pace }, work, options, atOnce)
      if (!('error' in outcome)) return outcome.result
      if (attempt === attempts || !outcome.mayRunAgain) throw outcome.error
    }
  }
  return {
    read,
    postgres: {
      read: (statement, values) => onAny.run({ statement, values: values.map(String) }).then(textsOf),
      write: statementsOn(writes, pace),
      address: addressOf(url),
      openPool: (options) => listedUntilEnd(openPool(url, options), queuePools),
      openSignals: () => openPostgresSignals(url),
    },
    standbyRead: async () => (standby ? drizzleOn(await standby.reader()) : read),
    measureStandby: async () => standby?.measure(),
    tx: (work, options = {}) => run(work, options),
    txAtOnce: groupsOf(run, pace),
    emptyLog: async () => true,
    findMigrationTimes: () => findMigrationTimes(onAny),
    async isUnfinishedCopy() {
      const { rows } = await onAny.query('SELECT to_regclass($1) AS name', [unfinishedCopyTable])
      return rows[0]?.name !== null
    },
    async ping() {
      await onAny.query('SELECT 1')
    },
    keepsSessions: () => keepsSessions(reads),
    findDamage: () => undefined,
    pools: () => [
      { pool: 'reads', ...reads.status() },
      { pool: 'writes', ...writes.status() },
      ...(standby ? [{ pool: 'standby', ...standby.pool.status() } as const] : []),
      ...[...queuePools].map((pool) => ({ pool: 'queues', ...pool.status() }) as const),
    ],
    async close() {
      await Promise.all([reads.end(), writes.end(), standby?.pool.end()])
    },
  }
}

/** Adds a pool to `pools`, which lose it at its end. */
function listedUntilEnd(pool: ConnectionPool, pools: Set<ConnectionPool>): ConnectionPool {
  pools.add(pool)
  return {
    ...pool,
    end() {
      pools.delete(pool)
      return pool.end()
    },
  }
}

/** undefined_table and insufficient_privilege. */
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
  // Boundary: outside of its own transactions, Drizzle calls only `query` of a client. A `Writer` has no such transactions.
  return drizzle(queryable as unknown as Pool)
}

function readsOn(pool: ConnectionPool, pace: Pace): Queryable {
  const runByTick = readsByTick((calls) =>
    onAnyOf(pool, (client) => pace.measure(new PipelinedExchange(client, calls).send())),
  )
  const run: Queryable['run'] = tracing ? (call) => traced(() => runByTick(call)) : runByTick
  const query = (...args: Parameters<PoolClient['query']>) =>
    // Boundary: Drizzle calls the overload that returns a promise.
    onAnyOf(pool, async (client) => pace.measure(Promise.resolve(client.query(...args))))
  return {
    query: (tracing
      ? (...args: Parameters<PoolClient['query']>) => traced(() => query(...args))
      : query) as unknown as PoolClient['query'],
    run,
    queueWithNextMessage: async (call) => void (await run(call)),
  }
}

/** Each statement is one message. A transaction that changes only unlogged tables does not wait for the disk. */
function statementsOn(pool: ConnectionPool, pace: Pace): RunStatement {
  return async (statement, values) => {
    const calls = [{ statement, values: values.map(String) }]
    const [rows = []] = await onAnyOf(pool, (client) => pace.measure(new PipelinedExchange(client, calls).send()))
    return textsOf(rows)
  }
}

/** Boundary: a statement without types has columns of text. */
const textsOf = (rows: unknown[][]) => rows as (string | null)[][]

/** Runs a read in a span. The span includes the wait for a connection. */
function traced<Result>(read: () => Promise<Result>): Promise<Result> {
  return tracing ? tracing.span('database read', 'client', undefined, read) : read()
}

/** Runs a query that has no transaction. If its connection is lost, runs it again on another one. */
async function onAnyOf<Result>(pool: ConnectionPool, query: (client: PoolClient) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect().catch(unavailable)
    try {
      const result = await query(client)
      client.release()
      return result
    } catch (error) {
      const failure = translateError(error)
      if (isUnanswered(error)) pool.renewAll()
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
 * Runs one attempt of a transaction. Closes the connection if its transaction may still be open. A transaction may run
 * again if it certainly had no effect: the server reports it, or the connection was lost before COMMIT was sent. A
 * transaction of `txAtOnce` may also run again after it was committed.
 */
async function runOnce<Result>(
  { pool, pace }: { pool: ConnectionPool; pace: Pace },
  work: Work<Result>,
  { deadline }: TransactionOptions,
  atOnce?: OneMessageOptions,
): Promise<Outcome<Result>> {
  const client = await pool.connect().catch(unavailable)
  const { transaction, writer } = writerOn(client, pace)
  let isOver = false
  try {
    // The first message of `txAtOnce` contains the commit. It is not sent if it could arrive after the deadline.
    if (atOnce) deadline?.require(pace.commitMs())
    transaction.start(deadline, atOnce)
    const result = await work(writer)
    if (!transaction.isCommitting) deadline?.require(pace.commitMs())
    await transaction.commit()
    isOver = true
    return { result }
  } catch (error) {
    const failure = translateError(error)
    if (isUnanswered(error)) pool.renewAll()
    isOver = await transaction.rollback({ isAnswered: !isUnanswered(error) })
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

/** Returns the transaction of a connection, which is created once. */
function writerOn(client: PoolClient, pace: Pace): { transaction: Transaction; writer: Writer } {
  const existingWriter = writers.get(client)
  if (existingWriter) return existingWriter
  const transaction = new Transaction(client, pace)
  const made = { transaction, writer: drizzleOn(transaction) }
  writers.set(client, made)
  return made
}

function isRepeatable(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause && repeatable.some((code) => code === cause.code)
}
