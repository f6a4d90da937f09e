import { collectDefaultMetrics, Gauge } from 'prom-client'
import type { RedisSettings } from '../jobs/redis-settings.ts'
import type { ProcessRole } from '../process/roles.ts'
import type { Config } from '../settings/config.ts'

const buildInfo = new Gauge({
  name: 'trustwright_build_info',
  help: 'Always 1. The labels are the version, the Node.js version, the roles of the process, the kind of database, and the system that stores the queues.',
  labelNames: ['version', 'node', 'process', 'database', 'queue'] as const,
})

const ready = new Gauge({
  name: 'trustwright_ready',
  help: 'Whether this process accepts work, 1 or 0. For a web process, the result of GET /health/ready.',
})

const checks = new Gauge({
  name: 'trustwright_check_ok',
  help: 'Whether a dependency of this process is available, 1 or 0: database, redis, and for a web process signing.',
  labelNames: ['check'] as const,
})

const connections = new Gauge({
  name: 'trustwright_database_connections',
  help: 'Connections of this process to PostgreSQL, by pool and state. The state "most" is the maximum.',
  labelNames: ['pool', 'state'] as const,
})

const waits = new Gauge({
  name: 'trustwright_database_connection_waits',
  help: 'Queries and transactions of this process that wait for a connection to PostgreSQL, by pool.',
  labelNames: ['pool'] as const,
})

const standbyLag = new Gauge({
  name: 'trustwright_database_read_lag_seconds',
  help: 'How far the standby of DATABASE_READ_URL is behind the primary. Left out without a standby that answers.',
})

const clockAhead = new Gauge({
  name: 'trustwright_clock_ahead_seconds',
  help: 'How far the clock of this process is ahead of the clock of Redis. Negative if it is behind.',
})

const redisSetting = new Gauge({
  name: 'trustwright_redis_setting_ok',
  help: 'Whether a setting of Redis is safe for jobs, 1 or 0: eviction (maxmemory-policy is noeviction), persistence (writes to disk).',
  labelNames: ['setting'] as const,
})

/** A connection pool: one for reads, one for transactions, one for reads at a standby, and one for queues. SQLite has none. */
export interface PoolStatus {
  pool: 'reads' | 'writes' | 'standby' | 'queues'
  open: number
  idle: number
  waiting: number
  max: number
}

export interface ProcessStatus {
  isReady: boolean
  /** Whether each dependency is available, by its name. */
  checks: Readonly<Record<string, boolean>>
  pools: readonly PoolStatus[]
  /** Undefined while Redis is not reachable. */
  clockAheadMs: number | undefined
  redisSettings: RedisSettings | undefined
  /** Undefined without a standby that answers. */
  standbyLagSeconds?: number | undefined
}

/** Registers the metrics that do not change while a process runs. Called once. */
export function describeProcess({ version, databaseUrl, queueIn }: Config, roles: readonly ProcessRole[]): void {
  // Samples the event loop lag 10 times a second. The default of 100 keeps an idle process busy.
  collectDefaultMetrics({ eventLoopMonitoringPrecision: 100 })
  const database = databaseUrl.startsWith('postgres') ? 'postgres' : 'sqlite'
  buildInfo.set({ version, node: process.versions.node, process: roles.join(','), database, queue: queueIn }, 1)
}

/** Returns whether the last measurement found that this process accepts work. */
export async function isReady(): Promise<boolean> {
  const { values } = await ready.get()
  return values.some(({ value }) => value === 1)
}

export function reportStatus(status: ProcessStatus): void {
  const { isReady, checks: availability, pools, clockAheadMs, redisSettings, standbyLagSeconds } = status
  standbyLag.remove()
  if (standbyLagSeconds !== undefined) standbyLag.set(standbyLagSeconds)
  ready.set(Number(isReady))
  for (const [check, isAvailable] of Object.entries(availability)) checks.set({ check }, Number(isAvailable))
  for (const { pool, open, idle, waiting, max } of pools) {
    connections.set({ pool, state: 'used' }, open - idle)
    connections.set({ pool, state: 'idle' }, idle)
    connections.set({ pool, state: 'most' }, max)
    waits.set({ pool }, waiting)
  }
  if (clockAheadMs === undefined) clockAhead.remove()
  else clockAhead.set(clockAheadMs / 1000)
  redisSetting.reset()
  if (!redisSettings) return
  const { evictionPolicy, isPersistent } = redisSettings
  redisSetting.set({ setting: 'eviction' }, Number(evictionPolicy === 'noeviction'))
  if (isPersistent !== undefined) redisSetting.set({ setting: 'persistence' }, Number(isPersistent))
}
