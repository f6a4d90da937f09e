import { collectDefaultMetrics, Gauge } from 'prom-client'
import type { Config } from '../config.ts'
import type { RedisSettings } from '../jobs/redis-settings.ts'

const buildInfo = new Gauge({
  name: 'trustwright_build_info',
  help: 'Always 1: which version this process is, on which Node.js, what it is, and on which kind of database.',
  labelNames: ['version', 'node', 'process', 'database'] as const,
})

const ready = new Gauge({
  name: 'trustwright_ready',
  help: 'Whether this process takes work, 1 or 0; of a web process what GET /health/ready says.',
})

const checks = new Gauge({
  name: 'trustwright_check_ok',
  help: 'Whether what this process needs is there, 1 or 0: database, redis, and for a web process signing.',
  labelNames: ['check'] as const,
})

const connections = new Gauge({
  name: 'trustwright_database_connections',
  help: 'Connections of this process to PostgreSQL, by pool: used, idle, and how many it may have at most.',
  labelNames: ['pool', 'state'] as const,
})

const waits = new Gauge({
  name: 'trustwright_database_connection_waits',
  help: 'Queries and transactions of this process that wait for a connection to PostgreSQL, by pool.',
  labelNames: ['pool'] as const,
})

const clockAhead = new Gauge({
  name: 'trustwright_clock_ahead_seconds',
  help: 'How far the clock of this process is ahead of the clock of Redis; negative when it is behind.',
})

const redisSetting = new Gauge({
  name: 'trustwright_redis_setting_ok',
  help: 'Whether a setting of Redis loses no jobs, 1 or 0: eviction (maxmemory-policy is noeviction), persistence (it writes to disk).',
  labelNames: ['setting'] as const,
})

export type ProcessKind = 'web' | 'signing' | 'worker'

/** One for reads, and one for transactions. SQLite has none. */
export interface PoolStanding {
  pool: 'reads' | 'writes'
  open: number
  idle: number
  waiting: number
  most: number
}

/** How a process stands. */
export interface Standing {
  isReady: boolean
  /** By what is looked for. */
  checks: Readonly<Record<string, boolean>>
  pools: readonly PoolStanding[]
  /** Undefined while Redis is away. */
  clockAheadMs: number | undefined
  redisSettings: RedisSettings | undefined
}

/** What a process tells of itself from the beginning. Called once. */
export function describeProcess({ version, databaseUrl }: Config, kind: ProcessKind): void {
  // The event loop's lag is looked at 20 times a second: by default it is 100, which keeps an idle process busy.
  collectDefaultMetrics({ eventLoopMonitoringPrecision: 50 })
  const database = databaseUrl.startsWith('postgres') ? 'postgres' : 'sqlite'
  buildInfo.set({ version, node: process.versions.node, process: kind, database }, 1)
}

export function tellStanding({ isReady, checks: found, pools, clockAheadMs, redisSettings }: Standing): void {
  ready.set(Number(isReady))
  for (const [check, isThere] of Object.entries(found)) checks.set({ check }, Number(isThere))
  for (const { pool, open, idle, waiting, most } of pools) {
    connections.set({ pool, state: 'used' }, open - idle)
    connections.set({ pool, state: 'idle' }, idle)
    connections.set({ pool, state: 'most' }, most)
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
