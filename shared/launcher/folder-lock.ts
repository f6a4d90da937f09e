import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { StartupError } from './startup-error.ts'

export interface FolderLock {
  release(): void
}

/**
 * Locks the folder for this `npm start`. The lock is that of a SQLite file, which the operating system releases when the process ends, also
 * when it is killed. Throws StartupError if another process has it.
 */
export function lockFolder(dataDir: string): FolderLock {
  mkdirSync(dataDir, { recursive: true })
  const file = new SqliteDatabase(join(dataDir, 'npm-start.lock'), { timeout: 0 })
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (!(error instanceof SqliteDatabase.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error
    throw new StartupError(folderInUse(dataDir))
  }
  return { release: () => void file.close() }
}

export function folderInUse(dataDir: string): string {
  return `Another \`npm start\` uses ${dataDir}. Stop it, or choose another folder with DATA_DIR.`
}
