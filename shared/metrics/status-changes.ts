import { Counter } from 'prom-client'

const changes = new Counter({
  name: 'trustwright_status_changes_total',
  help: 'Credentials whose status operators changed through this process, one by one (web) or in bulk (worker), by new status.',
  labelNames: ['status'] as const,
})

type Status = 'valid' | 'suspended' | 'invalid'

/** Counts status changes. Called after their commit. */
export function countStatusChanges(status: Status, count: number): void {
  changes.inc({ status }, count)
}

/** Sets the counters to 0. Without it, `rate` would miss the first event. */
export function beginStatusChanges(): void {
  for (const status of ['valid', 'invalid'] as const) changes.inc({ status }, 0)
}
