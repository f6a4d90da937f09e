import { and, asc, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Reader } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { credentials } from '../../../tables/issuance/credentials.ts'
import { issuances } from '../../../tables/issuance/issuances.ts'
import { notifications } from '../../../tables/issuance/notifications.ts'
import { offers } from '../../../tables/issuance/offers.ts'
import { sharedOffers } from '../../../tables/issuance/shared-offers.ts'
import { deliveries } from '../../../tables/operations/deliveries.ts'
import { events } from '../../../tables/operations/events.ts'
import { webhooks } from '../../../tables/operations/webhooks.ts'
import { deliveryIdsOf } from '../../operations/webhooks/deliveries.ts'
import { findWebhookIdsOf } from '../../operations/webhooks/webhooks.ts'

/** The maximum number of entries of each kind. Of a shared offer, the newest. */
const maxEntries = 1_000

/** Returns the dates of an offer of any kind. Returns undefined if it does not exist. */
export async function findOfferDates(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<{ createdAt: Date; expiresAt?: Date } | undefined> {
  const [offer] = await db
    .select({ createdAt: offers.createdAt, expiresAt: offers.expiresAt })
    .from(offers)
    .where(and(inRow(offers.tenantId, tenantId), eq(offers.id, id)))
  if (offer) return offer
  const [shared] = await db
    .select({ createdAt: sharedOffers.createdAt })
    .from(sharedOffers)
    .where(and(inRow(sharedOffers.tenantId, tenantId), eq(sharedOffers.id, id)))
  return shared
}

/** Returns the outcomes of operations on the offer. */
export async function findOfferEvents(db: Reader, tenantId: string, offerId: string) {
  return db
    .select({
      id: events.id,
      type: events.type,
      at: events.timestamp,
      startedAt: events.startedAt,
      requestId: events.requestId,
      data: events.data,
    })
    .from(events)
    .where(and(eq(events.tenantId, tenantId), eq(events.offerId, offerId), isNotNull(events.offerId)))
    .orderBy(desc(events.timestamp), desc(events.id))
    .limit(maxEntries)
}

export async function findOfferIssuances(db: Reader, tenantId: string, offerId: string) {
  return db
    .select({
      id: issuances.id,
      state: issuances.state,
      endedAt: issuances.endedAt,
      deferredAt: issuances.deferredAt,
      refusal: issuances.refusal,
      userId: issuances.userId,
      sessionId: issuances.sessionId,
      viewId: issuances.viewId,
      keys: sql<number>`json_array_length(${issuances.holderKeys})`,
    })
    .from(issuances)
    .where(and(eq(issuances.tenantId, tenantId), eq(issuances.offerId, offerId)))
    .orderBy(desc(issuances.requestedAt))
    .limit(maxEntries)
}

export async function findNotifications(db: Reader, tenantId: string, issuanceIds: string[]) {
  return db
    .select({
      issuanceId: notifications.issuanceId,
      event: notifications.event,
      at: notifications.receivedAt,
      description: notifications.description,
    })
    .from(notifications)
    .where(and(eq(notifications.tenantId, tenantId), inArray(notifications.issuanceId, issuanceIds)))
    .orderBy(asc(notifications.receivedAt))
}

/** Returns the deliveries of issued credentials. Their ids follow from credential, kind and webhook. */
export async function findDeliveriesOf(db: Reader, tenantId: string, issuanceIds: string[]) {
  const issued = await db
    .select({ id: credentials.id, issuedAt: credentials.issuedAt })
    .from(credentials)
    .where(and(inRow(credentials.tenantId, tenantId), inArray(credentials.issuanceId, issuanceIds)))
    .limit(maxEntries)
  const ids = deliveryIdsOf(tenantId, issued, await findWebhookIdsOf(db, tenantId))
  return db
    .select({
      kind: deliveries.kind,
      attempts: deliveries.attempts,
      webhookId: deliveries.webhookId,
      webhookUrl: webhooks.url,
    })
    .from(deliveries)
    .leftJoin(webhooks, and(inRow(webhooks.tenantId, deliveries.tenantId), eq(webhooks.id, deliveries.webhookId)))
    .where(and(eq(deliveries.tenantId, tenantId), inArray(deliveries.id, ids.slice(0, maxEntries))))
}
