import { Gauge } from 'prom-client'
import { findEndingLists, findListFills, findOldestChange } from '../../db/repos/status/standing-of-lists.ts'
import type { StatusListKind } from '../../db/tables/status/lists.ts'
import type { WorkerDeps } from '../handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const oldestChange = new Gauge({
  name: 'trustwright_status_oldest_unpublished_seconds',
  help: 'Age of the oldest change of a status that no published list shows; 0 when all are shown. Of the whole service.',
  registers: [serviceMetricsRegistry],
})
const places = new Gauge({
  name: 'trustwright_status_list_places',
  help: 'Places of all status lists of the service, by kind: all of them, and those that were given.',
  labelNames: ['kind', 'state'] as const,
  registers: [serviceMetricsRegistry],
})

const ending = new Gauge({
  name: 'trustwright_status_lists_ending',
  help: 'Status lists of the service that end within two days, or have ended, because their renewal did not come, by kind; up to 1000 of all kinds.',
  labelNames: ['kind'] as const,
  registers: [serviceMetricsRegistry],
})
const mostEnding = 1_000
const kinds: StatusListKind[] = ['compact', 'compact-semantic', 'web-semantic', 'mobile']

/** Looks at the database; where that is away, the metrics say nothing of lists. */
export async function measureLists({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  try {
    const [oldest, fills, ends] = await Promise.all([
      findOldestChange(db.read),
      findListFills(db.read),
      findEndingLists(db.read, clock.now(), mostEnding),
    ])
    for (const kind of kinds) ending.set({ kind }, ends.filter((list) => list.kind === kind).length)
    oldestChange.set(oldest ? Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1000) : 0)
    places.reset()
    for (const { kind, size, taken } of fills) {
      places.set({ kind, state: 'size' }, size)
      places.set({ kind, state: 'taken' }, taken)
    }
  } catch {
    oldestChange.remove()
    places.reset()
    ending.reset()
  }
}
