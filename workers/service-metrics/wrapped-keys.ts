import { Gauge } from 'prom-client'
import { countWrapped } from '../../db/repos/identifiers/key-wrapping.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const wrapped = new Gauge({
  name: 'trustwright_wrapped_keys',
  help: 'Private keys by the name of the key-encryption key that wraps them. Signing processes log the names of their keys. The maximum is 100000 each.',
  labelNames: ['key_encryption_key'] as const,
  registers: [serviceMetricsRegistry],
})

/** Measures the metrics of wrapped keys. They are left out if the database is unavailable. */
export async function measureWrapping({ db }: Pick<WorkerDeps, 'db'>): Promise<void> {
  try {
    const counts = await countWrapped(db.read)
    wrapped.reset()
    for (const { name, count } of counts) wrapped.set({ key_encryption_key: name ?? 'unknown' }, count)
  } catch {
    wrapped.reset()
  }
}
