import { Gauge } from 'prom-client'
import { findEndingLists, findListFills, findOldestChange } from '../../db/repos/status/list-metrics.ts'
import type { StatusListKind } from '../../db/tables/status/lists.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const oldestChange = new Gauge({
  name: 'trustwright_status_oldest_unpublished_seconds',
  help: 'Age of the oldest status change that no published list contains, or 0.',
  registers: [serviceMetricsRegistry],
})
const indexes = new Gauge({
  name: 'trustwright_status_list_places',
  help: 'Status indexes of all status lists, by kind and state: size (all) and taken.',
  labelNames: ['kind', 'state'] as const,
  registers: [serviceMetricsRegistry],
})

const ending = new Gauge({
  name: 'trustwright_status_lists_ending',
  help: 'Status lists by kind that were not renewed and end within two days or have ended. The maximum is 1000 in all.',
  labelNames: ['kind'] as const,
  registers: [serviceMetricsRegistry],
})
const maxEnding = 1_000
const kinds: StatusListKind[] = ['compact', 'compact-semantic', 'web-semantic', 'mobile', 'sd-jwt']

/** Measures the metrics of status lists. They are left out if the database is unavailable. */
export async function measureLists({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  try {
    const [oldest, fills, ends] = await Promise.all([
      findOldestChange(db.read),
      findListFills(db.read),
      findEndingLists(db.read, clock.now(), maxEnding),
    ])
    for (const kind of kinds) ending.set({ kind }, ends.filter((list) => list.kind === kind).length)
    oldestChange.set(oldest ? Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1000) : 0)
    indexes.reset()
    for (const { kind, size, taken } of fills) {
      indexes.set({ kind, state: 'size' }, size)
      indexes.set({ kind, state: 'taken' }, taken)
    }
  } catch {
    oldestChange.remove()
    indexes.reset()
    ending.reset()
  }
}
