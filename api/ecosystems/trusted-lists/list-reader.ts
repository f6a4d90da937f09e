import { createThreads, type Threads } from '../../../shared/threads/threads.ts'
import type { ListToCompare } from './content-thread.ts'

/** What lists have, or what has changed between two of them, in JSON: read beside the requests of this process. */
export type ListReader = Threads<ListToCompare, Uint8Array>

export function createListReader(): ListReader {
  const file = new URL('./content-thread.ts', import.meta.url)
  return createThreads({ file, cpuMs: 5_000, withinMs: 20_000, isKept: true, line: 40 })
}
