import SqliteDatabase from 'better-sqlite3'

/**
 * `node db/engine/print-damage.ts FILE PRAGMA`: prints the result of `PRAGMA quick_check` or `PRAGMA integrity_check`, which is `ok` for
 * a file without damage. It is a separate process, because a statement of SQLite can be ended only with its process.
 */
const [, , file, pragma] = process.argv
const maxRows = 3
const busyMs = 5_000
try {
  const database = new SqliteDatabase(file, { fileMustExist: true, timeout: busyMs })
  database.pragma('query_only = ON')
  const rows = database.prepare<[], string>(`PRAGMA ${pragma}(${maxRows})`).pluck().all()
  console.log(rows.join('; '))
  database.close()
} catch (error) {
  if (!(error instanceof SqliteDatabase.SqliteError) || !/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) throw error
  console.log(error.message)
}
