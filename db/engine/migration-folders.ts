import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Dialect, dialect } from '../columns.ts'

/** A migration of a folder of drizzle-kit. */
interface Migration {
  name: string
  /** The time of the migration, in milliseconds. The database identifies a migration by it. */
  at: number
}

/** The migrations of new databases. The first one, the baseline, makes all tables of version 0.1.0. */
export const migrationsFolder = folderOf('migrations', dialect)

/** Returns the folders whose migrations a database needs, in their order. `last` is the time of its newest migration, or 0 if it has none. */
export function foldersFor(last: number, newest = migrationsFolder): string[] {
  const beforeBaseline = folderBeforeBaseline(dialect)
  const baselineAt = readMigrations(beforeBaseline).at(-1)?.at ?? 0
  return last > 0 && last < baselineAt ? [beforeBaseline, newest] : [newest]
}

/** The migrations of a dialect. */
export interface MigrationPlan {
  /** The migrations of databases that are older than the baseline. */
  beforeBaseline: Migration[]
  /** The migrations of new databases: the baseline and later ones. */
  current: Migration[]
}

/** Returns the migrations of this version. */
export function readMigrationPlan(of: Dialect): MigrationPlan {
  return {
    beforeBaseline: readMigrations(folderBeforeBaseline(of)),
    current: readMigrations(folderOf('migrations', of)),
  }
}

/** Returns the migrations of a folder in their order. */
export function readMigrations(folder: string): Migration[] {
  const journal = readFileSync(join(folder, 'meta/_journal.json'), 'utf8')
  const { entries }: { entries: { tag: string; when: number }[] } = JSON.parse(journal)
  return entries.map(({ tag, when }) => ({ name: tag, at: when }))
}

/** The migrations from before the baseline. Only databases that an earlier version made run them. The last one has the time of the baseline. */
function folderBeforeBaseline(of: Dialect): string {
  return folderOf('migrations/before-baseline', of)
}

function folderOf(path: string, of: Dialect): string {
  return fileURLToPath(new URL(`../${path}/${of}`, import.meta.url))
}
