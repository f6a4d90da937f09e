import { Gauge } from 'prom-client'
import { findOutboxStanding } from '../../db/outbox.ts'
import type { WorkerDeps } from '../handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const rows = new Gauge({
  name: 'trustwright_outbox_rows',
  help: 'Rows of the outbox: waiting for a relay, or taken by one and not removed yet. 100000 means so many or more.',
  labelNames: ['state'] as const,
  registers: [serviceMetricsRegistry],
})
const oldest = new Gauge({
  name: 'trustwright_outbox_oldest_seconds',
  help: 'For how long the row of the outbox has waited that waits longest for a relay; 0 where none waits. More than some seconds: no relay runs, or Redis takes nothing.',
  labelNames: [],
  registers: [serviceMetricsRegistry],
})

/** Looks at the database; where that is away, the metrics say nothing of the outbox. */
export async function measureOutbox({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  const at = clock.now()
  try {
    const { waiting, taken, waitsSince } = await findOutboxStanding(db.read, at)
    rows.set({ state: 'waiting' }, waiting)
    rows.set({ state: 'taken' }, taken)
    oldest.set(waitsSince ? Math.max(0, (at.getTime() - waitsSince.getTime()) / 1000) : 0)
  } catch {
    rows.reset()
    oldest.remove()
  }
}
