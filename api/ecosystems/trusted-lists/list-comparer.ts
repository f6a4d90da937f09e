import { createThreads, type Threads } from '../../../shared/threads.ts'
import type { ListsToCompare } from './changes-thread.ts'

/** What has changed between two lists, in JSON: read beside the requests of this process. */
export type ListComparer = Threads<ListsToCompare, Uint8Array>

export function createListComparer(): ListComparer {
  const file = new URL('./changes-thread.ts', import.meta.url)
  return createThreads({ file, withinMs: 5_000, isKept: true, line: 40 })
}
