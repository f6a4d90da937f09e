import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { findMigrationStatus } from '../db/engine/migrated.ts'
import { newId } from '../shared/ids.ts'
import { reportStatus } from '../shared/metrics/process.ts'
import type { WorkerDeps } from './jobs/handlers.ts'
import { createServiceMetrics } from './service-metrics/service-metrics.ts'

export interface WorkerStatus {
  /** Updates the metrics of this process. */
  measure(): Promise<void>
  /** Returns the metrics of the whole service, or undefined if another process reports them. */
  ofService(): Promise<Registry | undefined>
  /** Marks the workers as ready, and starts the metrics of the whole service if this process reports them. */
  start(deps: Pick<WorkerDeps, 'db' | 'bus' | 'clock'>): void
  /** Marks the workers as not ready. */
  stop(): Promise<void>
}

type Options = Pick<WorkerDeps, 'db' | 'clock'> & {
  /** The process reports the metrics of the whole service. */
  reportsService: boolean
}

/** Measures the status of the workers of this process. */
export function createWorkerStatus({ db, clock, reportsService }: Options): WorkerStatus {
  let started: Pick<WorkerDeps, 'bus'> | undefined
  let serviceMetrics: ReturnType<typeof createServiceMetrics> | undefined
  return {
    async measure() {
      const [database, clockAheadMs, redisSettings] = await Promise.all([
        withTimeout(findMigrationStatus(db).then(({ missing }) => missing.length === 0)),
        withTimeout(started?.bus.clockAheadMs(clock)),
        withTimeout(started?.bus.redisSettings()),
      ])
      const checks = { database: database === true, redis: clockAheadMs !== undefined }
      reportStatus({
        isReady: started !== undefined && checks.database && checks.redis,
        checks,
        pools: db.pools(),
        clockAheadMs,
        redisSettings,
      })
    },
    ofService: async () => serviceMetrics?.read(),
    start(deps) {
      started = deps
      if (reportsService) serviceMetrics = createServiceMetrics(deps, newId())
    },
    async stop() {
      started = undefined
      await serviceMetrics?.close()
    },
  }
}

const checkTimeoutMs = 1_500

/** Returns the answer, or undefined if it fails or does not arrive in time. */
async function withTimeout<Answer>(answer: Promise<Answer> | undefined): Promise<Answer | undefined> {
  const timeout = sleep(checkTimeoutMs, undefined, { ref: false })
  return Promise.race([answer, timeout]).catch(() => undefined)
}
