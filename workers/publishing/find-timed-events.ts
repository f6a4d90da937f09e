import { announceFound, type FoundEvent } from '../../db/repos/operations/change-announcements.ts'
import {
  advanceFound,
  type FindingWebhook,
  findEndingCertificates,
  findExpiredOffers,
  findFindingWebhooks,
  findTenantsToSearch,
} from '../../db/repos/operations/found-events.ts'
import { dayMs, plusMs } from '../../shared/clock.ts'
import { certificateEndingDays } from '../../shared/domain/operations/change-events.ts'
import type { WorkerDeps } from '../handlers.ts'

/** The webhooks that a run reads. Others wait for the next run. */
const maxWebhooks = 500
/** The offers of a tenant that a run reads. The next run continues after the last one. */
const maxOffers = 2_000
/** A transaction with an earlier time can commit later. */
const settledAfterMs = 5_000

/**
 * Writes the events that no request causes to the outbox: expired offers and ending certificates. A row of each webhook has the time until
 * which they were found, in the same transaction. A repeated event has the same id, so it is delivered once.
 */
export async function findTimedEvents({ db, clock, bus }: WorkerDeps): Promise<void> {
  const at = clock.now()
  const settledAt = plusMs(at, -settledAfterMs)
  for (const tenantId of await findTenantsToSearch(db.read, settledAt, maxWebhooks)) {
    const webhooks = await findFindingWebhooks(db.read, tenantId)
    const { events, until } = await findEvents(db, tenantId, webhooks, settledAt)
    await db.tx(async (tx) => {
      await announceFound(tx, tenantId, events, at)
      await advanceFound(
        tx,
        tenantId,
        webhooks.map(({ id }) => id),
        until,
      )
    })
    if (events.length > 0) bus.poke()
  }
}

/** Returns the events since the earliest time of the enabled webhooks. A disabled webhook receives none. */
async function findEvents(
  db: WorkerDeps['db'],
  tenantId: string,
  webhooks: FindingWebhook[],
  settledAt: Date,
): Promise<{ events: FoundEvent[]; until: Date }> {
  const starts = webhooks.filter(({ disabled }) => !disabled).map(({ foundUntil }) => foundUntil.getTime())
  if (starts.length === 0) return { events: [], until: settledAt }
  const after = new Date(Math.min(...starts))
  const offers = await findExpiredOffers(db.read, tenantId, after, settledAt, maxOffers)
  const last = offers[maxOffers - 1]
  const until = last ? last.expiresAt : settledAt
  const expired = offers.map(({ id, expiresAt }) => ({
    kind: 'OfferExpired' as const,
    payload: { credentialOfferId: id },
    at: expiresAt,
  }))
  const ending = await Promise.all(certificateEndingDays.map((days) => endingIn(db, tenantId, days, after, until)))
  return { events: [...expired, ...ending.flat()], until }
}

async function endingIn(
  db: WorkerDeps['db'],
  tenantId: string,
  days: number,
  after: Date,
  until: Date,
): Promise<FoundEvent[]> {
  const beforeMs = days * dayMs
  const rows = await findEndingCertificates(db.read, tenantId, plusMs(after, beforeMs), plusMs(until, beforeMs))
  return rows.map(({ id, notAfter }) => ({
    kind: 'CertificateEnding' as const,
    payload: { certificateId: id, endsAt: notAfter.toISOString() },
    at: plusMs(notAfter, -beforeMs),
  }))
}
