import type { FailReason } from '../../shared/domain/ecosystems/integrations.ts'
import type { Outbound } from '../../shared/outbound/outbound.ts'
import { createThreads, type Threads } from '../../shared/threads/threads.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import type { GoodList, ListToVerify } from './external-list.ts'
import type { readIntegratedList } from './read-integrated-list.ts'

/** Threads that read lists. A list can be large or malicious, so the jobs of this process do not read it. */
export type ListThreads = Pick<Threads<ListToVerify, ReturnType<typeof readIntegratedList>>, 'run'>

export interface IntegrationDeps extends WorkerDeps {
  outbound: Outbound
  lists: ListThreads
}

/** The outcome of one fetch. */
export type SyncOutcome = { list: GoodList; etag?: string } | { isUnchanged: true } | { failed: FailReason }

export function createListThreads(): ListThreads {
  const file = new URL('./thread.ts', import.meta.url)
  return createThreads({ file, cpuMs: 20_000, withinMs: 100_000, isKept: false, maxWaiting: 20 })
}
