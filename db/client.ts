import { AsyncLocalStorage } from 'node:async_hooks'
import type { Deadline } from '../shared/deadline.ts'
import { dialect } from './columns.ts'
import type { Database, Driver, Reader, Writer } from './engine/database.ts'
import { openPostgres } from './engine/postgres.ts'
import { openSqlite } from './engine/sqlite.ts'
import { translateFailure } from './engine/unavailable.ts'

export type { Database, Reader, Writer }

const insideTransaction = new AsyncLocalStorage<true>()

export interface DatabaseOptions {
  /**
   * What a commit survives on SQLite. `crash` covers any end of the processes. `powerLoss` waits for the disk, which
   * includes earlier commits of all processes because they share one log. The signing process uses `powerLoss`, so that
   * issued credentials and used offers and nonces are never lost. PostgreSQL uses its own setting `synchronous_commit`.
   */
  survives: 'crash' | 'powerLoss'
}

/**
 * Opens the database of `url` (`file:` or `postgres:`). The dialect must be that of `DATABASE_URL`, which the tables
 * use.
 */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const isPostgres = url.startsWith('postgres')
  if (isPostgres !== (dialect === 'postgres'))
    throw new Error(`The URL must have the scheme of DATABASE_URL (${dialect}), not ${url.split(':')[0]}:.`)
  const driver: Driver = isPostgres ? openPostgres(url) : openSqlite(url.slice('file:'.length), options)
  const guarded = (tx: Database['txAtOnce']): Database['txAtOnce'] => {
    return async (work, options) => {
      if (insideTransaction.getStore()) throw new Error('db.tx cannot be called inside db.tx. Pass the outer tx on.')
      try {
        return await tx((writer) => insideTransaction.run(true, () => work(writer)), options)
      } catch (error) {
        throw translateFailure(error)
      }
    }
  }
  const database: Database = {
    ...driver,
    tx: guarded(driver.tx),
    txAtOnce: guarded(driver.txAtOnce),
    until: (deadline) => bounded(database, deadline),
    get withoutDeadline() {
      return database
    },
  }
  return database
}

function bounded(database: Database, deadline: Deadline): Database {
  return {
    ...database,
    tx: (work) => database.tx(work, { deadline }),
    txAtOnce: (work, options) => database.txAtOnce(work, { ...options, deadline }),
    withoutDeadline: database,
  }
}
