import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { withoutParameters } from '../../shared/log/log.ts'
import { Misconfigured, reasonOf } from '../../shared/process/dependency.ts'
import { readMigrations } from './migration-folders.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const maxShown = 300

/**
 * Returns an error for the operator that names the failed migration, its statement and its file. `lastRun` is the time of the newest
 * migration that the database has. Returns the error unchanged if it is of no statement of a migration.
 */
export function failedMigration(error: unknown, migrationsFolder: string, lastRun: number): unknown {
  const query = queryOf(error)
  if (query === undefined) return error
  const missing = readMigrationFiles({ migrationsFolder }).filter(({ folderMillis }) => folderMillis > lastRun)
  const failed = missing.find(({ sql }) => sql.includes(query))
  const name = readMigrations(migrationsFolder).find(({ at }) => at === failed?.folderMillis)?.name
  if (!failed || name === undefined) return error
  const number = failed.sql.indexOf(query) + 1
  const line = query.trim().replaceAll(/\s+/g, ' ')
  const excerpt = line.length > maxShown ? `${line.slice(0, maxShown)}...` : line
  const file = relative(root, join(migrationsFolder, `${name}.sql`))
  return new Misconfigured(
    `Migration ${name} failed at statement ${number} of ${failed.sql.length} in ${file}: ${withoutParameters(messageOf(error))}. The statement is: ${excerpt}`,
    { cause: error },
  )
}

/** Returns the code and the message of the database. */
function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const reason = reasonOf(error)
  return cause instanceof Error && cause.message !== reason ? `${cause.message} (${reason})` : reason
}

/** Drizzle has the statement in a member on PostgreSQL, and in the message on SQLite. */
function queryOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('query' in error && typeof error.query === 'string') return error.query
  return /^Failed to run the query '(.*)'$/s.exec(error.message)?.[1]
}
