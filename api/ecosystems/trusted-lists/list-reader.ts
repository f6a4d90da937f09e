import { createThreads, type Threads } from '../../../shared/threads/threads.ts'
import { bindThreads, defineService } from '../../process/services.ts'
import type { ListToCompare } from './content-thread.ts'

const file = new URL('./content-thread.ts', import.meta.url)

/** The worker threads that read the certificates or the changes of lists. */
export const listReader = defineService<Threads<ListToCompare, Uint8Array>>('listReader', {
  create: () => createThreads({ file, cpuMs: 5_000, withinMs: 20_000, isKept: true, maxWaiting: 40 }),
  bind: bindThreads,
})
