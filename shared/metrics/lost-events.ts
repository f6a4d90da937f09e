import { Counter } from 'prom-client'

const lost = new Counter({
  name: 'trustwright_analytics_events_lost_total',
  help: 'Analytics events that this process lost, by reason: buffer_full (web), tenant_unknown (web) or invalid.',
  labelNames: ['reason'] as const,
})

/**
 * `buffer_full`: the database was unavailable, and the buffer of the process was full. `tenant_unknown`: a request was answered 503 before its
 * tenant was known. `invalid`: the database refused the event, or it could not be read.
 */
export type LostEventReason = 'buffer_full' | 'tenant_unknown' | 'invalid'

export function countLostEvent(reason: LostEventReason): void {
  lost.inc({ reason })
}

/** Sets the counters of a process to 0. Without it, `rate` would miss the first event. */
export function beginLostEvents(reasons: readonly LostEventReason[]): void {
  for (const reason of reasons) lost.inc({ reason }, 0)
}
