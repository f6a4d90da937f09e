import { and, asc, eq, gt, lt, ne, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Reader } from '../client.ts'
import { rowLocation } from '../columns.ts'
import { trustedLists } from '../tables/ecosystems/trusted-lists.ts'
import { deliveries } from '../tables/operations/deliveries.ts'
import { events } from '../tables/operations/events.ts'
import { webhooks } from '../tables/operations/webhooks.ts'
import { tenants } from '../tables/tenancy/tenants.ts'
import type { Purge } from './purge-aged.ts'
import { deleteAt } from './removal.ts'
import { ageOf } from './table-rules.ts'
import { pageConfigurations } from './trusted-list-retention.ts'

/** A table whose index on age starts with the owner of the rows. Old rows are therefore found per owner. */
export interface OwnerWalk {
  table: PgTable
  afterMs: number
  /** Returns up to `limit` owners after the cursor, by id, and whether they have rows that ended before `before`. */
  page(db: Reader, cursor: string, before: Date, limit: number): Promise<{ id: string; isDue: boolean; purge: Purge }[]>
}

const deliveriesWalk: OwnerWalk = {
  table: deliveries,
  afterMs: ageOf(deliveries),
  async page(db, cursor, before, limit) {
    const { id, tenantId } = webhooks
    const ofEach = and(eq(deliveries.tenantId, tenantId), eq(deliveries.webhookId, id), isOldDelivery(before))
    const isDue = sql<boolean>`exists (select 1 from ${deliveries} where ${ofEach})`.mapWith(Boolean)
    const owners = await db
      .select({ id, tenantId, isDue })
      .from(webhooks)
      .where(gt(id, cursor))
      .orderBy(asc(id))
      .limit(limit)
    return owners.map((owner) => ({ ...owner, purge: purgeDeliveriesOf(owner.tenantId, owner.id) }))
  },
}

const eventsWalk: OwnerWalk = {
  table: events,
  afterMs: ageOf(events),
  async page(db, cursor, before, limit) {
    const { id } = tenants
    const ofEach = and(eq(events.tenantId, id), lt(events.timestamp, before))
    const isDue = sql<boolean>`exists (select 1 from ${events} where ${ofEach})`.mapWith(Boolean)
    const owners = await db.select({ id, isDue }).from(tenants).where(gt(id, cursor)).orderBy(asc(id)).limit(limit)
    return owners.map((owner) => ({ ...owner, purge: purgeEventsOf(owner.id) }))
  },
}

/** The owner is a configuration, which determines the lists to keep. A list can be removed after its `nextUpdate`. */
const trustedListsWalk: OwnerWalk = { table: trustedLists, afterMs: 0, page: pageConfigurations }

export const ownerWalks: readonly OwnerWalk[] = [deliveriesWalk, eventsWalk, trustedListsWalk]

/** Removes deliveries of one webhook that were created before `before` and have ended. */
export function purgeDeliveriesOf(tenantId: string, webhookId: string): Purge {
  return (tx, before, limit) => {
    const ofWebhook = and(eq(deliveries.tenantId, tenantId), eq(deliveries.webhookId, webhookId), isOldDelivery(before))
    const old = tx
      .select({ location: rowLocation(deliveries) })
      .from(deliveries)
      .where(ofWebhook)
    return deleteAt(tx, deliveries, old.orderBy(asc(deliveries.createdAt)).limit(limit))
  }
}

export function purgeEventsOf(tenantId: string): Purge {
  return (tx, before, limit) => {
    const ofTenant = and(eq(events.tenantId, tenantId), lt(events.timestamp, before))
    const old = tx
      .select({ location: rowLocation(events) })
      .from(events)
      .where(ofTenant)
    return deleteAt(tx, events, old.orderBy(asc(events.timestamp)).limit(limit))
  }
}

function isOldDelivery(before: Date) {
  return and(ne(deliveries.state, 'pending'), lt(deliveries.createdAt, before))
}
