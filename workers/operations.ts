import { setTimeout as sleep } from 'node:timers/promises'
import { findMigrationStatus } from '../db/engine/migrated.ts'
import { newId } from '../shared/ids.ts'
import { createMeasured } from '../shared/metrics/measured.ts'
import { describeProcess, reportStatus } from '../shared/metrics/process.ts'
import { serveMetricsOnceFree } from '../shared/metrics/serve.ts'
import type { Config } from '../shared/settings/config.ts'
import type { WorkerDeps } from './jobs/handlers.ts'
import { createServiceMetrics } from './service-metrics/service-metrics.ts'

export interface WorkerOperations {
  /** Marks the process as ready, and starts the metrics of the whole service if this process reports them. */
  start(deps: Pick<WorkerDeps, 'db' | 'bus' | 'clock'>): void
  /** Marks the process as not ready and stops the server. */
  stop(): Promise<void>
}

type Options = Pick<WorkerDeps, 'db' | 'log' | 'clock'> & {
  config: Config
  isSigning: boolean
  /** The process reports the metrics of the whole service. */
  reportsService: boolean
}

/** Serves `/metrics` of a worker process, on the port of its kind. */
export function openOperations({ db, log, clock, config, isSigning, reportsService }: Options): WorkerOperations {
  const [name, port] = isSigning
    ? (['SIGNING_OPS_PORT', config.signingOpsPort] as const)
    : (['WORKER_OPS_PORT', config.workerOpsPort] as const)
  let started: Pick<WorkerDeps, 'bus'> | undefined
  let serviceMetrics: ReturnType<typeof createServiceMetrics> | undefined
  describeProcess(config, isSigning ? 'signing' : 'worker')

  const measure = createMeasured(async () => {
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
  })
  const sources = { measure, ofService: async () => serviceMetrics?.read() }
  const server = serveMetricsOnceFree({ host: config.opsHost, port }, name, sources, { log })
  return {
    start(deps) {
      started = deps
      if (reportsService) serviceMetrics = createServiceMetrics(deps, newId())
    },
    async stop() {
      started = undefined
      server.close()
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
