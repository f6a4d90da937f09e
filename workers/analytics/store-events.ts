import type { Database } from '../../db/client.ts'
import { insertEvents } from '../../db/repos/operations/search/events.ts'
import { findExistingTenants } from '../../db/repos/tenancy/tenants.ts'
import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import { findProblem } from '../../shared/errors/errors.ts'
import { countLostEvent } from '../../shared/metrics/lost-events.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { Postpone } from '../serve.ts'
import { recordFailures } from './offer-failures.ts'

/** On SQLite an event costs 8.2 µs in batches of 1000 and 10.4 µs in batches of 250. A batch blocks other writers for about 10 ms. */
const batchSize = 1000
/** After these batches the job is queued again, so that other jobs can run and the worker can stop. */
const maxBatches = 20

/**
 * Stores the waiting events, then removes them from their list. A job that is interrupted between these steps stores them again, which
 * changes nothing.
 */
export async function storeEvents(
  deps: Pick<WorkerDeps, 'db' | 'bus' | 'clock' | 'log'>,
  isLastAttempt: boolean,
): Promise<void> {
  const { waitingEvents } = deps.bus
  for (let batches = 0; batches < maxBatches; batches++) {
    const batch = await waitingEvents.read(batchSize)
    if (batch.entries === 0) return
    for (const length of batch.unreadable) {
      countLostEvent('invalid')
      deps.log.error({ length }, 'unreadable analytics event dropped')
    }
    await recordEvents(deps, batch.events).catch(async (error: unknown) => {
      if (!isLastAttempt) throw error
      await recordOneByOne(deps, batch.events)
    })
    const left = await waitingEvents.remove(batch)
    // If another worker has removed these entries, that worker stores the next ones too. Two workers would store each entry twice.
    if (left === undefined || left === 0) return
  }
  throw new Postpone(0)
}

/** Stores a batch in one transaction, then the failures of offers. An event that is already stored does not change. */
export async function recordEvents(
  { db, clock }: Pick<WorkerDeps, 'db' | 'clock'>,
  events: AnalyticsEvent[],
): Promise<void> {
  await insertBatch(db, events)
  await recordFailures({ db, clock }, events)
}

async function insertBatch(db: Database, events: AnalyticsEvent[]): Promise<void> {
  await db.tx(async (tx) => {
    // An event can arrive after its tenant was deleted. No job would remove it then.
    const existing = await findExistingTenants(tx, [...new Set(events.map(({ tenantId }) => tenantId))])
    await insertEvents(
      tx,
      events.filter(({ tenantId }) => existing.has(tenantId)),
    )
  })
}

/** Stores events one by one, so that an invalid event does not block the others. */
async function recordOneByOne(deps: Pick<WorkerDeps, 'db' | 'clock' | 'log'>, events: AnalyticsEvent[]): Promise<void> {
  for (const event of events) {
    await recordEvents(deps, [event]).catch((err: unknown) => {
      if (findProblem(err)?.problem === 'service_unavailable') throw err
      countLostEvent('invalid')
      deps.log.error({ err, eventId: event.id, type: event.type }, 'invalid analytics event dropped')
    })
  }
}
