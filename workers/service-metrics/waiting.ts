import { Gauge } from 'prom-client'
import { countWaitingLines } from '../../db/repos/messaging/due-lines.ts'
import { countWaitingDeliveries } from '../../db/repos/operations/webhooks/due-deliveries.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const deliveries = new Gauge({
  name: 'trustwright_webhook_deliveries_pending',
  help: 'Pending webhook deliveries by state: waiting for the time of their next attempt, or queued. The maximum is 100000.',
  labelNames: ['state'] as const,
  registers: [serviceMetricsRegistry],
})
const lines = new Gauge({
  name: 'trustwright_message_recipients',
  help: 'External recipients with waiting messages, by state: waiting for the time of the next attempt, or queued. The maximum is 100000.',
  labelNames: ['state'] as const,
  registers: [serviceMetricsRegistry],
})

/** Measures the metrics of waiting deliveries and messages. They are left out if the database is unavailable. */
export async function measureWaiting({ db }: Pick<WorkerDeps, 'db'>): Promise<void> {
  try {
    for (const [state, count] of Object.entries(await countWaitingDeliveries(db.read))) deliveries.set({ state }, count)
    for (const [state, count] of Object.entries(await countWaitingLines(db.read))) lines.set({ state }, count)
  } catch {
    deliveries.reset()
    lines.reset()
  }
}
