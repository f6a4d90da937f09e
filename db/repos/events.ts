import type { AnalyticsEvent } from '../../shared/events.ts'
import type { Writer } from '../client.ts'
import { events } from '../tables/events.ts'

/** Stores a batch; what an earlier attempt stored is left as it is. */
export async function insertEvents(tx: Writer, batch: AnalyticsEvent[]): Promise<void> {
  if (batch.length === 0) return
  await tx
    .insert(events)
    .values(batch.map((event) => ({ ...event, timestamp: new Date(event.timestamp) })))
    .onConflictDoNothing()
}
