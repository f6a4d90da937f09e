import { recordEvents, recordOneByOne } from '../../db/record-events.ts'
import { countLostEvent } from '../../shared/metrics/lost-events.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { Postpone } from '../serve.ts'

/** On SQLite an event costs 8.2 µs in batches of 1000 and 10.4 µs in batches of 250. A batch blocks other writers for about 10 ms. */
const batchSize = 1000
/** After these batches the job is queued again, so that other jobs can run and the worker can stop. */
const maxBatches = 20

/**
 * Stores the events that web processes of an earlier version append to a list in Redis, then removes them from the list. A job that is
 * interrupted between these steps stores them again, which changes nothing.
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
