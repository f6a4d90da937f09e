import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates the database file if it does not exist, with access for its owner only, because it has personal data. SQLite
 * treats an empty file as a new database, and creates the files beside it with the same mode. Does not change an
 * existing file.
 */
export function makeSqliteFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // The file exists, or SQLite will report why it cannot be opened.
  }
}
