import type { Writer } from '../db/client.ts'
import type { AuditEntry } from '../db/repos/operations/audit/audit.ts'
import type { DidResolver } from '../shared/domain/identifiers/resolver.ts'
import type { Bus } from '../shared/jobs/bus.ts'
import type { Keys } from '../shared/jobs/keys.ts'
import type { Outbound } from '../shared/outbound/outbound.ts'
import type { Config } from '../shared/settings/config.ts'
import type { Analytics } from './http/analytics.ts'
import type { LargeAnswers } from './http/large-answers.ts'
import type { TransferLimiter } from './http/transfers.ts'
import type { Caches } from './process/caches.ts'
import type { ServiceDeps, Services } from './process/services.ts'

/** The kernel passes these to the handlers of this application. `api/access/subjects.ts` declares the tenant and the callers. */
declare module './http/application.ts' {
  interface Application {
    deps: Deps
    writer: Writer
  }
}

/** The dependencies of the API. Created by `api/serve.ts` and by tests. */
export interface Deps extends ServiceDeps {
  config: Config
  bus: Bus
  keys: Keys
  outbound: Outbound
  dids: DidResolver
  uploads: TransferLimiter
  downloads: TransferLimiter
  analytics: Analytics
  caches: Caches
  services: Services
  largeAnswers: LargeAnswers
  /** Collects the audit entries of handlers that share a transaction (api/audit/inner-calls.ts). Absent in all others. */
  sharedAudit?: AuditEntry[]
  /** The approval whose request a handler executes (api/approvals/decide.ts, api/tenant-files/approval.ts). Absent in all other requests. */
  approvalId?: string
  /**
   * Gives the slot of the request back until `work` has settled. A request that joins an outbound call of another request waits for
   * that call with this function.
   */
  withoutSlot<Result>(work: Promise<Result>): Promise<Result>
}
