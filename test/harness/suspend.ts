import type { ChildProcess } from 'node:child_process'
import SqliteDatabase from 'better-sqlite3'

/**
 * Suspends a process (SIGSTOP). On SQLite it does so between write transactions of the process, because a suspended writer holds the lock
 * of the file, so that no other process could write.
 */
export function suspend(child: ChildProcess, databaseUrl: string): void {
  const file = databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : undefined
  for (;;) {
    child.kill('SIGSTOP')
    if (file === undefined || isWritable(file)) return
    child.kill('SIGCONT')
    // The process ends its transaction.
    isWritable(file)
  }
}

/** Waits for the transactions of processes that run. */
function isWritable(file: string): boolean {
  const database = new SqliteDatabase(file, { timeout: 1_000 })
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return true
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY') return false
    throw error
  } finally {
    database.close()
  }
}
