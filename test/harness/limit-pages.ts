import type { Database } from '../../db/client.ts'
import { statementsOf } from '../../db/engine/sqlite-statements.ts'

/** The maximum of SQLite. */
export const maxPages = 4_294_967_294

/** Limits the file of a SQLite database. SQLite raises the limit to the present size. */
export const limitPages = (db: Pick<Database, 'tx'>, pages: number) =>
  db.tx(async (tx) => void statementsOf(tx).prepare(`PRAGMA max_page_count = ${pages}`).get())
