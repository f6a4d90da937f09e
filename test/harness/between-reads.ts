import SqliteDatabase from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Database } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { asQueryable } from './queryable.ts'

/** A statement with `$1` and so on for its values. */
export type Statement = [sql: string, ...values: string[]]

/**
 * Returns the same database, in which statements are written directly before each query of `read`, over a separate connection as by
 * another process.
 */
export function writingBetweenReads(
  db: Database,
  url: string,
  write: () => Statement[],
): { db: Database; close(): Promise<void> } {
  if (dialect === 'sqlite') {
    const other = new SqliteDatabase(url.slice('file:'.length), { timeout: 5_000 })
    const run = ([sql, ...values]: Statement) => other.prepare(sql.replaceAll(/\$\d/g, '?')).run(...values)
    const writing = (base: Database): Database => ({
      ...base,
      get read() {
        write().forEach(run)
        return base.read
      },
      until: (deadline) => writing(base.until(deadline)),
    })
    return { db: writing(db), close: async () => void other.close() }
  }
  const pool = new pg.Pool({ connectionString: url })
  const query = async (config: pg.QueryConfig, values?: unknown[]) => {
    for (const [sql, ...values] of write()) await pool.query(sql, values)
    return pool.query(config, values)
  }
  const read = drizzle(asQueryable(query) as unknown as pg.Pool)
  const writing = (base: Database): Database => ({
    ...base,
    read,
    until: (deadline) => writing(base.until(deadline)),
  })
  return { db: writing(db), close: () => pool.end() }
}
