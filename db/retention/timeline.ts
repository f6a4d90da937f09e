import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Reader, Writer } from '../client.ts'
import { chunksOf } from '../repos/chunks.ts'
import { credentials } from '../tables/issuance/credentials.ts'
import { issuances } from '../tables/issuance/issuances.ts'
import { offers } from '../tables/issuance/offers.ts'
import { sharedOffers } from '../tables/issuance/shared-offers.ts'
import { events } from '../tables/operations/events.ts'

/**
 * Returns the ids of the offers that were made for this user only, including removed ones. Their events are personal
 * data of the user. The events of a shared offer do not identify a user.
 */
export async function findOwnOfferIds(db: Reader, tenantId: string, userId: string): Promise<string[]> {
  const own = await db
    .select({ id: offers.id })
    .from(offers)
    .where(and(eq(offers.tenantId, tenantId), eq(offers.userId, userId)))
  const offersOfUser: { id: string | null }[] = []
  for (const table of [issuances, credentials]) {
    const rows = db
      .selectDistinct({ id: table.offerId })
      .from(table)
      .where(and(eq(table.tenantId, tenantId), eq(table.userId, userId), isNotNull(table.offerId)))
    offersOfUser.push(...(await rows))
  }
  const ids = new Set([...own, ...offersOfUser].flatMap(({ id }) => id ?? []))
  for (const chunk of chunksOf([...ids])) {
    const ofChunk = and(eq(sharedOffers.tenantId, tenantId), inArray(sharedOffers.id, chunk))
    for (const { id } of await db.select({ id: sharedOffers.id }).from(sharedOffers).where(ofChunk)) ids.delete(id)
  }
  return [...ids]
}

/** Removes the events of offers. Returns their number. */
export async function eraseTimelines(tx: Writer, tenantId: string, offerIds: string[]): Promise<number> {
  let count = 0
  for (const chunk of chunksOf(offerIds)) {
    const erased = await tx
      .delete(events)
      .where(and(eq(events.tenantId, tenantId), inArray(events.offerId, chunk), isNotNull(events.offerId)))
      .returning({ id: events.id })
    count += erased.length
  }
  return count
}
