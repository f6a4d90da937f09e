import type { Config } from '../../shared/config.ts'
import type { DidResolver } from '../../shared/domain/identifiers/resolver.ts'
import type { Keys } from '../../shared/jobs/keys.ts'
import type { Outbound } from '../../shared/outbound/outbound.ts'
import type { Secrets } from '../../shared/secrets.ts'
import type { WorkerDeps } from '../handlers.ts'
import type { Gate } from './gate.ts'

/** What the handlers of the delivery queue can use. */
export interface DeliveryDeps extends WorkerDeps {
  keys: Keys
  /** Credentials are kept sealed. */
  secrets: Secrets
  outbound: Outbound
  gate: Gate
  config: Pick<Config, 'outboundAllowLoopback'>
  dids: DidResolver
  /** Instead of the schedule's; tests have no half days. */
  retryPausesMs?: readonly number[]
}
