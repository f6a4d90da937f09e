import type { Deadline } from '../shared/deadline.ts'
import { tracing } from '../shared/tracing/tracing.ts'
import { dialect } from './columns.ts'
import type { Database, Driver, Reader, Writer } from './engine/database.ts'
import { translateError } from './engine/unavailable.ts'
import { createWithNext } from './engine/with-next.ts'
import { requireOutsideTransaction, runInsideTransaction } from './inside-transaction.ts'

export type { Database, Reader, Writer }

export interface DatabaseOptions {
  /**
   * The failures that a commit survives on SQLite. `crash` covers any end of the processes. `powerLoss` waits for the disk, which
   * includes earlier commits of all processes because they share one log. The signing process uses `powerLoss`, so that
   * issued credentials and used offers and nonces are never lost. PostgreSQL uses its own setting `synchronous_commit`.
   */
  survives: 'crash' | 'powerLoss'
  /** A standby for reads, only for PostgreSQL. `warn` is called when reads go to the primary because of the standby. */
  standby?: { url: string; warn(reason: string): void } | undefined
}

/** Only the driver of this database is loaded. */
const openDriver: (url: string, options: DatabaseOptions) => Driver =
  dialect === 'postgres'
    ? await import('./engine/postgres.ts').then(
        ({ openPostgres }) =>
          (url, { standby }) =>
            openPostgres(url, standby),
      )
    : await import('./engine/sqlite.ts').then(
        ({ openSqlite }) =>
          (url, options) =>
            openSqlite(url.slice('file:'.length), options),
      )

/**
 * Opens the database of `url` (`file:` or `postgres:`). The dialect must be that of `DATABASE_URL`, which the tables
 * use.
 */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const isPostgres = url.startsWith('postgres')
  if (isPostgres !== (dialect === 'postgres'))
    throw new Error(`The URL must have the scheme of DATABASE_URL (${dialect}), not ${url.split(':')[0]}:.`)
  const opened = openDriver(url, options)
  const guarded = (txAtOnce: Database['txAtOnce']): Database['txAtOnce'] => {
    const tx = tracing ? traced(txAtOnce) : txAtOnce
    return async (work, options) => {
      requireOutsideTransaction('db.tx cannot be called inside db.tx. Pass the outer tx on.')
      try {
        return await tx((writer) => runInsideTransaction(() => work(writer)), options)
      } catch (error) {
        throw translateError(error)
      }
    }
  }
  const txAtOnce = guarded(opened.txAtOnce)
  const { txWithNext, followed } = createWithNext(txAtOnce)
  const driver = { ...opened, tx: followed(guarded(opened.tx)), txAtOnce: followed(txAtOnce), txWithNext }
  const database: Database = {
    ...driver,
    until: (deadline) => bounded(driver, database, deadline),
    get withoutDeadline() {
      return database
    },
  }
  return database
}

/** Runs a transaction in a span. The engine can start the work of one caller in the async context of another, so the work is bound. */
function traced(tx: Database['txAtOnce']): Database['txAtOnce'] {
  return (work, options) => {
    if (!tracing) return tx(work, options)
    const { bind } = tracing
    return tracing.span('database transaction', 'client', undefined, (segment) => tx(bind(segment, work), options))
  }
}

/** Returns the database for one request. It copies the driver, because a copy of the database would run its getter. */
function bounded(
  driver: Omit<Database, 'until' | 'withoutDeadline'>,
  database: Database,
  deadline: Deadline,
): Database {
  return {
    ...driver,
    tx: (work) => database.tx(work, { deadline }),
    txAtOnce: (work, options) => database.txAtOnce(work, { ...options, deadline }),
    until: database.until,
    withoutDeadline: database,
  }
}
