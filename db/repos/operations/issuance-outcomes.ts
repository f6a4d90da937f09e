import { and, asc, desc, eq, exists, gte, inArray, lte, ne, sql } from 'drizzle-orm'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import type { Reader, Writer } from '../../client.ts'
import { param, paramOf, preparedWrite } from '../../engine/prepared.ts'
import { type IssuanceOutcome, issuanceOutcomes } from '../../tables/operations/issuance-outcomes.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import { isServedRow } from '../tenancy/tenants.ts'
import { dayOf } from './issued-days.ts'

const { tenantId: ofTenant, day, outcome: hasOutcome, configurationId: ofConfiguration, count } = issuanceOutcomes

const add = preparedWrite('add_issuance_outcome', (tx) => {
  const tenant = tx
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.id, param('tenantId')), isServedRow))
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
 * Adds outcomes to the days of their tenants. Ignores tenants that are being deleted. Rows are written in a fixed order to prevent deadlocks.
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

/** The days from `from` to `to`, both inclusive, as a list: each day is a separate search in the key. */
function daysOf(from: Date, to: Date): Date[] {
  const number = Math.round((to.getTime() - from.getTime()) / dayMs) + 1
  return Array.from({ length: number }, (_, place) => plusMs(from, place * dayMs))
}

/** Returns the offers of the tenant that failed or expired, by day from `from` to `to`. */
export async function findEndedOffers(db: Reader, tenantId: string, from: Date, to: Date) {
  const ended = and(inArray(hasOutcome, ['failed', 'expired']), eq(ofConfiguration, ''))
  return db
    .select({ day, outcome: hasOutcome, count })
    .from(issuanceOutcomes)
    .where(and(eq(ofTenant, tenantId), inArray(day, daysOf(from, to)), ended))
}

/** The number of counts that decide which configurations have the most issuances. The newest days come first. */
const maxCompared = 20_000

/** Returns the issuances by day from `from` to `to` of the configurations with the most issuances in these days. */
export async function findIssuedByConfiguration(
  db: Reader,
  tenantId: string,
  from: Date,
  to: Date,
  maxConfigurations: number,
): Promise<{ configurationId: string; day: Date; count: number }[]> {
  const compared = db
    .select({ configurationId: ofConfiguration, outcome: hasOutcome, count })
    .from(issuanceOutcomes)
    .where(and(eq(ofTenant, tenantId), gte(day, from), lte(day, to)))
    .orderBy(desc(day))
    .limit(maxCompared)
    .as('compared')
  const largest = await db
    .select({ configurationId: compared.configurationId })
    .from(compared)
    .where(and(eq(compared.outcome, 'issued'), ne(compared.configurationId, '')))
    .groupBy(compared.configurationId)
    .orderBy(desc(sql`sum(${compared.count})`), asc(compared.configurationId))
    .limit(maxConfigurations)
  if (largest.length === 0) return []
  const ids = largest.map(({ configurationId }) => configurationId)
  const issued = and(eq(hasOutcome, 'issued'), inArray(ofConfiguration, ids))
  const rows = await db
    .select({ configurationId: ofConfiguration, day, count })
    .from(issuanceOutcomes)
    .where(and(eq(ofTenant, tenantId), inArray(day, daysOf(from, to)), issued))
  return rows.sort((one, other) => ids.indexOf(one.configurationId) - ids.indexOf(other.configurationId))
}
