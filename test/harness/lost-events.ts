import { register } from 'prom-client'
import type { LostEventReason } from '../../shared/metrics/lost-events.ts'

/** Returns the number of analytics events that this process has lost for a reason. */
export async function lostEvents(reason: LostEventReason): Promise<number> {
  const metric = await register.getSingleMetric('trustwright_analytics_events_lost_total')?.get()
  return metric?.values.find(({ labels }) => labels.reason === reason)?.value ?? 0
}
