import { and, asc, desc, eq, exists, gte, inArray, ne, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, paramOf, prepared, preparedByIds, preparedWrite } from '../../engine/prepared.ts'
import { issuances } from '../../tables/issuance/issuances.ts'
import { type IssuanceOutcome, issuanceOutcomes } from '../../tables/operations/issuance-outcomes.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import { dayOf } from './issued-days.ts'

const { tenantId: ofTenant, day, outcome: hasOutcome, configurationId: ofConfiguration, count } = issuanceOutcomes

const add = preparedWrite('add_issuance_outcome', (tx) => {
  const tenant = tx
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.id, param('tenantId')), eq(tenants.state, 'active')))
  const values = [
    paramOf(ofTenant, 'tenantId'),
    paramOf(day, 'day'),
    paramOf(hasOutcome, 'outcome'),
    paramOf(ofConfiguration, 'configurationId'),
    paramOf(count, 'count'),
  ]
  return tx
    .insert(issuanceOutcomes)
    .select(sql`select ${sql.join(values, sql`, `)} where ${exists(tenant)}`)
    .onConflictDoUpdate({
      target: [ofTenant, day, hasOutcome, ofConfiguration],
      set: { count: sql`${count} + excluded.count` },
    })
})

/** One outcome. Without a configuration it is counted for none. */
export interface NewOutcome {
  tenantId: string
  at: Date
  outcome: IssuanceOutcome
  configurationId: string | undefined
}

/**
 * Adds outcomes to the days of their tenants. Ignores tenants that are being deleted. Commit it together with the marker that prevents
 * counting an outcome twice. Rows are written in a fixed order to prevent deadlocks.
 */
export async function addOutcomes(tx: Writer, outcomes: NewOutcome[]): Promise<void> {
  const byRow = Map.groupBy(outcomes, ({ tenantId, at, outcome, configurationId }) =>
    [tenantId, dayOf(at).toISOString(), outcome, configurationId].join(' '),
  )
  for (const [, [each, ...others]] of [...byRow].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (!each) continue
    const { tenantId, at, outcome, configurationId = '' } = each
    await add(tx, { tenantId, day: dayOf(at), outcome, configurationId, count: 1 + others.length })
  }
}

const configurationsOf = preparedByIds('configurations_of_issuances', (db, ids) =>
  db
    .select({ id: issuances.id, configurationId: issuances.configurationId })
    .from(issuances)
    .where(and(inRow(issuances.tenantId, param('tenantId')), sql`${issuances.id} in ${ids}`)),
)

/** Returns the ids of the configurations of issuances, by the id of the issuance. */
export async function findConfigurationsOf(
  db: Reader,
  tenantId: string,
  issuanceIds: string[],
): Promise<Map<string, string>> {
  const rows = await configurationsOf(db, issuanceIds, { tenantId })
  return new Map(rows.map(({ id, configurationId }) => [id, configurationId]))
}

const since = and(eq(ofTenant, param('tenantId')), gte(day, paramOf(day, 'from')))
const total = sql<number>`sum(${count})`.mapWith(Number)

const endedSince = prepared('ended_offers_since', (db) =>
  db
    .select({ day, outcome: hasOutcome, count: total })
    .from(issuanceOutcomes)
    .where(and(since, ne(hasOutcome, 'issued')))
    .groupBy(day, hasOutcome)
    .orderBy(asc(day)),
)

/** Returns the offers of the tenant that failed or expired, by day since `from`. */
export async function findEndedOffers(db: Reader, tenantId: string, from: Date) {
  return endedSince(db, { tenantId, from })
}

/** Returns the issuances by day since `from` of the configurations with the most issuances since then. */
export async function findIssuedByConfiguration(
  db: Reader,
  tenantId: string,
  from: Date,
  maxConfigurations: number,
): Promise<{ configurationId: string; day: Date; count: number }[]> {
  const isIssued = and(eq(ofTenant, tenantId), gte(day, from), eq(hasOutcome, 'issued'), ne(ofConfiguration, ''))
  const largest = await db
    .select({ configurationId: ofConfiguration })
    .from(issuanceOutcomes)
    .where(isIssued)
    .groupBy(ofConfiguration)
    .orderBy(desc(total), asc(ofConfiguration))
    .limit(maxConfigurations)
  if (largest.length === 0) return []
  const ids = largest.map(({ configurationId }) => configurationId)
  const rows = await db
    .select({ configurationId: ofConfiguration, day, count })
    .from(issuanceOutcomes)
    .where(and(isIssued, inArray(ofConfiguration, ids)))
  return rows.sort((one, other) => ids.indexOf(one.configurationId) - ids.indexOf(other.configurationId))
}
