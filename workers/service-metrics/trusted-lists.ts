import { Gauge } from 'prom-client'
import { findTrustedListTotals } from '../../db/repos/ecosystems/trusted-list-totals.ts'
import { plusMs } from '../../shared/clock.ts'
import { listKinds } from '../../shared/domain/ecosystems/list-kinds.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const gaugeOf = (what: string, help: string) =>
  new Gauge({
    name: `trustwright_trusted_lists_${what}`,
    help,
    labelNames: ['kind'] as const,
    registers: [serviceMetricsRegistry],
  })

const gauges = {
  published: gaugeOf('published', 'Published trusted lists, including deleted ones.'),
  due: gaugeOf('due', 'Ecosystems whose automatic publication of a trusted list is due. Above 0 for minutes at most.'),
  failing: gaugeOf('failing', 'Ecosystems whose automatic publication of a trusted list failed.'),
  ending: gaugeOf('ending', 'Ecosystems whose last trusted list has a nextUpdate within 14 days or in the past.'),
}

const warnedBeforeMs = 14 * 24 * 3_600_000

/** Measures the metrics of trusted lists. They are left out if the database is unavailable. */
export async function measureTrustedLists({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  const at = clock.now()
  const totals = await findTrustedListTotals(db.read, at, plusMs(at, warnedBeforeMs)).catch(() => undefined)
  for (const what of ['published', 'due', 'failing', 'ending'] as const) {
    gauges[what].reset()
    if (totals) for (const kind of listKinds) gauges[what].set({ kind }, totals[what][kind] ?? 0)
  }
}
