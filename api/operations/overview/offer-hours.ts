import { z } from 'zod'
import { findRecentOffers, recentHours, startOfRecentHours } from '../../../db/repos/operations/recent-offers.ts'
import { hourMs, plusMs } from '../../../shared/clock.ts'
import type { Deps } from '../../deps.ts'
import { described, Timestamp } from '../../http/fields.ts'

/** The number of newest offers that are counted, so that a busy tenant does not wait for its overview. */
const maxCounted = 10_000

const offersOf = (what: string, example: number) => described(z.int(), what, example)

export const OfferHours = z.object({
  data: z
    .array(
      z.object({
        from: Timestamp.describe('The start of the hour in which the offers were created'),
        collected: offersOf('Offers with which a wallet collected a credential', 12),
        failed: offersOf('Offers whose last request failed. `failedOffers` of the counts is their total', 1),
        expired: offersOf('Offers that expired unused, or ended. Offers of claim links are not counted', 2),
        open: offersOf('Offers that can still be collected', 1),
      }),
    )
    .describe('24 hours, the oldest first. The last one is the current hour'),
  isAtLeast: described(z.boolean(), 'Whether only the newest 10,000 offers of these hours were counted', false),
})

/** Counts the offers for one person of each of the last 24 hours by outcome. */
export async function countOfferHours({ db, clock }: Pick<Deps, 'db' | 'clock'>, tenantId: string) {
  const at = clock.now()
  const from = startOfRecentHours(at)
  const offers = await findRecentOffers(db.read, tenantId, { from, at, limit: maxCounted })
  const data = Array.from({ length: recentHours }, (_, place) => ({
    from: plusMs(from, place * hourMs).toISOString(),
    ...{ collected: 0, failed: 0, expired: 0, open: 0 },
  }))
  for (const { createdAt, outcome } of offers) {
    const hour = data[Math.floor((createdAt.getTime() - from.getTime()) / hourMs)]
    if (hour && outcome) hour[outcome]++
  }
  return { data, isAtLeast: offers.length >= maxCounted }
}
