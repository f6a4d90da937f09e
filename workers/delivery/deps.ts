import type { DidResolver } from '../../shared/domain/identifiers/resolver.ts'
import type { Keys } from '../../shared/jobs/keys.ts'
import type { Outbound } from '../../shared/outbound/outbound.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { Config } from '../../shared/settings/config.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import type { AttemptLimiter } from './attempt-limiter.ts'

/** The dependencies of the handlers of the delivery queue. */
export interface DeliveryDeps extends WorkerDeps {
  keys: Keys
  /** Opens sealed credentials. */
  secrets: Secrets
  outbound: Outbound
  attemptLimiter: AttemptLimiter
  config: Pick<Config, 'outboundAllowLoopback'>
  dids: DidResolver
  /** Replaces the pauses of the schedule, in tests. */
  retryPausesMs?: readonly number[]
}
