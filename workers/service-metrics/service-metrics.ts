import type { Registry } from 'prom-client'
import { createMeasured } from '../../shared/metrics/measured.ts'
import type { WorkerDeps } from '../handlers.ts'
import { measureCertificates } from './certificates.ts'
import { measureExpired } from './expired.ts'
import { measureIntegrations } from './integrations.ts'
import { measureOutbox } from './outbox.ts'
import { measureQueues } from './queues.ts'
import { serviceMetricsRegistry } from './registry.ts'
import { measureLists } from './status-lists.ts'
import { measureTrustedLists } from './trusted-lists.ts'
import { measureWaiting } from './waiting.ts'
import { measureWrapping } from './wrapped-keys.ts'

/**
 * What is true of the whole service, wherever it is asked: depths of queues and outbox, and what waits, fails or ends. One of the
 * processes tells it at a time, so that a sum over all of them is right: the one that was scraped first, as long as it is.
 */
export function createServiceMetrics({ db, bus, clock }: Pick<WorkerDeps, 'db' | 'bus' | 'clock'>, id: string) {
  const deps = { db, clock }
  const measureRedis = createMeasured(() => measureQueues(bus))
  // One after the other: a database that is slow is asked one thing at a time.
  const measureDatabase = createMeasured(async () => {
    await measureOutbox(deps)
    await measureWaiting(deps)
    await measureLists(deps)
    await measureCertificates(deps)
    await measureTrustedLists(deps)
    await measureIntegrations(deps)
    await measureWrapping(deps)
    await measureExpired(deps)
  })
  let isTeller = false

  return {
    /** Undefined where another process tells. */
    async read(): Promise<Registry | undefined> {
      // Without Redis it stays as it was.
      isTeller = await bus.acquireMetricsLease(id).catch(() => isTeller)
      if (!isTeller) return undefined
      await Promise.all([measureRedis(), measureDatabase()])
      return serviceMetricsRegistry
    },
    /** Leaves the telling to another process. */
    async close(): Promise<void> {
      if (isTeller) await bus.releaseMetricsLease(id).catch(() => undefined)
    },
  }
}

export type ServiceMetrics = ReturnType<typeof createServiceMetrics>
