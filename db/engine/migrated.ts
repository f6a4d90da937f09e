import { readFileSync } from 'node:fs'
import { Misconfigured } from '../../shared/process/dependency.ts'
import { type Dialect, dialect } from '../columns.ts'
import type { Database } from './database.ts'

export interface MigrationStatus {
  /** The names of this version's migrations that the database has not run, in their order. */
  missing: string[]
  /** The number of migrations of this version that it has run. */
  run: number
  /** The number of migrations of a later version that it has run. This version accepts them, for rollouts and rollbacks. */
  later: number
}

interface Migration {
  name: string
  /** The time of the migration, in milliseconds. The database identifies a migration by it. */
  at: number
}

/** Returns the migrations of this version in their order. */
export function readMigrations(of: Dialect = dialect): Migration[] {
  const journal = new URL(`../migrations/${of}/meta/_journal.json`, import.meta.url)
  const { entries }: { entries: { tag: string; when: number }[] } = JSON.parse(readFileSync(journal, 'utf8'))
  return entries.map(({ tag, when }) => ({ name: tag, at: when }))
}

const migrations = readMigrations()

/**
 * Returns which migrations of this version a database has run. Migrations run in the order of their times, so those after
 * the last one are missing. If the user of `DATABASE_URL` may not read the table, no migration counts as missing.
 */
export async function findMigrationStatus(db: Pick<Database, 'findMigrationTimes'>): Promise<MigrationStatus> {
  const times = await db.findMigrationTimes()
  if (times === 'unknown') return { missing: [], run: migrations.length, later: 0 }
  return migrationStatusOf(times, migrations)
}

/** Compares the times of the migrations that a database has run with the migrations of this version. */
export function migrationStatusOf(times: readonly number[], migrations: readonly Migration[]): MigrationStatus {
  const last = Math.max(...times, 0)
  const missing = migrations.filter(({ at }) => at > last).map(({ name }) => name)
  const newest = Math.max(...migrations.map(({ at }) => at))
  return { missing, run: migrations.length - missing.length, later: times.filter((at) => at > newest).length }
}

/** Throws Misconfigured if the database lacks migrations of this version. */
export async function requireMigrated(db: Pick<Database, 'findMigrationTimes'>, address: string): Promise<void> {
  const { missing } = await findMigrationStatus(db)
  if (missing.length > 0) throw new Misconfigured(`The database at ${address} ${notMigrated(missing)}`)
}

/** Returns the message for a database that lacks migrations. */
export function notMigrated(missing: readonly string[]): string {
  const lacks = missing.length === migrations.length ? 'all' : `${missing.length} of the ${migrations.length}`
  return `is not migrated: it lacks ${lacks} migrations of this version. Run \`node db/cli/migrate.ts\` with the same DATABASE_URL.`
}
