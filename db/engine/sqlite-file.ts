import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes the file of a database where there is none, for its owner alone: it holds what is known of persons. SQLite takes an empty file as a
 * new database, and gives the files beside it the same mode. A file that exists stays as it is.
 */
export function makeSqliteFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // It exists, or SQLite will say why it cannot be opened.
  }
}
