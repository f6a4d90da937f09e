import { execFile } from 'node:child_process'
import { diffieHellman, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { startChild } from './child.ts'
import { cpuSpent, cpuTimes, totalSeconds } from './cpu.ts'
import { createLane } from './lane.ts'

export interface Rate {
  perSecond: number
  perCpuSecond: number
}

/** The limits of this machine, measured in the same run. */
export interface Limits {
  koa: Rate & { by: string }
  redisRoundTrips: Rate
  redisPipelined: Rate
  es256: Rate
  ed25519: Rate
  /** Key agreements. */
  x25519: Rate
  sqliteInserts: Rate
}

const measuredMs = 1_500

export async function measureLimits(redisUrl: string, redisPid: number): Promise<Limits> {
  return {
    koa: await measureBareKoa(),
    redisRoundTrips: await redisSets(redisUrl, redisPid, 1),
    redisPipelined: await redisSets(redisUrl, redisPid, 64),
    es256: signatures('ES256'),
    ed25519: signatures('Ed25519'),
    x25519: agreements(),
    sqliteInserts: sqliteInserts(),
  }
}

/** The mean of two rates, because the load of the machine varies. */
export function meanOf<Each extends Rate>(left: Each, right: Each): Each {
  const mean = (a: number, b: number) => (a + b) / 2
  return {
    ...left,
    perSecond: mean(left.perSecond, right.perSecond),
    perCpuSecond: mean(left.perCpuSecond, right.perCpuSecond),
  }
}

/** Measures a bare Koa route in its own process, with `wrk` if it is installed and else with undici. */
export async function measureBareKoa(): Promise<Limits['koa']> {
  const child = await startChild('./bare-koa.ts')
  const url = `http://127.0.0.1:${child.greeting}`
  try {
    await load(url, 1)
    const before = cpuTimes({ koa: child.pid })
    const { requests, seconds, by } = await load(url, 4)
    const cpu = totalSeconds(cpuSpent(before, cpuTimes({ koa: child.pid })))
    return { perSecond: requests / seconds, perCpuSecond: requests / cpu, by }
  } finally {
    child.stop()
  }
}

async function load(url: string, seconds: number): Promise<{ requests: number; seconds: number; by: string }> {
  try {
    const { stdout } = await promisify(execFile)('wrk', ['-t1', '-c32', `-d${seconds}s`, `${url}/`])
    const [, requests = '0', took = '0'] = /(\d+) requests in ([\d.]+)s/.exec(stdout) ?? []
    return { requests: Number(requests), seconds: Number(took), by: 'wrk' }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    return { ...(await loadWithUndici(url, seconds)), by: 'undici, because wrk is not installed' }
  }
}

async function loadWithUndici(url: string, seconds: number): Promise<{ requests: number; seconds: number }> {
  const startedAt = performance.now()
  let requests = 0
  const lanes = Array.from({ length: 32 }, async () => {
    await using lane = createLane(url)
    for (; performance.now() - startedAt < seconds * 1000; requests++) await lane.call('GET', '/')
  })
  await Promise.all(lanes)
  return { requests, seconds: (performance.now() - startedAt) / 1000 }
}

async function redisSets(url: string, pid: number, concurrency: number): Promise<Rate> {
  const redis = connectPatient(url)
  const before = cpuTimes({ redis: pid })
  const startedAt = performance.now()
  let done = 0
  const lanes = Array.from({ length: concurrency }, async () => {
    for (; performance.now() - startedAt < measuredMs; done++) await redis.set('bench:limit', 'x'.repeat(200))
  })
  await Promise.all(lanes)
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = totalSeconds(cpuSpent(before, cpuTimes({ redis: pid })))
  await redis.del('bench:limit')
  redis.disconnect()
  return { perSecond: done / seconds, perCpuSecond: done / cpu }
}

function signatures(algorithm: 'ES256' | 'Ed25519'): Rate {
  const { privateKey } =
    algorithm === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  const bytes = Buffer.alloc(300, 'x')
  return rateOf(() => sign(algorithm === 'ES256' ? 'sha256' : null, bytes, privateKey))
}

function agreements(): Rate {
  const { privateKey } = generateKeyPairSync('x25519')
  const { publicKey } = generateKeyPairSync('x25519')
  return rateOf(() => diffieHellman({ privateKey, publicKey }))
}

/** Inserts one row per transaction. Each is on disk before the next one, as in the service. */
function sqliteInserts(): Rate {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-bench-'))
  const database = new SqliteDatabase(join(dir, 'limit.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec('CREATE TABLE rows (id TEXT PRIMARY KEY, content TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?)')
  let next = 0
  try {
    return rateOf(() => insert.run(`row-${next++}`, 'x'.repeat(300)))
  } finally {
    database.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** The rate of asynchronous work in this process, one at a time. */
export async function rateOfPromises(work: () => Promise<unknown>): Promise<Rate> {
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  let done = 0
  for (; performance.now() - startedAt < measuredMs; done++) await work()
  const { user, system } = process.cpuUsage(cpuBefore)
  return { perSecond: (done * 1000) / (performance.now() - startedAt), perCpuSecond: (done * 1e6) / (user + system) }
}

/** The rate of work in this process. */
export function rateOf(work: () => void): Rate {
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  let done = 0
  for (; performance.now() - startedAt < measuredMs; done++) work()
  const { user, system } = process.cpuUsage(cpuBefore)
  return { perSecond: (done * 1000) / (performance.now() - startedAt), perCpuSecond: (done * 1e6) / (user + system) }
}
