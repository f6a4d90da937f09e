import type { Cursor } from '../../db/page.ts'
import { advanceOfferWalk, findOfferOutcomes, findOfferWalk } from '../../db/repos/operations/ended-offers.ts'
import { addOutcomes } from '../../db/repos/operations/issuance-outcomes.ts'
import { dayMs, minuteMs, plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'

/** A run ends before the next run starts. The next run continues where this one ended. */
const limits = { runMs: 30_000, pageSize: 2_000 }
/**
 * An offer can be collected, and fail, after it expired: with its access token, and for an hour with a deferred credential. This is also the
 * largest error of a clock that changes no count.
 */
const settledAfterMs = 90 * minuteMs
/** Expired offers are purged after this time. The first run counts those that still exist. */
const keptMs = dayMs

/**
 * Counts the offers that failed or expired, once each, when no wallet can collect them any more. The cursor of the walk and the counts of a page
 * are stored in one transaction.
 */
export async function countExpiredOffers({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>, limited = limits) {
  const at = clock.now()
  const endsAt = performance.now() + limited.runMs
  let text = await findOfferWalk(db.read)
  for (;;) {
    const cursor = readCursor(text)
    const after = cursor ? plusMs(cursor.at, -1) : plusMs(at, -keptMs)
    const range = { after, until: plusMs(at, -settledAfterMs), cursor, limit: limited.pageSize }
    const page = await findOfferOutcomes(db.read, range)
    const last = page.at(-1)
    if (!last) return
    const next = `${last.at.getTime()} ${last.id}`
    const outcomes = page.flatMap(({ tenantId, at, outcome }) =>
      outcome ? [{ tenantId, at, outcome, configurationId: undefined }] : [],
    )
    const isOwn = await db.tx(async (tx) => {
      const hasMoved = await advanceOfferWalk(tx, text, next, at)
      if (hasMoved) await addOutcomes(tx, outcomes)
      return hasMoved
    })
    if (!isOwn || page.length < limited.pageSize || performance.now() >= endsAt) return
    text = next
  }
}

function readCursor(text: string): Cursor | undefined {
  const [at, id] = text.split(' ')
  return at && id ? { at: new Date(Number(at)), id } : undefined
}
