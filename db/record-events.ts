import type { Clock } from '../shared/clock.ts'
import type { AnalyticsEvent } from '../shared/domain/operations/events.ts'
import { isOutage } from '../shared/errors/errors.ts'
import type { Log } from '../shared/log/log.ts'
import { countLostEvent } from '../shared/metrics/lost-events.ts'
import type { Database } from './client.ts'
import type { WithNextOptions } from './engine/database.ts'
import { recordFailures } from './record-failures.ts'
import { insertRequestEvents } from './repos/operations/search/request-events.ts'

interface RecordDeps {
  db: Database
  clock: Clock
}

/** Stores a batch in one transaction, then the failures of offers. An event that is already stored does not change. */
export async function recordEvents(deps: RecordDeps, events: AnalyticsEvent[]): Promise<void> {
  await recordWithNext(deps, () => events, { withinMs: 0 })
}

/**
 * Stores the events that `take` returns when the transaction begins (`txWithNext`). The transaction can be repeated. A power failure can
 * lose the last events.
 */
export async function recordWithNext(
  { db, clock }: RecordDeps,
  take: () => AnalyticsEvent[],
  wait: Pick<WithNextOptions, 'afterMs' | 'withinMs'>,
): Promise<void> {
  let events: AnalyticsEvent[] = []
  await db.txWithNext(
    (tx) => {
      events = take()
      return insertRequestEvents(tx, events)
    },
    { mayLoseOnPowerFailure: true, ...wait },
  )
  await recordFailures({ db, clock }, events)
}

/** Stores events one by one, so that an invalid event does not block the others. Drops invalid events. Throws during an outage. */
export async function recordOneByOne(deps: RecordDeps & { log: Log }, events: AnalyticsEvent[]): Promise<void> {
  for (const event of events) {
    await recordEvents(deps, [event]).catch((err: unknown) => {
      if (isOutage(err)) throw err
      countLostEvent('invalid')
      deps.log.error({ err, eventId: event.id, type: event.type }, 'invalid analytics event dropped')
    })
  }
}
