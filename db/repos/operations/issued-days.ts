import { and, asc, eq, exists, gte, sql } from 'drizzle-orm'
import { dayMs } from '../../../shared/clock.ts'
import type { Reader, Writer } from '../../client.ts'
import { param, paramOf, prepared, preparedWrite } from '../../engine/prepared.ts'
import { issuedDays } from '../../tables/operations/issued-days.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import { isServedRow } from '../tenancy/tenants.ts'

/** Returns the start of the day in UTC. */
export function dayOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / dayMs) * dayMs)
}

const add = preparedWrite('add_issued', (tx) => {
  const tenant = tx
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.id, param('tenantId')), isServedRow))
  const issued = paramOf(issuedDays.issued, 'issued')
  return tx
    .insert(issuedDays)
    .select(
      sql`select ${paramOf(issuedDays.tenantId, 'tenantId')}, ${paramOf(issuedDays.day, 'day')}, ${issued} where ${exists(tenant)}`,
    )
    .onConflictDoUpdate({
      target: [issuedDays.tenantId, issuedDays.day],
      set: { issued: sql`${issuedDays.issued} + excluded.issued` },
    })
})

/**
 * Adds issuances to the days of their tenants. Ignores tenants that are being deleted. Rows are written in a fixed order to prevent deadlocks.
 */
export async function addIssued(tx: Writer, issued: { tenantId: string; at: Date }[]): Promise<void> {
  const byDay = Map.groupBy(issued, ({ tenantId, at }) => `${tenantId} ${dayOf(at).toISOString()}`)
  for (const [, [each, ...others]] of [...byDay].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (each) await add(tx, { tenantId: each.tenantId, day: dayOf(each.at), issued: 1 + others.length })
  }
}

const since = prepared('issued_days_since', (db) =>
  db
    .select({ day: issuedDays.day, issued: issuedDays.issued })
    .from(issuedDays)
    .where(and(eq(issuedDays.tenantId, param('tenantId')), gte(issuedDays.day, paramOf(issuedDays.day, 'from'))))
    .orderBy(asc(issuedDays.day)),
)

/** Returns the tenant's days since `from` that have issuances, in order. */
export async function findIssuedDays(
  db: Reader,
  tenantId: string,
  from: Date,
): Promise<{ day: Date; issued: number }[]> {
  return since(db, { tenantId, from })
}
