import type { Keys } from '../../shared/jobs/keys.ts'
import type { Outbound } from '../../shared/outbound.ts'
import type { WorkerDeps } from '../handlers.ts'

/** What the handlers of the delivery queue can use. */
export interface DeliveryDeps extends WorkerDeps {
  keys: Keys
  outbound: Outbound
  /** Instead of the schedule's; tests have no half days. */
  retryPausesMs?: readonly number[]
}
