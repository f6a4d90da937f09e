import { readFileSync } from 'node:fs'
import { Misconfigured } from '../../shared/dependency.ts'
import { dialect } from '../columns.ts'
import type { Database } from './database.ts'

export interface MigrationStanding {
  /** The names of this version's migrations that the database has not run, in their order. */
  missing: string[]
  /** How many of this version's it has run. */
  run: number
  /** How many of a later version it has run: this one works on it all the same, as it does while versions are rolled out or back. */
  later: number
}

interface Migration {
  name: string
  /** Milliseconds; it is what the database knows a migration by. */
  at: number
}

/** Of this version, in their order. */
export function readMigrations(): Migration[] {
  const journal = new URL(`../migrations/${dialect}/meta/_journal.json`, import.meta.url)
  const { entries }: { entries: { tag: string; when: number }[] } = JSON.parse(readFileSync(journal, 'utf8'))
  return entries.map(({ tag, when }) => ({ name: tag, at: when }))
}

const known = readMigrations()

/**
 * What a database has run of this version's migrations. It runs them in the order of their times, so that it lacks those after its last one.
 * Where it does not say, because the user of `DATABASE_URL` may not ask, nothing counts as missing.
 */
export async function findMigrationStanding(db: Pick<Database, 'findMigrationTimes'>): Promise<MigrationStanding> {
  const times = await db.findMigrationTimes()
  if (times === 'unknown') return { missing: [], run: known.length, later: 0 }
  const last = Math.max(...times, 0)
  const missing = known.filter(({ at }) => at > last).map(({ name }) => name)
  const newest = Math.max(...known.map(({ at }) => at))
  return { missing, run: known.length - missing.length, later: times.filter((at) => at > newest).length }
}

/** Throws Misconfigured where the database lacks migrations of this version. */
export async function requireMigrated(db: Pick<Database, 'findMigrationTimes'>, address: string): Promise<void> {
  const { missing } = await findMigrationStanding(db)
  if (missing.length > 0) throw new Misconfigured(`The database at ${address} ${notMigrated(missing)}`)
}

/** What is wrong with it, and what to do. */
export function notMigrated(missing: readonly string[]): string {
  const lacks = missing.length === known.length ? 'all' : `${missing.length} of the ${known.length}`
  return `is not migrated: it lacks ${lacks} migrations of this version. Run \`node db/cli/migrate.ts\` with the same DATABASE_URL.`
}
