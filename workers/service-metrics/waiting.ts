import { Gauge } from 'prom-client'
import { countWaitingLines } from '../../db/repos/messaging/due-lines.ts'
import { countWaitingDeliveries } from '../../db/repos/operations/due-deliveries.ts'
import type { WorkerDeps } from '../handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const deliveries = new Gauge({
  name: 'trustwright_webhook_deliveries_pending',
  help: 'Webhook deliveries that are not over: waiting for the time of their next attempt, or queued for it. 100000 means so many or more.',
  labelNames: ['state'] as const,
  registers: [serviceMetricsRegistry],
})
const lines = new Gauge({
  name: 'trustwright_message_recipients',
  help: 'Recipients at other services for whom messages are left: waiting for the time of the next attempt, or queued for it. 100000 means so many or more.',
  labelNames: ['state'] as const,
  registers: [serviceMetricsRegistry],
})

/** Looks at the database; where that is away, the metrics say nothing of these. */
export async function measureWaiting({ db }: Pick<WorkerDeps, 'db'>): Promise<void> {
  try {
    for (const [state, count] of Object.entries(await countWaitingDeliveries(db.read))) deliveries.set({ state }, count)
    for (const [state, count] of Object.entries(await countWaitingLines(db.read))) lines.set({ state }, count)
  } catch {
    deliveries.reset()
    lines.reset()
  }
}
