import { addressOf, type Dependency, innermost, Misconfigured } from '../../shared/process/dependency.ts'
import type { Database } from './database.ts'
import { requireMigrated } from './migrated.ts'
import { unfinishedCopy } from './unfinished-copy.ts'

/** PostgreSQL errors that a retry does not resolve (PostgreSQL manual, appendix A). */
const refusals: Record<string, string> = {
  '28000': 'refuses the user',
  '28P01': 'refuses the password',
  '3D000': 'has no such database',
}

/** The database as a dependency that a process waits for at start. */
export function databaseDependency(db: Database, url: string): Dependency {
  const address = addressOf(url)
  return {
    name: 'database',
    address,
    async reach() {
      try {
        await db.ping()
      } catch (error) {
        const inner = innermost(error)
        const refusal = inner instanceof Error && 'code' in inner ? refusals[String(inner.code)] : undefined
        if (refusal) throw new Misconfigured(`PostgreSQL at ${address} ${refusal} of DATABASE_URL`)
        throw error
      }
      if (await db.isUnfinishedCopy()) throw new Misconfigured(unfinishedCopy(address))
      if (!(await db.keepsSessions())) throw new Misconfigured(withoutSessions(address))
    },
  }
}

function withoutSessions(address: string): string {
  return `DATABASE_URL (${address}) leads to a pooler that keeps no sessions, such as PgBouncer with pool_mode = transaction. Set pool_mode = session in PgBouncer, or connect to PostgreSQL directly.`
}

/** The database with the tables of this version as a dependency. */
export function migratedDatabase(db: Database, url: string): Dependency {
  const { name, address, reach } = databaseDependency(db, url)
  return {
    name,
    address,
    async reach() {
      await reach()
      await requireMigrated(db, address)
    },
  }
}
