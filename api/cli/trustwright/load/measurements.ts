import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

const loadSteps = ['metadata', 'offer', 'token', 'nonce', 'credential', 'deferred', 'notification'] as const
export type LoadStep = (typeof loadSteps)[number]

/** Times in milliseconds. */
export interface StepTimes {
  count: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
}

export interface LoadError {
  step: LoadStep
  /** The HTTP status. Absent without a response. */
  status?: number
  reason: string
  count: number
}

/** More kinds of errors than these are counted as one kind. */
const maxKinds = 30
const longestMs = 600_000

/** Counts credentials, errors and the times of steps. Its memory does not grow with the number of requests. */
export interface Measurements {
  /** Records a successful step. */
  succeed(step: LoadStep, ms: number): void
  /** Records a failed step. */
  fail(error: Omit<LoadError, 'count'>): void
  /** Records a credential, with the time from its offer on. */
  collect(ms: number): void
  credentials(): number
  errorCount(): number
  errors(): LoadError[]
  stepTimes(): Partial<Record<LoadStep, StepTimes>>
  /** The times of all steps of a credential together. */
  totalTimes(): StepTimes
}

export function createMeasurements(): Measurements {
  const histograms = new Map<LoadStep, RecordableHistogram>()
  const total = newHistogram()
  const errors = new Map<string, LoadError>()
  let errorCount = 0

  return {
    succeed(step, ms) {
      const histogram = histograms.get(step) ?? newHistogram()
      histograms.set(step, histogram)
      record(histogram, ms)
    },
    fail(error) {
      errorCount++
      const kind = [error.step, error.status, error.reason].join(' ')
      const isOther = !errors.has(kind) && errors.size >= maxKinds
      const key = isOther ? 'other' : kind
      const entry = errors.get(key)
      if (entry) entry.count++
      else errors.set(key, isOther ? { step: error.step, reason: 'other errors', count: 1 } : { ...error, count: 1 })
    },
    collect: (ms) => record(total, ms),
    credentials: () => total.count,
    errorCount: () => errorCount,
    errors: () => [...errors.values()].sort((a, b) => b.count - a.count),
    stepTimes: () =>
      Object.fromEntries(
        loadSteps.flatMap((step) => {
          const histogram = histograms.get(step)
          return histogram ? [[step, timesOf(histogram)]] : []
        }),
      ),
    totalTimes: () => timesOf(total),
  }
}

/** The unit of histograms is 1 µs, because they store whole numbers. */
const newHistogram = () => createHistogram({ lowest: 1, highest: longestMs * 1000, figures: 2 })

function record(histogram: RecordableHistogram, ms: number): void {
  histogram.record(Math.min(longestMs * 1000, Math.max(1, Math.round(ms * 1000))))
}

function timesOf(histogram: RecordableHistogram): StepTimes {
  const percentile = (percent: number) => (histogram.count === 0 ? 0 : histogram.percentile(percent) / 1000)
  return { count: histogram.count, p50Ms: percentile(50), p95Ms: percentile(95), p99Ms: percentile(99) }
}
