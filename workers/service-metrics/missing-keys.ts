import { Gauge } from 'prom-client'
import { listKeyComparisons } from '../../db/repos/identifiers/key-comparisons.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const missing = new Gauge({
  name: 'trustwright_missing_private_keys',
  help: 'Keys whose private key their provider did not have in the last comparison, by provider. Left out without a provider besides the software.',
  labelNames: ['provider'] as const,
  registers: [serviceMetricsRegistry],
})

/** Measures the missing private keys. They are left out if the database is unavailable. */
export async function measureMissingKeys({ db }: Pick<WorkerDeps, 'db'>): Promise<void> {
  try {
    const comparisons = await listKeyComparisons(db.read)
    missing.reset()
    for (const { provider, missingCount } of comparisons) missing.set({ provider }, missingCount)
  } catch {
    missing.reset()
  }
}
