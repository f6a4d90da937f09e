import { createThreads, type Threads } from '../../../shared/threads/threads.ts'
import type { ListToCompare } from './content-thread.ts'

/** The worker threads that read the certificates or the changes of lists. */
export type ListReader = Threads<ListToCompare, Uint8Array>

export function createListReader(): ListReader {
  const file = new URL('./content-thread.ts', import.meta.url)
  return createThreads({ file, cpuMs: 5_000, withinMs: 20_000, isKept: true, maxWaiting: 40 })
}
