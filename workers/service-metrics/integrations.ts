import { Gauge } from 'prom-client'
import { findIntegrationTotals } from '../../db/repos/ecosystems/due-integrations.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const integrations = new Gauge({
  name: 'trustwright_integrations',
  help: 'External lists that ecosystems fetch, by state: good, failing, or waiting for the first fetch.',
  labelNames: ['state'] as const,
  registers: [serviceMetricsRegistry],
})
const oldest = new Gauge({
  name: 'trustwright_integrations_oldest_good_seconds',
  help: 'Time since the last success of the external list whose last success is the oldest, or 0 if none has succeeded.',
  registers: [serviceMetricsRegistry],
})

/** Measures the metrics of integrations. They are left out if the database is unavailable. */
export async function measureIntegrations({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  try {
    const { oldestSuccess, ...states } = await findIntegrationTotals(db.read)
    for (const [state, count] of Object.entries(states)) integrations.set({ state }, count)
    oldest.set(oldestSuccess ? Math.max(0, (clock.now().getTime() - oldestSuccess.getTime()) / 1000) : 0)
  } catch {
    integrations.reset()
    oldest.remove()
  }
}
