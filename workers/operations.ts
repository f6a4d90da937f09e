import { setTimeout as sleep } from 'node:timers/promises'
import { findMigrationStanding } from '../db/engine/migrated.ts'
import type { Config } from '../shared/config.ts'
import { newId } from '../shared/ids.ts'
import { createMeasured } from '../shared/metrics/measured.ts'
import { describeProcess, reportStatus } from '../shared/metrics/process.ts'
import { serveMetricsOnceFree } from '../shared/metrics/serve.ts'
import type { WorkerDeps } from './handlers.ts'
import { createServiceMetrics } from './service-metrics/service-metrics.ts'

export interface Operations {
  /** From now on it works, and tells what is true of the whole service if that is a duty of it. */
  begin(deps: Pick<WorkerDeps, 'db' | 'bus' | 'clock'>): void
  /** It takes no more work. */
  end(): Promise<void>
}

type Options = Pick<WorkerDeps, 'db' | 'log' | 'clock'> & {
  config: Config
  isSigning: boolean
  tellsOfService: boolean
}

/** `/metrics` of a worker process, on the port that its kind has. */
export function openOperations({ db, log, clock, config, isSigning, tellsOfService }: Options): Operations {
  const [name, port] = isSigning
    ? (['SIGNING_OPS_PORT', config.signingOpsPort] as const)
    : (['WORKER_OPS_PORT', config.workerOpsPort] as const)
  let working: Pick<WorkerDeps, 'bus'> | undefined
  let figures: ReturnType<typeof createServiceMetrics> | undefined
  describeProcess(config, isSigning ? 'signing' : 'worker')

  const measure = createMeasured(async () => {
    const [database, clockAheadMs, redisSettings] = await Promise.all([
      inTime(findMigrationStanding(db).then(({ missing }) => missing.length === 0)),
      inTime(working?.bus.clockAheadMs(clock)),
      inTime(working?.bus.redisSettings()),
    ])
    const checks = { database: database === true, redis: clockAheadMs !== undefined }
    reportStatus({
      isReady: working !== undefined && checks.database && checks.redis,
      checks,
      pools: db.pools(),
      clockAheadMs,
      redisSettings,
    })
  })
  const sources = { measure, ofService: async () => figures?.read() }
  const server = serveMetricsOnceFree({ host: config.opsHost, port }, name, sources, { log })
  return {
    begin(deps) {
      working = deps
      if (tellsOfService) figures = createServiceMetrics(deps, newId())
    },
    async end() {
      working = undefined
      server.close()
      await figures?.close()
    },
  }
}

const patienceMs = 1_500

/** An answer that does not come in time is no answer. */
async function inTime<Answer>(answer: Promise<Answer> | undefined): Promise<Answer | undefined> {
  const late = sleep(patienceMs, undefined, { ref: false })
  return Promise.race([answer, late]).catch(() => undefined)
}
