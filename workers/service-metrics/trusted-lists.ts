import { Gauge } from 'prom-client'
import { findTrustedListStanding } from '../../db/repos/ecosystems/standing-of-trusted-lists.ts'
import { plusMs } from '../../shared/clock.ts'
import type { TrustedListKind } from '../../shared/formats/trusted-lists/kinds.ts'
import type { WorkerDeps } from '../handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const gaugeOf = (what: string, help: string) =>
  new Gauge({
    name: `trustwright_trusted_lists_${what}`,
    help,
    labelNames: ['kind'] as const,
    registers: [serviceMetricsRegistry],
  })

const gauges = {
  published: gaugeOf('published', 'Trusted lists of the whole service that were published so far, deleted ones too.'),
  due: gaugeOf(
    'due',
    'Ecosystems whose next trusted list is to be published by itself now, and waits; for minutes at most.',
  ),
  failing: gaugeOf('failing', 'Ecosystems whose trusted list was to be published by itself, and could not be.'),
  ending: gaugeOf(
    'ending',
    'Ecosystems whose last trusted list has a nextUpdate that is less than 14 days away, or over.',
  ),
}

const kinds: TrustedListKind[] = ['vical', 'rical']
const warnedBeforeMs = 14 * 24 * 3_600_000

/** Looks at the database; where that is away, the metrics say nothing of trusted lists. */
export async function measureTrustedLists({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  const at = clock.now()
  const standing = await findTrustedListStanding(db.read, at, plusMs(at, warnedBeforeMs)).catch(() => undefined)
  for (const what of ['published', 'due', 'failing', 'ending'] as const) {
    gauges[what].reset()
    if (standing) for (const kind of kinds) gauges[what].set({ kind }, standing[what][kind] ?? 0)
  }
}
