import type { ComparedReads } from './compare-reads.ts'
import { type CpuTimes, totalSeconds } from './cpu.ts'
import { type DriverResult, steps } from './driver-jobs.ts'
import type { Limits, Rate } from './limits.ts'
import type { Measured } from './measure.ts'
import type { MessageResults } from './messages.ts'
import type { MobileResults } from './mobile.ts'
import type { Alternated, Phase } from './phases.ts'
import type { Regeneration, Regenerations } from './regenerate.ts'
import { memoryText } from './soak.ts'
import type { StatusResults } from './status.ts'
import type { Publication, TrustedListResults } from './trusted-lists.ts'

/** With what a bare Koa route did at the time. */
export type Beside<Result> = Result & { koa: Rate }

export interface Results {
  limits: Limits
  flows: Beside<Phase>[]
  /** Of other kinds, for which there is no target. */
  others: Beside<Phase>[]
  revocable: Alternated
  mobile: MobileResults
  status: StatusResults
  trustedLists: TrustedListResults
  webhooks: Beside<Measured<undefined> & { count: number }>
  messages: MessageResults
  management: Beside<Phase>[]
  idle: Measured<void>
  /** Megabytes. */
  memoryBefore: Record<string, number>
  memoryAfter: Record<string, number>
}

export function printReport(results: Results): void {
  const { limits, flows, others, webhooks, management, idle, memoryBefore, memoryAfter } = results
  printRows([
    ...limitRows(limits),
    ...[...flows, ...others].flatMap(flowRows),
    ...mobileRows(results.mobile),
    ...statusRows(results.status),
    ...trustedListRows(results.trustedLists),
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
    { what: `CPU when idle: ${((totalSeconds(idle.cpu) / idle.seconds) * 100).toFixed(1)} % of a core` },
    ...verdicts(results),
  ])
}

/** How many times as much CPU a flow of the chosen kind takes. */
function costBesideOthers({ chosen, others }: Alternated): number {
  const perFlow = (phases: Phase[]) =>
    sum(phases.map(({ cpu }) => totalSeconds(cpu))) / sum(phases.map(({ count }) => count))
  return perFlow(chosen) / perFlow(others)
}

function sum(values: number[]): number {
  return values.reduce((total, each) => total + each, 0)
}

function deliveriesPerCpuSecond({ webhooks }: Results): number {
  return webhooks.count / totalSeconds(webhooks.cpu, ['worker', 'signing', 'redis'])
}

/** How many times as long as zlib it takes to make the next version of a list. */
function regenerationCost({ regenerateMs, zlibMs }: Regeneration): number {
  return regenerateMs / zlibMs
}

/** How many times as long it takes as what cannot be spared. */
function publicationCost({ publishMs, assembleMs }: Publication): number {
  return publishMs / assembleMs
}

/** How many times as long the slowest calls take while lists are published. */
function delayOf({ calm, publishing }: TrustedListResults): number {
  return meanP99(publishing) / meanP99(calm)
}

function meanP99(results: DriverResult[]): number {
  return sum(results.map(({ latencies }) => latencies.all?.p99 ?? Number.NaN)) / results.length
}

function regenerationsOf({ revocationList, tokenList }: Regenerations): [what: string, Regeneration][] {
  return [
    ['a list', revocationList],
    ['a token status list', tokenList],
  ]
}

/** By CPU time and by rate. */
function ratios({ ours, bareKoa }: ComparedReads): [number, number] {
  return [ours.perCpuSecond / bareKoa.perCpuSecond, ours.perSecond / bareKoa.perSecond]
}

function besideKoa(reads: ComparedReads): string {
  const [byCpu, byRate] = ratios(reads)
  return `${byCpu.toFixed(2)} by CPU, ${byRate.toFixed(2)} by rate`
}

function readsName({ bytes, isUnchanged }: ComparedReads): string {
  return `reads of ${(bytes / 1000).toFixed(1)} kB${isUnchanged ? ', known' : ''}`
}

function verdicts(results: Results): Row[] {
  const { flows, webhooks } = results
  const revocableCost = costBesideOthers(results.revocable)
  const mdocRate = 1 / costBesideOthers(results.mobile.besideCompact)
  const row = (what: string, values: string, isMet: boolean) => ({
    what: `target: ${what}: ${values} ${isMet ? 'MET' : 'MISSED'}`,
  })
  const atLeast = (what: string, value: number, target: number) =>
    row(what, `${value.toFixed(0)} of ${target.toFixed(0)}`, value >= target)
  const atEight = flows.find(({ concurrency }) => concurrency === 8)
  const p99 = atEight?.value.latencies.credential?.p99
  return [
    ...flows
      .filter(({ concurrency }) => concurrency > 1)
      .map(({ name, count, cpu, koa }) =>
        atLeast(`${name}, per CPU second`, count / totalSeconds(cpu), 600 / slower(koa)),
      ),
    row('a revocable flow’s cost', `${revocableCost.toFixed(2)} of 1.10`, revocableCost <= 1.1),
    row('mdocs per CPU second beside compact', `${mdocRate.toFixed(2)} of 0.60`, mdocRate >= 0.6),
    row(
      'p99 from a revocation to its list',
      `${(results.status.untilPublished.p99 / 1000).toFixed(1)} of 2 s`,
      results.status.untilPublished.p99 <= 2_000,
    ),
    ...regenerationsOf(results.status.regenerations).map(([what, each]) =>
      row(
        `regeneration of ${what} beside zlib`,
        `${regenerationCost(each).toFixed(2)} of 3.00`,
        regenerationCost(each) <= 3,
      ),
    ),
    ...results.status.reads.map((reads) =>
      row(`${readsName(reads)} beside bare Koa`, `${besideKoa(reads)} of 0.60`, Math.min(...ratios(reads)) >= 0.6),
    ),
    ...results.trustedLists.publications.map((each) =>
      row(
        `publishing ${each.count} certificates beside assembling them`,
        `${publicationCost(each).toFixed(2)} of 2.00`,
        publicationCost(each) <= 2,
      ),
    ),
    ...results.trustedLists.reads.map((reads) =>
      row(
        `VICAL ${readsName(reads)} beside bare Koa`,
        `${besideKoa(reads)} of 0.60`,
        Math.min(...ratios(reads)) >= 0.6,
      ),
    ),
    row(
      'p99 of calls while lists are published',
      `${delayOf(results.trustedLists).toFixed(2)} of 1.20`,
      delayOf(results.trustedLists) <= 1.2,
    ),
    atLeast('webhooks per CPU second', deliveriesPerCpuSecond(results), 2500 / slower(webhooks.koa)),
    ...(atEight === undefined || p99 === undefined
      ? []
      : [
          row(
            'p99 of the credential call at 8',
            `${p99.toFixed(1)} of ${(30 * slower(atEight.koa)).toFixed(1)} ms`,
            p99 < 30 * slower(atEight.koa),
          ),
        ]),
  ]
}

/** How many times slower this machine is than the one for which the targets are: 60,000 bare Koa requests on one core. */
function slower(koa: Rate): number {
  return 60_000 / koa.perCpuSecond
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
    row('limit: X25519 agreements', limits.x25519),
    row('limit: SQLite inserts, each on disk', limits.sqliteInserts),
  ]
}

function flowRows({ name, count, cpu, value, koa }: Beside<Phase>): Row[] {
  const perCpuSecond = count / totalSeconds(cpu)
  const perStep = steps
    .filter((step) => value.latencies[step])
    .map((step) => ({ what: `  ${step}`, ...value.latencies[step] }))
  return [
    { what: name, perSecond: count / value.seconds, perCpuSecond, note: costNote(perCpuSecond, koa) },
    ...perStep,
    { what: `  CPU: ${shares(cpu, count)}` },
  ]
}

function mobileRows({ besideCompact, portrait, memoryBefore, memoryAfter }: MobileResults): Row[] {
  const plain = besideCompact.chosen.map(({ name, count, cpu, seconds, value }) => ({
    what: name,
    perSecond: count / seconds,
    perCpuSecond: count / totalSeconds(cpu),
    ...value.latencies.credential,
  }))
  const { name, count, cpu, seconds, value } = portrait
  return [
    ...plain,
    { what: name, perSecond: count / seconds, perCpuSecond: count / totalSeconds(cpu), ...value.latencies.credential },
    { what: `  memory before: ${memoryText(memoryBefore)}` },
    { what: `  memory after:  ${memoryText(memoryAfter)}` },
  ]
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
      note: `${publicationCost(each).toFixed(2)} times the ${each.assembleMs.toFixed(1)} ms of assembling them`,
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

/** What one costs, counted in what has to be done for it at least: two agreements, or a signature. */
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

/** What one costs, counted in requests of a bare Koa route. */
function costNote(perCpuSecond: number, koa: Rate): string {
  return `1 costs ${(koa.perCpuSecond / perCpuSecond).toFixed(1)} bare Koa requests`
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
    const whole = (value = Number.NaN) => (Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en'))
    const ms = (value?: number) => (value === undefined ? '' : value.toFixed(1))
    const isText = perSecond === undefined && p50 === undefined
    console.log(isText ? what : line([what, whole(perSecond), whole(perCpuSecond), ms(p50), ms(p95), ms(p99), note]))
  }
}

function line([what = '', ...cells]: string[]): string {
  const note = cells.pop() ?? ''
  return `${what.padEnd(40)}${cells.map((cell) => cell.padStart(11)).join('')}  ${note}`.trimEnd()
}
