import type { Database, Writer } from '../db/client.ts'
import type { AuditEntry } from '../db/repos/operations/audit/audit.ts'
import type { Clock } from '../shared/clock.ts'
import type { DidResolver } from '../shared/domain/identifiers/resolver.ts'
import type { Bus } from '../shared/jobs/bus.ts'
import type { Keys } from '../shared/jobs/keys.ts'
import type { Log } from '../shared/log/log.ts'
import type { Outbound } from '../shared/outbound/outbound.ts'
import type { Secrets } from '../shared/secrets/secrets.ts'
import type { Config } from '../shared/settings/config.ts'
import type { Caller, Holder, Tenant } from './access/subjects.ts'
import type { Analytics } from './analytics/analytics.ts'
import type { Verifiers } from './credentials/verify/verifiers.ts'
import type { ListReader } from './ecosystems/trusted-lists/list-reader.ts'
import type { LargeAnswers } from './http/large-answers.ts'
import type { TransferLimiter } from './http/transfers.ts'
import type { SentMarks } from './issuance/credential/sent-marks.ts'
import type { ListenerStreams } from './operations/webhooks/listener-streams.ts'
import type { Caches } from './process/caches.ts'
import type { SetStatus } from './status/revocation/status-changes.ts'

/** The types that the kernel passes to the handlers of this application. */
declare module './http/application.ts' {
  interface Application {
    deps: Deps
    tenant: Tenant
    caller: Caller
    holder: Holder
    writer: Writer
  }
}

/** The dependencies of the API. Created by `api/serve.ts` and by tests. */
export interface Deps {
  config: Config
  db: Database
  bus: Bus
  keys: Keys
  secrets: Secrets
  outbound: Outbound
  dids: DidResolver
  verifiers: Verifiers
  uploads: TransferLimiter
  downloads: TransferLimiter
  listReader: ListReader
  listenerStreams: ListenerStreams
  clock: Clock
  log: Log
  analytics: Analytics
  sent: SentMarks
  setStatus: SetStatus
  caches: Caches
  largeAnswers: LargeAnswers
  /** Collects the audit entries of handlers that share a transaction (api/tenant-files/inner-calls.ts). Absent in all others. */
  sharedAudit?: AuditEntry[]
  /**
   * Gives the slot of the request back until `work` has settled. A request that joins an outbound call of another request waits for
   * that call with this function.
   */
  withoutSlot<Result>(work: Promise<Result>): Promise<Result>
  lifecycle: Lifecycle
}

/** The lifecycle phase of the process. It accepts requests while it serves, and while it stops until proxies have noticed. */
export interface Lifecycle {
  phase: 'starting' | 'serving' | 'stopping'
}
