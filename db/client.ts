import { AsyncLocalStorage } from 'node:async_hooks'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { dialect } from './columns.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** Runs queries; a write through `Database.read` is refused by the database itself. */
export type Reader = Pick<NodePgDatabase, 'select' | 'selectDistinct' | '$count'>

/** Runs queries and writes inside one transaction. */
export type Writer = Pick<NodePgDatabase, 'select' | 'selectDistinct' | '$count' | 'insert' | 'update' | 'delete'>

export interface Database {
  read: Reader
  /**
   * Runs `work` in one write transaction: committed when it returns, rolled back when it throws. Inside: database calls
   * only, no HTTP, no bus. A `tx` inside a `tx` throws at once instead of waiting for itself.
   */
  tx<Result>(work: (tx: Writer) => Promise<Result>): Promise<Result>
  /** Answers when the database does. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** What one dialect provides; `createDatabase` adds what holds for both. */
export interface Driver extends Database {}

const insideTransaction = new AsyncLocalStorage<true>()

/** Opens the database of `url` (`file:` or `postgres:`); the dialect was chosen by `DATABASE_URL` when tables loaded. */
export function openDatabase(url: string): Database {
  const isPostgres = url.startsWith('postgres')
  if (isPostgres !== (dialect === 'postgres'))
    throw new Error(`DATABASE_URL says ${dialect}, but ${url.split(':')[0]}: was opened`)
  const driver: Driver = isPostgres ? openPostgres(url) : openSqlite(url.slice('file:'.length))
  return {
    ...driver,
    tx(work) {
      if (insideTransaction.getStore()) throw new Error('db.tx inside db.tx: pass the outer tx on')
      return driver.tx((writer) => insideTransaction.run(true, () => work(writer)))
    },
  }
}
