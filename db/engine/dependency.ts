import { addressOf, type Dependency, innermost, Misconfigured } from '../../shared/dependency.ts'
import type { Database } from './database.ts'
import { requireMigrated } from './migrated.ts'

/** PostgreSQL's words for what no waiting mends (its manual, appendix A). */
const refusals: Record<string, string> = {
  '28000': 'refuses the user',
  '28P01': 'refuses the password',
  '3D000': 'has no such database',
}

/** The database as what a process waits for when it starts. */
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
    },
  }
}

/** The same, for who needs the tables of this version. */
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
