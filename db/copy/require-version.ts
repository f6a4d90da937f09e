import { Misconfigured } from '../../shared/process/dependency.ts'
import { migrationStatusOf } from '../engine/migrated.ts'
import { readMigrationPlan } from '../engine/migration-folders.ts'
import type { Side } from './side.ts'

/** Returns the name of the last migration of this version. It is the same for both databases. */
export function currentMigration({ dialect }: Pick<Side, 'dialect'>): string {
  return readMigrationPlan(dialect).current.at(-1)?.name ?? ''
}

/** Throws Misconfigured if a database has other migrations than this version. */
export async function requireThisVersion({ dialect, address, findMigrationTimes }: Side): Promise<void> {
  const { missing, later } = migrationStatusOf(await findMigrationTimes(), readMigrationPlan(dialect))
  if (missing.length > 0)
    throw new Misconfigured(
      `The database at ${address} lacks migrations of this version (${missing.length}). Run \`node db/cli/migrate.ts\` with DATABASE_URL set to it first.`,
    )
  if (later > 0)
    throw new Misconfigured(
      `The database at ${address} has migrations of a later version (${later}). Run this command of that version.`,
    )
}
