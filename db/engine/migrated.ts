import { Misconfigured } from '../../shared/process/dependency.ts'
import { dialect } from '../columns.ts'
import type { Database } from './database.ts'
import { type MigrationPlan, readMigrationPlan } from './migration-folders.ts'

export interface MigrationStatus {
  /** The names of this version's migrations that the database has not run, in their order. */
  missing: string[]
  /** The number of migrations of a later version that it has run. This version accepts them, for rollouts and rollbacks. */
  later: number
}

const plan = readMigrationPlan(dialect)

/**
 * Returns which migrations of this version a database lacks. If the user of `DATABASE_URL` may not read the table, no migration counts as
 * missing.
 */
export async function findMigrationStatus(db: Pick<Database, 'findMigrationTimes'>): Promise<MigrationStatus> {
  const times = await db.findMigrationTimes()
  if (times === 'unknown') return { missing: [], later: 0 }
  return migrationStatusOf(times, plan)
}

/**
 * Compares the times of the migrations that a database has run with the migrations of this version. Migrations run in the order of their
 * times, so those after the last one are missing.
 */
export function migrationStatusOf(
  times: readonly number[],
  { beforeBaseline, current }: MigrationPlan,
): MigrationStatus {
  const last = Math.max(...times, 0)
  const expected = last === 0 ? current : [...beforeBaseline, ...current.slice(1)]
  const missing = expected.filter(({ at }) => at > last).map(({ name }) => name)
  const newest = Math.max(...current.map(({ at }) => at))
  return { missing, later: times.filter((at) => at > newest).length }
}

/** Throws Misconfigured if the database lacks migrations of this version. */
export async function requireMigrated(db: Pick<Database, 'findMigrationTimes'>, address: string): Promise<void> {
  const { missing } = await findMigrationStatus(db)
  if (missing.length > 0) throw new Misconfigured(`The database at ${address} ${notMigrated(missing)}`)
}

/** Returns the message for a database that lacks migrations. */
export function notMigrated(missing: readonly string[]): string {
  const lacks = missing.length === 1 ? `the migration ${missing[0]}` : `${missing.length} migrations`
  return `is not migrated: it lacks ${lacks} of this version. Run \`node db/cli/migrate.ts\` with the same DATABASE_URL.`
}
