import { Gauge } from 'prom-client'
import { findStandingOfIntegrations } from '../../db/repos/ecosystems/due-integrations.ts'
import type { WorkerDeps } from '../handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const integrations = new Gauge({
  name: 'trustwright_integrations',
  help: 'Lists of others that ecosystems of the service take over: good, failing, or waiting to be fetched for the first time.',
  labelNames: ['state'] as const,
  registers: [serviceMetricsRegistry],
})
const oldest = new Gauge({
  name: 'trustwright_integrations_oldest_good_seconds',
  help: 'How long ago the list of others was good that has not been for longest, of those that ever were; 0 without any. Of the whole service.',
  registers: [serviceMetricsRegistry],
})

/** Looks at the database; where that is away, the metrics say nothing of integrations. */
export async function measureIntegrations({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  try {
    const { oldestSuccess, ...states } = await findStandingOfIntegrations(db.read)
    for (const [state, count] of Object.entries(states)) integrations.set({ state }, count)
    oldest.set(oldestSuccess ? Math.max(0, (clock.now().getTime() - oldestSuccess.getTime()) / 1000) : 0)
  } catch {
    integrations.reset()
    oldest.remove()
  }
}
