import { Gauge } from 'prom-client'
import type { Bus } from '../../shared/jobs/bus.ts'
import { serviceMetricsRegistry } from './registry.ts'

const depths = new Gauge({
  name: 'trustwright_queue_jobs',
  help: 'Jobs on the queues of the service, by state.',
  labelNames: ['queue', 'state'] as const,
  registers: [serviceMetricsRegistry],
})

/** Measures the depths of the queues. They are left out if Redis is unavailable. */
export async function measureQueues(bus: Pick<Bus, 'depths'>): Promise<void> {
  const depthsByQueue = await bus.depths().catch(() => ({}))
  depths.reset()
  for (const [queue, states] of Object.entries(depthsByQueue)) {
    for (const [state, count] of Object.entries(states)) depths.set({ queue, state }, count)
  }
}
