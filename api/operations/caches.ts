import { LRUCache } from 'lru-cache'

export interface OperationsCaches {
  /** The tables whose expired rows are purged too late, under one key. Readiness checks share one query in 30 s. */
  latePurges: LRUCache<'all', Promise<string[]>>
}

const latePurgesTtlMs = 30_000

export function createOperationsCaches(): OperationsCaches {
  return { latePurges: new LRUCache({ max: 1, ttl: latePurgesTtlMs }) }
}
