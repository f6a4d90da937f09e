import type { BulkResults } from './bulk.ts'
import { bulkRows, bulkVerdicts } from './bulk-report.ts'
import { type CpuTimes, totalSeconds } from './cpu.ts'
import { countsText } from './database-counts.ts'
import { type DriverResult, steps } from './driver-jobs.ts'
import { flowVerdicts } from './flow-verdicts.ts'
import type { Limits, Rate } from './limits.ts'
import type { MessageResults } from './messages.ts'
import type { MobileResults } from './mobile.ts'
import type { BenchDatabase } from './options.ts'
import type { Phase } from './phases.ts'
import {
  type Beside,
  besideKoa,
  deliveriesPerCpuSecond,
  type FlowResults,
  flowsPerCpuSecond,
  type MiddleTurn,
  publicationCost,
  type RateRatios,
  type Results,
  readsName,
  regenerationCost,
  regenerationsOf,
  spreadText,
} from './results.ts'
import { printRows, type Row } from './rows.ts'
import { memoryText } from './soak.ts'
import type { StatusResults } from './status.ts'
import type { TrustedListResults } from './trusted-lists.ts'
import { verdicts } from './verdicts.ts'
import { countsOfProcesses, type WorkCounts } from './work-counts.ts'

export function printReport(results: Results): void {
  const { limits, flows, others, webhooks, management, idle, memoryBefore, memoryAfter } = results
  printRows([
    ...limitRows(limits),
    ...[...flows, ...others].flatMap(flowRows),
    ...mobileRows(results.mobile),
    ...[results.sdJwt, results.batches].flatMap(({ chosen }) => chosen.map(credentialRow)),
    ...statusRows(results.status),
    ...trustedListRows(results.trustedLists),
    ...bulkRows(results.bulk, limits),
    {
      what: `webhooks, ${webhooks.count} waiting`,
      perSecond: webhooks.count / webhooks.seconds,
      perCpuSecond: deliveriesPerCpuSecond(results),
      note: costNote(deliveriesPerCpuSecond(results), webhooks.koa),
    },
    { what: `  CPU: ${shares(webhooks.cpu, webhooks.count)}` },
    ...messageRows(results.messages, limits),
    ...management.flatMap(callRows),
    { what: `memory before: ${memoryText(memoryBefore)}` },
    { what: `memory after:  ${memoryText(memoryAfter)}` },
    idleRow(idle),
    ...verdicts(results),
  ])
}

export function printFlows(database: BenchDatabase, { flows, idle }: FlowResults): void {
  printRows([...flows.flatMap(flowRows), idleRow(idle), ...flowVerdicts(database, flows)])
}

export function printBulk(database: BenchDatabase, results: BulkResults, limits: Limits): void {
  printRows([...limitRows(limits), ...bulkRows(results, limits), ...bulkVerdicts(database, results, limits)])
}

function idleRow({ cpu, seconds }: Results['idle']): Row {
  return { what: `CPU when idle: ${((totalSeconds(cpu) / seconds) * 100).toFixed(1)} % of a core` }
}

function limitRows(limits: Limits): Row[] {
  const row = (what: string, rate: Rate, note = ''): Row => ({ what, ...rate, note })
  return [
    row('limit: bare Koa route', limits.koa, `by ${limits.koa.by}`),
    row('limit: Redis round trips, one by one', limits.redisRoundTrips, 'CPU of Redis alone'),
    row('limit: Redis commands, 64 at a time', limits.redisPipelined, 'CPU of Redis alone'),
    row('limit: ES256 signatures', limits.es256),
    row('limit: Ed25519 signatures', limits.ed25519),
    row('limit: X25519 agreements', limits.x25519),
    row('limit: SQLite inserts, each on disk', limits.sqliteInserts),
  ]
}

function flowRows(flows: Beside<Phase> | MiddleTurn): Row[] {
  const { name, count, cpu, value, koa, database, work, allocated } = flows
  const perCpuSecond = flowsPerCpuSecond(flows)
  const perStep = steps
    .filter((step) => value.latencies[step])
    .map((step) => ({ what: `  ${step}`, ...value.latencies[step] }))
  return [
    { what: name, perSecond: count / value.seconds, perCpuSecond, note: costNote(perCpuSecond, koa) },
    ...perStep,
    { what: `  CPU: ${shares(cpu, count)}` },
    ...('besideProcessFloor' in flows ? floorRows(flows) : []),
    ...(work ? workRows(work) : []),
    ...(allocated ? [{ what: `  allocated on the heap: ${kilobytesOf(allocated)}` }] : []),
    ...(database ? [{ what: `  PostgreSQL: ${countsText(database)}` }] : []),
  ]
}

function kilobytesOf(allocated: Record<string, number>): string {
  return Object.entries(allocated)
    .map(([name, bytes]) => `${name} ${(bytes / 1000).toFixed(0)} kB`)
    .join(', ')
}

function workRows({ contextSwitches, writes, redisBytes }: WorkCounts): Row[] {
  return [
    { what: `  waits of processes: ${countsOfProcesses(contextSwitches)}` },
    { what: `  write calls: ${countsOfProcesses(writes)}; ${redisBytes.toFixed(0)} bytes to Redis` },
  ]
}

function floorRows({ turns, besideProcessFloor, besideMinimalIssuer, besideFlushingIssuer }: MiddleTurn): Row[] {
  const beside = (rate: keyof RateRatios) =>
    `${spreadText(besideMinimalIssuer[rate])} of a minimal issuer, ${spreadText(besideFlushingIssuer[rate])} of one that flushes each commit`
  return [
    { what: `  per CPU second in all turns: ${spreadText(turns, 0)}` },
    { what: `  1 costs ${spreadText(besideProcessFloor)} process floors` },
    { what: `  per CPU second: ${beside('perCpuSecond')}` },
    { what: `  per second: ${beside('perSecond')}` },
  ]
}

function mobileRows({ besideCompact, portrait, memoryBefore, memoryAfter }: MobileResults): Row[] {
  return [
    ...besideCompact.chosen.map(credentialRow),
    credentialRow(portrait),
    { what: `  memory before: ${memoryText(memoryBefore)}` },
    { what: `  memory after:  ${memoryText(memoryAfter)}` },
  ]
}

/** The flows of a phase, with the latency of their credential requests. */
function credentialRow({ name, count, cpu, seconds, value }: Phase): Row {
  const rates = { perSecond: count / seconds, perCpuSecond: count / totalSeconds(cpu) }
  return { what: name, ...rates, ...value.latencies.credential }
}

function statusRows(status: StatusResults): Row[] {
  const { revocations, untilPublished, regenerations, reads } = status
  const { count, cpu, seconds, value } = revocations
  return [
    {
      what: 'revocations, 32 at a time',
      perSecond: count / seconds,
      perCpuSecond: count / totalSeconds(cpu),
      ...value.latencies.all,
    },
    { what: '  until the list has it', ...untilPublished },
    ...regenerationsOf(regenerations).map(([what, each]) => ({
      what: `regeneration of ${what}, 2 % of it set`,
      p50: each.regenerateMs,
      note: `${regenerationCost(each).toFixed(2)} times zlib's ${each.zlibMs.toFixed(1)} ms`,
    })),
    ...reads.map((each) => ({
      what: `list ${readsName(each)}`,
      ...each.ours,
      note: `${besideKoa(each)} of a bare Koa route's with the same bytes`,
    })),
  ]
}

function trustedListRows({ publications, reads, calm, publishing }: TrustedListResults): Row[] {
  const calls = (what: string, results: DriverResult[]) =>
    results.map(({ count, seconds, latencies }) => ({ what, perSecond: count / seconds, ...latencies.all }))
  return [
    ...publications.map((each) => ({
      what: `publishing ${each.count} certificates`,
      p50: each.publishMs,
      note: `${publicationCost(each).toFixed(2)} times the ${each.assembleMs.toFixed(1)} ms of assembling them, unsigned; reading and joining their bytes ${each.joinMs.toFixed(1)} ms`,
    })),
    ...reads.map((each) => ({
      what: `VICAL ${readsName(each)}`,
      ...each.ours,
      note: `${besideKoa(each)} of a bare Koa route's with the same bytes`,
    })),
    ...calls('calls, nothing published', calm),
    ...calls('calls while lists are published', publishing),
  ]
}

/** The cost of a message in key agreements and in signatures, the minimum of its work. */
function messageRows({ sealed, opened, phases }: MessageResults, { x25519, ed25519 }: Limits): Row[] {
  const cost = (rate: Rate, perCpuSecond: number) => (rate.perCpuSecond / perCpuSecond).toFixed(1)
  const note = (perCpuSecond: number) =>
    `1 costs ${cost(x25519, perCpuSecond)} agreements of X25519, or ${cost(ed25519, perCpuSecond)} signatures of Ed25519`
  return [
    { what: 'messages encrypted, the format alone', ...sealed, note: note(sealed.perCpuSecond) },
    { what: 'messages opened, the format alone', ...opened, note: note(opened.perCpuSecond) },
    ...phases.flatMap(({ name, count, cpu, seconds, value }) => {
      const perCpuSecond = count / totalSeconds(cpu)
      const rate = { perSecond: count / seconds, perCpuSecond }
      return [
        { what: `${name}, 8 at a time`, ...rate, ...value.latencies.all, note: note(perCpuSecond) },
        { what: `  CPU: ${shares(cpu, count)}` },
      ]
    }),
  ]
}

function callRows({ name, count, cpu, value, koa }: Beside<Phase>): Row[] {
  const perCpuSecond = count / totalSeconds(cpu)
  const note = costNote(perCpuSecond, koa)
  return [
    { what: `${name}, 8 at a time`, perSecond: count / value.seconds, perCpuSecond, ...value.latencies.all, note },
    { what: `  CPU: ${shares(cpu, count)}` },
  ]
}

/** The cost in requests of a bare Koa route. */
function costNote(perCpuSecond: number, koa: Rate): string {
  return `1 costs ${(koa.perCpuSecond / perCpuSecond).toFixed(1)} bare Koa requests`
}

/** Microseconds of user and system time per piece of work. */
export function shares(cpu: CpuTimes, count: number): string {
  const micros = (seconds: number) => Math.round((seconds * 1e6) / count)
  return Object.entries(cpu)
    .map(([name, { user, system }]) => `${name} ${micros(user + system)} µs (${micros(system)} system)`)
    .join(', ')
}
