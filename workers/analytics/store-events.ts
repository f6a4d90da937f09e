import type { Database } from '../../db/client.ts'
import { insertEvents } from '../../db/repos/operations/events.ts'
import { findStanding } from '../../db/repos/tenancy/tenants.ts'
import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import { findProblem } from '../../shared/errors.ts'
import type { WorkerDeps } from '../handlers.ts'
import { Postpone } from '../serve.ts'

/** Of so many, storing one costs a fifth less than of 250 (8.2 and 10.4 µs, SQLite), and others cannot write for some 10 ms. */
const batchSize = 1000
/** After so many the job makes way for others, and for a worker that stops. */
const batchesPerJob = 20

/**
 * Stores the events that wait. They are removed from their list after they are stored: a job that is interrupted between these two stores them again,
 * which changes nothing.
 */
export async function storeEvents(deps: Pick<WorkerDeps, 'db' | 'bus' | 'log'>, isLastAttempt: boolean): Promise<void> {
  const { waitingEvents } = deps.bus
  for (let batches = 0; batches < batchesPerJob; batches++) {
    const batch = await waitingEvents.read(batchSize)
    if (batch.entries === 0) return
    for (const length of batch.unreadable)
      deps.log.error({ length }, 'an entry of the list is no analytics event and was dropped')
    await recordEvents(deps.db, batch.events).catch(async (error: unknown) => {
      if (!isLastAttempt) throw error
      await recordOneByOne(deps, batch.events)
    })
    const left = await waitingEvents.remove(batch)
    // If another worker has removed these entries, that worker stores the next ones too. Two workers would store each entry twice.
    if (left === undefined || left === 0) return
  }
  throw new Postpone(0)
}

/** Stores a batch in one transaction; what is stored already is left as it is. */
export async function recordEvents(db: Database, events: AnalyticsEvent[]): Promise<void> {
  await db.tx(async (tx) => {
    // Events may come long after their request: no job removes those of a tenant that was deleted meanwhile.
    const standing = await findStanding(tx, [...new Set(events.map(({ tenantId }) => tenantId))])
    await insertEvents(
      tx,
      events.filter(({ tenantId }) => standing.has(tenantId)),
    )
  })
}

/** An event that cannot be stored must not keep back those behind it. */
async function recordOneByOne({ db, log }: Pick<WorkerDeps, 'db' | 'log'>, events: AnalyticsEvent[]): Promise<void> {
  for (const event of events) {
    await recordEvents(db, [event]).catch((err: unknown) => {
      if (findProblem(err)?.problem === 'service_unavailable') throw err
      log.error({ err, eventId: event.id, type: event.type }, 'an analytics event cannot be stored and was dropped')
    })
  }
}
