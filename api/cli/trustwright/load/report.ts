import { countOf } from '../count-of.ts'
import type { LoadError, LoadStep, Measurements, StepTimes } from './measurements.ts'

/** The result of a load test. */
export interface LoadReport {
  wallets: number
  seconds: number
  credentials: number
  credentialsPerSecond: number
  steps: Partial<Record<LoadStep, StepTimes>>
  /** The times of all steps of a credential together. */
  total: StepTimes
  errors: LoadError[]
  /** The causes that limited the test, as sentences. */
  limits: string[]
}

/** The settings of the limits that answer 429, by step. */
const limitSettings: Partial<Record<LoadStep, [setting: string, member: string]>> = {
  offer: ['LIMIT_MANAGEMENT_WRITES_PER_MINUTE', 'managementWritesPerMinute'],
  credential: ['LIMIT_ISSUANCES_PER_MINUTE', 'issuancesPerMinute'],
}
const limitOfAddress = ['LIMIT_ANONYMOUS_PER_MINUTE', 'anonymousPerMinute'] as const

/** The part of a test in which this program ran without a pause. Above it, measured times contain waits of this program. */
const busyShare = 0.8

interface Run {
  wallets: number
  seconds: number
  /** The part of the time in which this program ran, from 0 to 1. */
  busy: number
}

export function reportOf(measurements: Measurements, { wallets, seconds, busy }: Run): LoadReport {
  const credentials = measurements.credentials()
  const errors = measurements.errors()
  return {
    ...{ wallets, seconds, credentials },
    credentialsPerSecond: seconds > 0 ? credentials / seconds : 0,
    steps: measurements.stepTimes(),
    total: measurements.totalTimes(),
    errors,
    limits: limitsOf(errors, busy),
  }
}

function limitsOf(errors: readonly LoadError[], busy: number): string[] {
  const limited = errors.filter(({ status }) => status === 429)
  const overloads = errors.filter(({ status }) => status === 503)
  const sentences = limited.map(({ step, count }) => {
    const [setting, member] = limitSettings[step] ?? limitOfAddress
    return `A rate limit refused the step ${step} ${countOf(count, 'time')}: ${setting}, or limits.${member} of the tenant`
  })
  const late = overloads.reduce((sum, { count }) => sum + count, 0)
  if (late > 0)
    sentences.push(
      `The service was too busy for ${countOf(late, 'request')} (503): add processes or processors, or expect fewer wallets`,
    )
  if (busy > busyShare)
    sentences.push(
      `This program was busy for ${Math.round(busy * 100)} % of the time, so that the measured times are too long: use fewer wallets, or several machines`,
    )
  return sentences
}

/** Returns the report as text: the rate, a table of the times, the errors and the limits. */
export function textOfReport({ wallets, seconds, credentials, ...report }: LoadReport): string {
  const rate = report.credentialsPerSecond.toFixed(1)
  const rows = [...Object.entries(report.steps), ['all steps', report.total] as const]
  const cell = (value: string | number) => String(value).padStart(9)
  const line = (name: string, cells: (string | number)[]) => `${name.padEnd(14)}${cells.map(cell).join('')}`
  const times = rows.map(([name, { count, p50Ms, p95Ms, p99Ms }]) =>
    line(name, [count, ...[p50Ms, p95Ms, p99Ms].map((ms) => (ms < 10 ? ms.toFixed(1) : Math.round(ms)))]),
  )
  const errors = report.errors.map(
    ({ step, status, reason, count }) => `  ${count} at ${step}: ${[status, reason].filter(Boolean).join(' ')}`,
  )
  return [
    `${countOf(credentials, 'credential')} in ${seconds.toFixed(1)} s with ${countOf(wallets, 'wallet')}: ${rate} per second`,
    '',
    line('Step', ['number', 'p50 ms', 'p95 ms', 'p99 ms']),
    ...times,
    '',
    ...(errors.length === 0 ? ['No errors'] : ['Errors:', ...errors]),
    ...(report.limits.length === 0 ? [] : ['What limited the test:', ...report.limits.map((text) => `  ${text}`)]),
  ].join('\n')
}
