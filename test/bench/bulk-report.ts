import type { BulkPhase, BulkResults } from './bulk.ts'
import { totalSeconds } from './cpu.ts'
import type { DriverResult } from './driver-jobs.ts'
import { slower, verdict } from './flow-verdicts.ts'
import type { Limits } from './limits.ts'
import type { BenchDatabase } from './options.ts'
import type { Row } from './rows.ts'

export function bulkRows({ validation, signed, links, calm, beside }: BulkResults, { koa, ed25519 }: Limits): Row[] {
  const phase = ({ name, count, seconds, cpu }: BulkPhase): Row => {
    const perCpuSecond = count / totalSeconds(cpu)
    const times = (limit: { perCpuSecond: number }) => (limit.perCpuSecond / perCpuSecond).toFixed(1)
    const note = `1 costs ${times(koa)} bare Koa requests, or ${times(ed25519)} signatures of Ed25519`
    return { what: name, perSecond: count / seconds, perCpuSecond, note }
  }
  const calls = (what: string, results: DriverResult[]) =>
    results.map(({ count, seconds, latencies }) => ({ what, perSecond: count / seconds, ...latencies.credential }))
  return [
    ...[validation, signed, links].map(phase),
    ...calls('credential calls of a person, idle', calm),
    ...calls('credential calls beside a bulk issuance', beside),
  ]
}

/** The rows per second that two cores of the reference machine issue. */
const targets = { sqlite: { signed: 1_500, links: 3_000 }, postgres: { signed: 1_000, links: 2_000 } }

export function bulkVerdicts(database: BenchDatabase, results: BulkResults, { koa }: Limits): Row[] {
  const delay = p99Of(results.beside) / p99Of(results.calm)
  const atLeast = (what: string, { count, seconds }: BulkPhase, onReference: number) => {
    const [value, target] = [count / seconds, onReference / slower(koa)]
    return verdict(what, `${value.toFixed(0)} of ${target.toFixed(0)}`, value >= target)
  }
  return [
    atLeast('rows signed per second', results.signed, targets[database].signed),
    atLeast('claim links per second', results.links, targets[database].links),
    verdict('p99 of credential calls beside a bulk issuance', `${delay.toFixed(2)} of 2.00`, delay <= 2),
  ]
}

/** The lower of two turns, because the load of the machine spoils some of them. */
function p99Of(results: DriverResult[]): number {
  return Math.min(...results.map(({ latencies }) => latencies.credential?.p99 ?? Number.NaN))
}
