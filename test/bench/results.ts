import type { BulkResults } from './bulk.ts'
import type { ComparedReads } from './compare-reads.ts'
import { totalSeconds } from './cpu.ts'
import type { DriverResult } from './driver-jobs.ts'
import type { FloorRates } from './floors/floors.ts'
import type { Limits, Rate } from './limits.ts'
import type { Measured } from './measure.ts'
import type { MessageResults } from './messages.ts'
import type { MobileResults } from './mobile.ts'
import type { BenchDatabase } from './options.ts'
import type { Alternated, Phase } from './phases.ts'
import type { Regeneration, Regenerations } from './regenerate.ts'
import type { StatusResults } from './status.ts'
import type { Publication, TrustedListResults } from './trusted-lists.ts'

/** A result with the rate of a bare Koa route at the same time. */
export type Beside<Result> = Result & { koa: Rate }

/** Flows of one turn, beside the floors that were measured in the same turn. */
export type FlowTurn = Beside<Phase> & { floors: FloorRates }

/** The turn with the median cost. */
export interface MiddleTurn extends FlowTurn {
  /** Flows per CPU second of each turn. */
  turns: number[]
  /** The cost of a flow divided by the cost of the process floor, of each turn. */
  besideProcessFloor: number[]
  besideMinimalIssuer: RateRatios
  /** The same for the minimal issuer that flushes each commit. */
  besideFlushingIssuer: RateRatios
}

/** The rate of flows divided by that of a floor, of each turn: by CPU time and by time. */
export interface RateRatios {
  perCpuSecond: number[]
  perSecond: number[]
}

export interface FlowResults {
  flows: MiddleTurn[]
  idle: Measured<void>
  /** Megabytes. */
  memoryBefore: Record<string, number>
}

export interface Results extends FlowResults {
  database: BenchDatabase
  limits: Limits
  /** Flows of other kinds, without targets. */
  others: Beside<Phase>[]
  revocable: Alternated
  mobile: MobileResults
  sdJwt: Alternated
  batches: Alternated
  status: StatusResults
  trustedLists: TrustedListResults
  bulk: BulkResults
  webhooks: Beside<Measured<undefined> & { count: number }>
  messages: MessageResults
  management: Beside<Phase>[]
  /** Megabytes. */
  memoryAfter: Record<string, number>
}

export function middleTurn(phases: FlowTurn[]): MiddleTurn {
  const turns = phases.map(flowsPerCpuSecond)
  const middle = phases[turns.indexOf(median(turns))]
  if (!middle) throw new Error('no turn was measured')
  return {
    ...middle,
    turns,
    besideProcessFloor: phases.map((turn) => turn.floors.processFloor.perCpuSecond / flowsPerCpuSecond(turn)),
    besideMinimalIssuer: besideIssuer(phases, 'minimalIssuer'),
    besideFlushingIssuer: besideIssuer(phases, 'flushingIssuer'),
  }
}

function besideIssuer(phases: FlowTurn[], name: 'minimalIssuer' | 'flushingIssuer'): RateRatios {
  return {
    perCpuSecond: phases.map((turn) => flowsPerCpuSecond(turn) / turn.floors[name].perCpuSecond),
    perSecond: phases.map((turn) => turn.count / turn.value.seconds / turn.floors[name].perSecond),
  }
}

/** Such as `0.72 (0.69 to 0.74)`: the median with the quartiles. */
export function spreadText(values: number[], digits = 2): string {
  const [low, high] = quartiles(values)
  return `${median(values).toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`
}

export function flowsPerCpuSecond({ count, cpu }: Phase): number {
  return count / totalSeconds(cpu)
}

/** The CPU cost of a chosen flow divided by that of the others. */
export function costBesideOthers({ chosen, others }: Alternated): number {
  const perFlow = (phases: Phase[]) =>
    sum(phases.map(({ cpu }) => totalSeconds(cpu))) / sum(phases.map(({ count }) => count))
  return perFlow(chosen) / perFlow(others)
}

export function sum(values: number[]): number {
  return values.reduce((total, each) => total + each, 0)
}

export function deliveriesPerCpuSecond({ webhooks }: Results): number {
  return webhooks.count / totalSeconds(webhooks.cpu, ['worker', 'signing', 'redis'])
}

/** The time for the next version of a list divided by that of zlib. */
export function regenerationCost({ regenerateMs, zlibMs }: Regeneration): number {
  return regenerateMs / zlibMs
}

/** The time to publish divided by the time to assemble, which cannot be avoided. */
export function publicationCost({ publishMs, assembleMs }: Publication): number {
  return publishMs / assembleMs
}

/** The p99 of calls during publications divided by the p99 without them. */
export function delayOf({ calm }: TrustedListResults, publishing: DriverResult[]): number {
  return medianP99(publishing) / medianP99(calm)
}

function medianP99(results: DriverResult[]): number {
  return median(results.map(({ latencies }) => latencies.all?.p99 ?? Number.NaN))
}

/** The median of turns, because the load of the machine spoils some of them. */
export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/** The values below which a quarter and three quarters of the values are. */
export function quartiles(values: number[]): [number, number] {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))] ?? Number.NaN
  return [at(0.25), at(0.75)]
}

export function regenerationsOf({ revocationList, tokenList }: Regenerations): [what: string, Regeneration][] {
  return [
    ['a list', revocationList],
    ['a token status list', tokenList],
  ]
}

/** The ratios by CPU time and by rate. */
export function ratios({ ours, bareKoa }: ComparedReads): [number, number] {
  return [ours.perCpuSecond / bareKoa.perCpuSecond, ours.perSecond / bareKoa.perSecond]
}

export function besideKoa(reads: ComparedReads): string {
  const [byCpu, byRate] = ratios(reads)
  return `${byCpu.toFixed(2)} by CPU, ${byRate.toFixed(2)} by rate`
}

export function readsName({ bytes, isUnchanged }: ComparedReads): string {
  return `reads of ${(bytes / 1000).toFixed(1)} kB${isUnchanged ? ', known' : ''}`
}
