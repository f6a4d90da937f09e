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
   * What a commit survives on SQLite. A `crash` is any death of processes; `powerLoss` waits for the disk, and takes
   * along what others committed before, since all commits go to one log. The signing process waits: what it issued is
   * never forgotten, nor is the offer or nonce it was issued for. PostgreSQL decides by its own `synchronous_commit`.
   */
  survives: 'crash' | 'powerLoss'
}

/** Opens the database of `url` (`file:` or `postgres:`); the dialect was chosen by `DATABASE_URL` when tables loaded. */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const isPostgres = url.startsWith('postgres')
  if (isPostgres !== (dialect === 'postgres'))
    throw new Error(`DATABASE_URL says ${dialect}, but ${url.split(':')[0]}: was opened`)
  const driver: Driver = isPostgres ? openPostgres(url) : openSqlite(url.slice('file:'.length), options)
  const guarded = (tx: Database['txAtOnce']): Database['txAtOnce'] => {
    return async (work, options) => {
      if (insideTransaction.getStore()) throw new Error('db.tx inside db.tx: pass the outer tx on')
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
