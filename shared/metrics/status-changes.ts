import { Counter } from 'prom-client'

const changes = new Counter({
  name: 'trustwright_status_changes_total',
  help: 'Credentials whose status operators set by way of this process, one by one (web) or in bulk (worker), by what it was set to.',
  labelNames: ['status'] as const,
})

type Status = 'valid' | 'suspended' | 'invalid'

/** Once they are committed. */
export function countStatusChanges(status: Status, count: number): void {
  changes.inc({ status }, count)
}

/** A counter that begins with its first event hides that event from `rate`. */
export function beginStatusChanges(): void {
  for (const status of ['valid', 'invalid'] as const) changes.inc({ status }, 0)
}
