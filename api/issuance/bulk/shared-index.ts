import type { LRUCache } from 'lru-cache'
import { Problem } from '../../../shared/errors/errors.ts'
import type { ResultIndex } from './result-parts.ts'

/** An index that is made once for all requests that wait for it. */
export interface SharedIndex {
  index: Promise<ResultIndex>
  isMade: boolean
  /** The number of requests that wait for it. */
  waiting: number
  /** Ends the making. */
  ending: AbortController
}

type Make = (ending: AbortSignal) => Promise<ResultIndex>

/**
 * Returns the index of a key. The first request begins to make it, and the others wait for it. The making ends when no request waits any
 * more. Throws `service_unavailable` if `closing` aborts first.
 */
export async function shareIndex(
  indexes: LRUCache<string, SharedIndex>,
  key: string,
  closing: AbortSignal,
  make: Make,
): Promise<ResultIndex> {
  const shared = indexes.get(key) ?? begin(make)
  indexes.set(key, shared)
  const { promise: closed, reject } = Promise.withResolvers<never>()
  const close = () => reject(new Problem('service_unavailable', { reason: 'The client disconnected' }))
  shared.waiting++
  closing.addEventListener('abort', close)
  if (closing.aborted) close()
  try {
    return await Promise.race([shared.index, closed])
  } finally {
    closing.removeEventListener('abort', close)
    if (--shared.waiting === 0 && !shared.isMade) {
      shared.ending.abort()
      if (indexes.get(key) === shared) indexes.delete(key)
    }
  }
}

function begin(make: Make): SharedIndex {
  const ending = new AbortController()
  const shared = { index: make(ending.signal), isMade: false, waiting: 0, ending }
  const made = () => {
    shared.isMade = true
  }
  // The requests that wait get the error.
  shared.index.then(made, () => undefined)
  return shared
}
