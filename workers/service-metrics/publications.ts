import { Gauge } from 'prom-client'
import { findAllPublicationEnds } from '../../db/repos/operations/publication-ends.ts'
import { minuteMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const validFor = new Gauge({
  name: 'trustwright_published_valid_seconds',
  help: 'The shortest remaining validity of the published documents, by kind. Below 0, verifiers refuse a document. Kinds without documents are left out.',
  labelNames: ['kind'] as const,
  registers: [serviceMetricsRegistry],
})

/** The query reads a row of each list and authority of all tenants. */
const intervalMs = minuteMs

/** Returns a function that measures the published documents, once a minute. They are left out if the database is unavailable. */
export function createPublicationMetrics({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): () => Promise<void> {
  let measuredAt = Number.NEGATIVE_INFINITY
  let ends: Awaited<ReturnType<typeof findAllPublicationEnds>> = new Map()

  return async () => {
    const at = clock.now()
    try {
      if (Math.abs(at.getTime() - measuredAt) >= intervalMs) {
        ends = await findAllPublicationEnds(db.read, at)
        measuredAt = at.getTime()
      }
      validFor.reset()
      for (const [kind, end] of ends) validFor.set({ kind }, (end.getTime() - at.getTime()) / 1000)
    } catch {
      validFor.reset()
    }
  }
}
