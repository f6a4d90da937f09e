import SqliteDatabase from 'better-sqlite3'

/**
 * `node db/engine/quick-check.ts FILE`: prints what `PRAGMA quick_check` finds, `ok` where it finds nothing. A process of its own, because a
 * statement of SQLite can only be ended with its process.
 */
const mostFaults = 3
const busyMs = 5_000
try {
  const database = new SqliteDatabase(process.argv[2], { fileMustExist: true, timeout: busyMs })
  database.pragma('query_only = ON')
  const rows = database.prepare<[], string>(`PRAGMA quick_check(${mostFaults})`).pluck().all()
  console.log(rows.join('; '))
  database.close()
} catch (error) {
  if (!(error instanceof SqliteDatabase.SqliteError) || !/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) throw error
  console.log(error.message)
}
