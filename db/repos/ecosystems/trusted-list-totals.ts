import { and, count, eq, isNotNull, type SQL, sql, sum } from 'drizzle-orm'
import type { ListKind } from '../../../shared/domain/ecosystems/list-kinds.ts'
import type { Reader } from '../../client.ts'
import { trustedListConfigurations as configurations, trustedLists } from '../../tables/ecosystems/trusted-lists.ts'
import { isPublicationDue } from './automatic-trusted-lists.ts'
import { nextUpdateOfLast } from './trusted-lists.ts'

/** Counts over all tenants, by kind. A kind without rows is left out. */
export interface TrustedListTotals {
  published: Counts
  due: Counts
  failing: Counts
  ending: Counts
}

type Counts = Partial<Record<ListKind, number>>

/**
 * Counts the states of trusted lists. `ending` counts configurations whose last list has its `nextUpdate` at or before
 * `endsBy`.
 */
export async function findTrustedListTotals(db: Reader, at: Date, endsBy: Date): Promise<TrustedListTotals> {
  const { kind, lastNumber, autoPublishes, failingSince, provider } = configurations
  const counted = (condition: SQL | undefined) =>
    db.select({ kind, value: count() }).from(configurations).where(condition).groupBy(kind)
  const last = nextUpdateOfLast(db)
  const [published, due, failing, ending] = await Promise.all([
    db
      .select({ kind, value: sum(lastNumber) })
      .from(configurations)
      .groupBy(kind),
    counted(isPublicationDue(at)),
    counted(and(eq(autoPublishes, true), isNotNull(failingSince))),
    counted(and(isNotNull(provider), sql`(${last}) <= ${sql.param(endsBy, trustedLists.nextUpdate)}`)),
  ])
  return { published: byKind(published), due: byKind(due), failing: byKind(failing), ending: byKind(ending) }
}

function byKind(rows: { kind: ListKind; value: number | string | null }[]): Counts {
  return Object.fromEntries(rows.map(({ kind, value }) => [kind, Number(value)]))
}
