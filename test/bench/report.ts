import { type CpuTimes, totalSeconds } from './cpu.ts'
import { steps } from './driver-jobs.ts'
import type { Limits, Rate } from './limits.ts'
import type { Measured } from './measure.ts'
import type { Phase } from './phases.ts'
import { memoryText } from './soak.ts'

export interface Results {
  limits: Limits
  flows: Phase[]
  /** Of other kinds, for which there is no target. */
  others: Phase[]
  webhooks: Measured<undefined> & { count: number }
  management: Phase[]
  idle: Measured<void>
  /** Megabytes. */
  memoryBefore: Record<string, number>
  memoryAfter: Record<string, number>
}

export function printReport(results: Results): void {
  const { limits, flows, others, webhooks, management, idle, memoryBefore, memoryAfter } = results
  printRows([
    ...limitRows(limits),
    ...[...flows, ...others].flatMap((phase) => flowRows(phase, limits)),
    {
      what: `webhooks, ${webhooks.count} waiting`,
      perSecond: webhooks.count / webhooks.seconds,
      perCpuSecond: deliveriesPerCpuSecond(results),
      note: costNote(deliveriesPerCpuSecond(results), limits),
    },
    { what: `  CPU: ${shares(webhooks.cpu, webhooks.count)}` },
    ...management.flatMap((phase) => callRows(phase, limits)),
    { what: `memory before: ${memoryText(memoryBefore)}` },
    { what: `memory after:  ${memoryText(memoryAfter)}` },
    { what: `CPU when idle: ${((totalSeconds(idle.cpu) / idle.seconds) * 100).toFixed(1)} % of a core` },
    ...verdicts(results),
  ])
}

function deliveriesPerCpuSecond({ webhooks }: Results): number {
  return webhooks.count / totalSeconds(webhooks.cpu, ['worker', 'signing', 'redis'])
}

function verdicts(results: Results): Row[] {
  const { flows, limits } = results
  const verdict = (what: string, value: number, target: number) => ({
    what: `target: ${what}: ${value.toFixed(0)} of ${target.toFixed(0)} ${value >= target ? 'MET' : 'MISSED'}`,
  })
  const p99 = flows.find(({ concurrency }) => concurrency === 8)?.value.latencies.credential?.p99
  return [
    ...flows
      .filter(({ concurrency }) => concurrency > 1)
      .map(({ name, count, cpu }) =>
        verdict(`${name}, per CPU second`, count / totalSeconds(cpu), scaled(600, limits)),
      ),
    verdict('webhooks per CPU second', deliveriesPerCpuSecond(results), scaled(2500, limits)),
    ...(p99 === undefined
      ? []
      : [
          {
            what: `target: p99 of the credential call at 8: ${p99.toFixed(1)} of 30 ms ${p99 < 30 ? 'MET' : 'MISSED'}`,
          },
        ]),
  ]
}

/** The machine for which the targets were set: bare Koa requests per second of one core. */
const referenceKoa = 60_000

/** A target, scaled to this machine. */
function scaled(target: number, limits: Limits): number {
  return (target * limits.koa.perCpuSecond) / referenceKoa
}

interface Row {
  what: string
  perSecond?: number
  perCpuSecond?: number
  p50?: number
  p95?: number
  p99?: number
  note?: string
}

function limitRows(limits: Limits): Row[] {
  const row = (what: string, rate: Rate, note = ''): Row => ({ what, ...rate, note })
  return [
    row('limit: bare Koa route', limits.koa, `by ${limits.koa.by}`),
    row('limit: Redis round trips, one by one', limits.redisRoundTrips, 'CPU of Redis alone'),
    row('limit: Redis commands, 64 at a time', limits.redisPipelined, 'CPU of Redis alone'),
    row('limit: ES256 signatures', limits.es256),
    row('limit: Ed25519 signatures', limits.ed25519),
    row('limit: SQLite inserts, each on disk', limits.sqliteInserts),
  ]
}

function flowRows({ name, count, cpu, value }: Phase, limits: Limits): Row[] {
  const perCpuSecond = count / totalSeconds(cpu)
  const perStep = steps
    .filter((step) => value.latencies[step])
    .map((step) => ({ what: `  ${step}`, ...value.latencies[step] }))
  return [
    { what: name, perSecond: count / value.seconds, perCpuSecond, note: costNote(perCpuSecond, limits) },
    ...perStep,
    { what: `  CPU: ${shares(cpu, count)}` },
  ]
}

function callRows({ name, count, cpu, value }: Phase, limits: Limits): Row[] {
  const perCpuSecond = count / totalSeconds(cpu)
  const note = costNote(perCpuSecond, limits)
  return [
    { what: `${name}, 8 at a time`, perSecond: count / value.seconds, perCpuSecond, ...value.latencies.all, note },
    { what: `  CPU: ${shares(cpu, count)}` },
  ]
}

/** What one costs, counted in requests of a bare Koa route. */
function costNote(perCpuSecond: number, limits: Limits): string {
  return `1 costs ${(limits.koa.perCpuSecond / perCpuSecond).toFixed(1)} bare Koa requests`
}

/** Microseconds of user and system time per piece of work. */
function shares(cpu: CpuTimes, count: number): string {
  const micros = (seconds: number) => Math.round((seconds * 1e6) / count)
  return Object.entries(cpu)
    .map(([name, { user, system }]) => `${name} ${micros(user + system)} µs (${micros(system)} system)`)
    .join(', ')
}

function printRows(rows: Row[]): void {
  const columns = ['', 'per second', 'per CPU s', 'p50 ms', 'p95 ms', 'p99 ms', '']
  console.log(line(columns))
  for (const { what, perSecond, perCpuSecond, p50, p95, p99, note = '' } of rows) {
    const whole = (value?: number) => (value === undefined ? '' : Math.round(value).toLocaleString('en'))
    const ms = (value?: number) => (value === undefined ? '' : value.toFixed(1))
    const isText = perSecond === undefined && p50 === undefined
    console.log(isText ? what : line([what, whole(perSecond), whole(perCpuSecond), ms(p50), ms(p95), ms(p99), note]))
  }
}

function line([what = '', ...cells]: string[]): string {
  const note = cells.pop() ?? ''
  return `${what.padEnd(40)}${cells.map((cell) => cell.padStart(11)).join('')}  ${note}`.trimEnd()
}
