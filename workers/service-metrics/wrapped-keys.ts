import { Gauge } from 'prom-client'
import { countWrapped } from '../../db/repos/identifiers/key-wrapping.ts'
import type { WorkerDeps } from '../handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const wrapped = new Gauge({
  name: 'trustwright_wrapped_keys',
  help: 'Private keys of the service, by the key-encryption key that wraps them; signing processes log the names of theirs. 100000 means so many or more.',
  labelNames: ['key_encryption_key'] as const,
  registers: [serviceMetricsRegistry],
})

/** Looks at the database; where that is away, the metrics say nothing of keys. */
export async function measureWrapping({ db }: Pick<WorkerDeps, 'db'>): Promise<void> {
  try {
    const counts = await countWrapped(db.read)
    wrapped.reset()
    for (const { name, count } of counts) wrapped.set({ key_encryption_key: name ?? 'unknown' }, count)
  } catch {
    wrapped.reset()
  }
}
