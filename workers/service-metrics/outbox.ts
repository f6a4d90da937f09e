import { Gauge } from 'prom-client'
import { findOutboxBacklog } from '../../db/outbox.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const rows = new Gauge({
  name: 'trustwright_outbox_rows',
  help: 'Outbox rows by state: waiting for a relay, or taken by a relay. The maximum is 100000.',
  labelNames: ['state'] as const,
  registers: [serviceMetricsRegistry],
})
const oldest = new Gauge({
  name: 'trustwright_outbox_oldest_seconds',
  help: 'Age of the oldest outbox row that waits for a relay, or 0. Above some seconds, no relay runs or Redis refuses writes.',
  labelNames: [],
  registers: [serviceMetricsRegistry],
})

/** Measures the metrics of the outbox. They are left out if the database is unavailable. */
export async function measureOutbox({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  const at = clock.now()
  try {
    const { waiting, taken, waitsSince } = await findOutboxBacklog(db.read, at)
    rows.set({ state: 'waiting' }, waiting)
    rows.set({ state: 'taken' }, taken)
    oldest.set(waitsSince ? Math.max(0, (at.getTime() - waitsSince.getTime()) / 1000) : 0)
  } catch {
    rows.reset()
    oldest.remove()
  }
}
