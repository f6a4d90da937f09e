import { Gauge } from 'prom-client'
import { findOldestExpired } from '../../db/retention/oldest-expired.ts'
import type { WorkerDeps } from '../handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const oldest = new Gauge({
  name: 'trustwright_expired_oldest_seconds',
  help: 'For how long the oldest expired row of each table has waited to be purged; 0 where there is none. Of deliveries and events, which are purged owner by owner, the time since no expired row was left.',
  labelNames: ['table'] as const,
  registers: [serviceMetricsRegistry],
})

/** Looks at the database; where that is away, the metrics say nothing of expired rows. */
export async function measureExpired({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  try {
    for (const [table, waitedMs] of await findOldestExpired(db.read, clock.now()))
      oldest.set({ table }, waitedMs / 1000)
  } catch {
    oldest.reset()
  }
}
