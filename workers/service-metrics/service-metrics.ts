import type { Registry } from 'prom-client'
import { createMeasured } from '../../shared/metrics/measured.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { measureCertificates } from './certificates.ts'
import { measureExpired } from './expired.ts'
import { measureIntegrations } from './integrations.ts'
import { measureMissingKeys } from './missing-keys.ts'
import { measureOutbox } from './outbox.ts'
import { createPublicationMetrics } from './publications.ts'
import { measureQueues } from './queues.ts'
import { serviceMetricsRegistry } from './registry.ts'
import { measureLists } from './status-lists.ts'
import { measureTrustedLists } from './trusted-lists.ts'
import { measureWaiting } from './waiting.ts'
import { measureWrapping } from './wrapped-keys.ts'

/**
 * Measures the metrics of the whole service, such as the depths of queues and outbox. One process at a time reports them, so that the sum
 * over all processes is correct. It is the process that was scraped first, while it is scraped.
 */
export function createServiceMetrics({ db, bus, clock }: Pick<WorkerDeps, 'db' | 'bus' | 'clock'>, id: string) {
  const deps = { db, clock }
  const measurePublications = createPublicationMetrics(deps)
  const measureRedis = createMeasured(() => measureQueues(bus))
  // The queries are sequential, so that they do not load a slow database.
  const measureDatabase = createMeasured(async () => {
    await measureOutbox(deps)
    await measureWaiting(deps)
    await measureLists(deps)
    await measureCertificates(deps)
    await measureTrustedLists(deps)
    await measureIntegrations(deps)
    await measureWrapping(deps)
    await measureMissingKeys(deps)
    await measureExpired(deps)
    await measurePublications()
  })
  let hasLease = false

  return {
    /** Returns undefined if another process reports the metrics. */
    async read(): Promise<Registry | undefined> {
      // Without Redis the lease does not change.
      hasLease = await bus.acquireMetricsLease(id).catch(() => hasLease)
      if (!hasLease) return undefined
      await Promise.all([measureRedis(), measureDatabase()])
      return serviceMetricsRegistry
    },
    /** Releases the lease to another process. */
    async close(): Promise<void> {
      if (hasLease) await bus.releaseMetricsLease(id).catch(() => undefined)
    },
  }
}
