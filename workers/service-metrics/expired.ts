import { Gauge } from 'prom-client'
import { findOldestExpired } from '../../db/retention/oldest-expired.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const oldest = new Gauge({
  name: 'trustwright_expired_oldest_seconds',
  help: 'Time since the oldest expired row of each table expired, or 0 without expired rows. Deliveries and events are purged by owner: the time since no expired row was left.',
  labelNames: ['table'] as const,
  registers: [serviceMetricsRegistry],
})

/** Measures the metrics of expired rows. They are left out if the database is unavailable. */
export async function measureExpired({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  try {
    for (const [table, waitedMs] of await findOldestExpired(db.read, clock.now()))
      oldest.set({ table }, waitedMs / 1000)
  } catch {
    oldest.reset()
  }
}
