import { compare, type Subject } from './against.ts'
import type { BenchOptions } from './options.ts'

/** Variants of this version. A preloaded module patches a dependency. The service has no switch for this. */
const variants: Subject[] = [
  { name: 'no webhook', webhook: false },
  { name: 'no flush in SQLite', preload: './ablations/no-flush.ts' },
  { name: 'no analytics events', preload: './ablations/no-events.ts' },
  { name: 'no checks by zod', preload: './ablations/no-zod.ts' },
  { name: 'no log', env: { LOG_LEVEL: 'silent' } },
]

/**
 * Measures what parts of the service cost (`--ablate`): all variants run beside the complete service and work in turns, so that other work
 * on the machine meets all. The difference of the microseconds for each flow is the cost of the part that the variant lacks.
 */
export async function ablate(options: BenchOptions): Promise<void> {
  const subjects = variants.map((each) => ({ ...each, fromSources: true }))
  await compare(subjects, { name: 'complete', fromSources: true }, options)
}
