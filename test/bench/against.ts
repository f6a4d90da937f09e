import { setTimeout as sleep } from 'node:timers/promises'
import { makeTokenFolder } from '../harness/softhsm.ts'
import { rowPhases } from './bulk.ts'
import { checkOut } from './checkout.ts'
import { startChild } from './child.ts'
import { type CpuTimes, residentMegabytes, totalSeconds } from './cpu.ts'
import { countsPerFlow, countsText, type DatabaseCounts, readDatabaseCounts } from './database-counts.ts'
import type { DriverResult } from './driver-jobs.ts'
import { type Bench, createBench, type LoadOptions } from './measure.ts'
import type { BenchDatabase, BenchOptions } from './options.ts'
import { flowsPhase, managementPhases, type Phase, revocableOf, warmUp, webhooksPhase } from './phases.ts'
import { moveToCores } from './pinned.ts'
import { median, quartiles } from './results.ts'
import { type StackOptions, startStack } from './stack.ts'
import { revocationsPhase } from './status.ts'

/** The cost of one turn, by the name of the work. */
type Turn = Map<string, Cost>

interface Cost {
  count: number
  cpu: CpuTimes
  /** Seconds until the last answer. */
  seconds: number
  /** Milliseconds. Only flows have it. */
  credentialP50: number | undefined
}

/** `seconds` counts for work without `value`. */
interface ComparedPhase extends Pick<Phase, 'name' | 'count' | 'cpu' | 'seconds'> {
  value?: Pick<DriverResult, 'latencies' | 'seconds'> | undefined
}

const noCost: Cost = { count: 0, cpu: {}, seconds: 0, credentialP50: undefined }

interface Version {
  name: string
  bench: Bench
  turns: Turn[]
  /** Of PostgreSQL, for each flow, call and webhook of all turns. */
  counts?: DatabaseCounts
}

/**
 * Compares this version with that of a commit (`--against REF`). Both run at the same time on the same cores, and work in turns, so that
 * other work on the machine meets both. Prints the medians of the turns, and the quartiles of their ratios. Many short turns (`--turns 40
 * --flows 200`) show small differences on a machine whose speed changes.
 */
export async function compareVersions(ref: string, options: BenchOptions): Promise<void> {
  using checkout = checkOut(ref)
  await compare([{ name: 'this version' }], { name: ref, root: checkout.root }, options)
}

/**
 * Compares this version that records each trace with the same version without tracing. Exports end within the measured time. The receiver
 * runs on the core of the load, because that of an installation runs on another machine.
 */
export async function compareTraced(options: BenchOptions): Promise<void> {
  if (options.pinned) moveToCores('1')
  const receiver = await startChild('./sink.ts')
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiver.greeting}`, OTEL_BSP_SCHEDULE_DELAY: '2000' }
  const settleMs = 2_500
  await compare([{ name: 'traced', env, settleMs }], { name: 'not traced', settleMs }, options)
  receiver.stop()
}

/** Compares wallets that collect through a view with wallets that collect at the tenant itself. */
export async function compareViews(options: BenchOptions): Promise<void> {
  await compare([{ name: 'view', isThroughView: true }], { name: 'tenant' }, options)
}

/** Compares queues in the database with queues in Redis: flows, and unless `--flows-only` webhooks, revocations and `--rest` seconds without work. */
export async function compareQueues(options: BenchOptions): Promise<void> {
  await compare([{ name: 'database', queueIn: 'database' }], { name: 'Redis' }, options)
}

/** Compares keys in a token of SoftHSM2 with keys in the database. The process of its library counts as part of the signing process. */
export async function compareKeys(options: BenchOptions): Promise<void> {
  using token = makeTokenFolder('bench')
  const env = { KEY_PROVIDER: 'pkcs11', ...token.env }
  await compare([{ name: 'token', env }], { name: 'database' }, options)
}

/** What runs in a comparison: a version, or this version with other settings. */
export interface Subject
  extends Pick<StackOptions, 'root' | 'env' | 'queueIn' | 'preload' | 'fromSources'>,
    LoadOptions {
  name: string
}

/** Compares each subject with the reference. All run at the same time and work in turns. */
export async function compare(subjects: Subject[], reference: Subject, options: BenchOptions): Promise<void> {
  for (const database of options.databases) {
    await using running = new AsyncDisposableStack()
    const start = async ({
      name,
      webhook = options.webhook,
      settleMs,
      isThroughView,
      ...how
    }: Subject): Promise<Version> => {
      if (options.pinned) moveToCores('0')
      const stack = running.adopt(await startStack(database, how), (each) => each.stop())
      if (options.pinned) moveToCores('1')
      const bench = running.adopt(await createBench(stack, { webhook, settleMs, isThroughView }), (each) =>
        each.close(),
      )
      return { name, bench, turns: [] }
    }
    const versions: Version[] = []
    for (const subject of [...subjects, reference]) versions.push(await start(subject))
    for (const { bench } of versions) await warmUp(bench, options)
    const countsBefore = await Promise.all(versions.map(readCounts))
    for (let turn = 0; turn < options.turns; turn++) {
      console.error(`... ${database}, turn ${turn + 1} of ${options.turns}`)
      // The last of a turn can be slower or faster only because it is the last.
      const first = turn % versions.length
      const order = [...versions.slice(first), ...versions.slice(0, first)]
      for (const { bench, turns } of order) turns.push(await measureTurn(bench, options))
    }
    await Promise.all(versions.map((version, index) => countTurns(version, countsBefore[index])))
    const compared = versions.pop()
    if (compared) for (const version of versions) printComparison(database, version, compared)
  }
}

const readCounts = ({ bench }: Version) => readDatabaseCounts(bench.stack.databaseUrl)

async function countTurns(version: Version, before: DatabaseCounts | undefined): Promise<void> {
  const after = await readCounts(version)
  const work = version.turns.flatMap((turn) => [...turn.values()]).reduce((sum, { count }) => sum + count, 0)
  if (before && after) version.counts = countsPerFlow(before, after, work)
}

async function measureTurn(bench: Bench, options: BenchOptions): Promise<Turn> {
  const phases = options.bulkOnly ? Object.values(await rowPhases(bench, options)) : await turnPhases(bench, options)
  return new Map(
    phases.map(({ name, count, cpu, value, seconds }) => {
      const credentialP50 = value?.latencies.credential?.p50
      return [name, { count, cpu, seconds: value?.seconds ?? seconds, credentialP50 }]
    }),
  )
}

async function turnPhases(bench: Bench, options: BenchOptions): Promise<ComparedPhase[]> {
  const phases: ComparedPhase[] = []
  for (const concurrency of options.concurrencies)
    phases.push(await flowsPhase(bench, options.flows, concurrency, options.withinMs))
  if (options.queues && !options.flowsOnly) phases.push(...(await queuePhases(bench, options)))
  if (!options.queues && !options.flowsOnly) {
    for (const flow of ['DPoP', 'authorization code'] as const)
      phases.push(await flowsPhase(bench, options.flows, 8, options.withinMs, { flow }))
    phases.push(...(await managementPhases(bench, options.managementCalls)))
    phases.push({ name: 'webhooks', ...(await webhooksPhase(bench, options.deliveries)) })
  }
  return phases
}

/** Measures the work that queues do beside flows, and processes without work. */
async function queuePhases(bench: Bench, options: BenchOptions) {
  const webhooks = { name: 'webhooks', ...(await webhooksPhase(bench, options.deliveries)) }
  await flowsPhase(bench, options.revocations, 8, options.withinMs, { content: revocableOf(bench) })
  const { revocations } = await revocationsPhase(bench, options.revocations, 0)
  const idleSeconds = options.restMs / 1_000
  const idle = await bench.measure(() => sleep(options.restMs).then(() => undefined))
  return [
    webhooks,
    { name: 'revocations', ...revocations },
    { name: 'seconds without work', count: idleSeconds, ...idle },
  ]
}

function printComparison(database: BenchDatabase, current: Version, other: Version): void {
  console.log(`\nOn ${database}: medians of ${current.turns.length} turns`)
  printRow('', current.name, other.name.slice(0, 12), 'ratio', 'quartiles')
  for (const [name, { cpu, credentialP50 }] of current.turns[0] ?? []) {
    const compare = (label: string, digits: number, measure: (each: Cost) => number) => {
      const [ours, theirs] = [current, other].map(({ turns }) => turns.map((turn) => measure(turn.get(name) ?? noCost)))
      printRatios(label, digits, ours ?? [], theirs ?? [])
    }
    compare(`${name}, per CPU second`, 0, ({ count, cpu }) => count / totalSeconds(cpu))
    compare('  per second', 0, ({ count, seconds }) => count / seconds)
    if (credentialP50 !== undefined)
      compare('  milliseconds of the credential call (p50)', 1, (each) => each.credentialP50 ?? Number.NaN)
    compare('  microseconds of all processes', 0, ({ count, cpu }) => (1e6 * totalSeconds(cpu)) / count)
    for (const process of Object.keys(cpu))
      compare(`  milliseconds of ${process}`, 2, (each) => (1000 * totalSeconds(each.cpu, [process])) / each.count)
  }
  for (const { name, counts } of [current, other])
    if (counts) console.log(`PostgreSQL of ${name}, for each flow, call and webhook: ${countsText(counts)}`)
  for (const { name, bench } of [current, other]) {
    const megabytes = Object.entries(residentMegabytes(bench.stack.pids))
    console.log(
      `memory of ${name}: ${megabytes.map(([process, size]) => `${process} ${size.toFixed(0)} MB`).join(', ')}`,
    )
  }
}

function printRatios(label: string, digits: number, ours: number[], theirs: number[]): void {
  const ratios = ours.map((value, turn) => value / (theirs[turn] ?? Number.NaN))
  const [low, high] = quartiles(ratios)
  const numbers = [median(ours).toFixed(digits), median(theirs).toFixed(digits), median(ratios).toFixed(2)]
  printRow(label, ...numbers, `${low.toFixed(2)}, ${high.toFixed(2)}`)
}

function printRow(...texts: string[]): void {
  console.log(texts.map((text, at) => text.padEnd(at === 0 ? 44 : 16)).join(''))
}
