import { and, asc, desc, eq, gt, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { eventNameOf, loteTypeIn } from '../../shared/domain/ecosystems/list-kinds.ts'
import { newOrderedId } from '../../shared/ids.ts'
import type { Reader, Writer } from '../client.ts'
import { alias, inRow, monthOf } from '../columns.ts'
import { hold } from '../hold.ts'
import { deletePolicyOfList } from '../repos/ecosystems/policies.ts'
import {
  holdTrustedListConfiguration,
  type TrustedListConfigurationRow,
} from '../repos/ecosystems/trusted-list-configurations.ts'
import { appendToAudit } from '../repos/operations/audit/audit.ts'
import { ecosystems } from '../tables/ecosystems/ecosystems.ts'
import { trustedListConfigurations as configurations, trustedLists } from '../tables/ecosystems/trusted-lists.ts'
import { tenants } from '../tables/tenancy/tenants.ts'
import { tableWeight } from './table-rules.ts'

/** The retention of the lists of a kind in an ecosystem. */
type Retention = Pick<
  TrustedListConfigurationRow,
  'id' | 'tenantId' | 'ecosystemId' | 'kind' | 'keepLast' | 'keepMonthly'
>

/**
 * Returns up to `limit` configurations with a retention, by id, and whether they have lists to remove. `before` is
 * compared with `nextUpdate`.
 */
export async function pageConfigurations(db: Reader, cursor: string, before: Date, limit: number) {
  const { id, tenantId, ecosystemId, kind, keepLast, keepMonthly } = configurations
  // Numbers are never reused: at most `keepLast` lists have a number above this one.
  const isBehind = lte(trustedLists.number, sql`${configurations.lastNumber} - ${keepLast}`)
  const isRemovable = or(and(eq(keepMonthly, false), hasLater), isFollowedInMonth)
  const ofEach = and(
    eq(trustedLists.tenantId, tenantId),
    eq(trustedLists.ecosystemId, ecosystemId),
    eq(trustedLists.kind, kind),
    ...[isBehind, lt(trustedLists.nextUpdate, before), isRemovable],
  )
  const isDue = sql<boolean>`exists (select 1 from ${trustedLists} where ${ofEach})`.mapWith(Boolean)
  const page = await db
    .select({ id, tenantId, ecosystemId, kind, keepLast, keepMonthly, isDue: isDue.as('is_due') })
    .from(configurations)
    .innerJoin(tenants, and(eq(tenants.id, tenantId), eq(tenants.state, 'active')))
    .where(and(isNotNull(keepLast), gt(id, cursor)))
    .orderBy(asc(id))
    .limit(limit)
  return page.map((retention) => ({ id: retention.id, isDue: retention.isDue, purge: purgeTrustedListsOf(retention) }))
}

/**
 * Removes old lists that the retention does not keep, the oldest first, and the policies that were published with them.
 * Records each removal in the audit. Holds the ecosystem, so that an operator cannot delete the newer lists at the same
 * time. The latest list always stays.
 */
function purgeTrustedListsOf(of: Retention) {
  return async (tx: Writer, before: Date, limit: number): Promise<number> => {
    const weight = tableWeight(trustedLists)
    const maxLists = Math.ceil(limit / weight)
    if ((await findOld(tx, of, before, maxLists)).length === 0) return 0
    const { tenantId, ecosystemId, kind } = of
    if (!(await hold(tx, ecosystems, tenantId, ecosystemId))) return 0
    const configuration = await holdTrustedListConfiguration(tx, tenantId, ecosystemId, kind)
    const old = configuration ? await findOld(tx, configuration, before, maxLists) : []
    for (const { id } of old) {
      await tx.delete(trustedLists).where(and(inRow(trustedLists.tenantId, tenantId), eq(trustedLists.id, id)))
      await deletePolicyOfList(tx, tenantId, id)
    }
    const type = `ECOSYSTEM_${eventNameOf(kind)}_DELETE_AUDIT`
    const entries = old.map(({ number }) => {
      const data = { ecosystemId, ...loteTypeIn(kind), id: String(number), reason: 'retention' }
      return { tenantId, type, data, requestId: newOrderedId(before) }
    })
    await appendToAudit(tx, entries, before)
    return weight * old.length
  }
}

async function findOld(tx: Writer, of: Retention, before: Date, limit: number) {
  if (of.keepLast === null) return []
  const { id, number, nextUpdate } = trustedLists
  const [firstKept] = await tx
    .select({ number })
    .from(trustedLists)
    .where(and(ofKind(of), isNotNull(number)))
    .orderBy(desc(number))
    .limit(1)
    .offset(of.keepLast - 1)
  if (firstKept?.number == null) return []
  return tx
    .select({ id, number })
    .from(trustedLists)
    .where(
      and(
        ...[ofKind(of), lt(number, firstKept.number), lt(nextUpdate, before)],
        of.keepMonthly ? isFollowedInMonth : undefined,
      ),
    )
    .orderBy(asc(number))
    .limit(limit)
}

const later = alias(trustedLists, 'later_lists')
const isLater = and(
  eq(later.tenantId, trustedLists.tenantId),
  eq(later.ecosystemId, trustedLists.ecosystemId),
  eq(later.kind, trustedLists.kind),
  gt(later.number, trustedLists.number),
)
const hasLater = sql`exists (select 1 from ${trustedLists} as "later_lists" where ${isLater})`
/** True if the next list has the same month in UTC, so this list is not the last of its month. */
const isFollowedInMonth = sql`(
  select ${monthOf(later.date)} from ${trustedLists} as "later_lists" where ${isLater} order by ${later.number} limit 1
) = ${monthOf(trustedLists.date)}`

function ofKind({ tenantId, ecosystemId, kind }: Retention): SQL | undefined {
  return and(
    eq(trustedLists.tenantId, tenantId),
    eq(trustedLists.ecosystemId, ecosystemId),
    eq(trustedLists.kind, kind),
  )
}
