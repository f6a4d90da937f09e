import { LRUCache } from 'lru-cache'
import type { Deps } from './deps.ts'

/** How long another process's change may go unseen here. */
const seenForMs = 1000

/**
 * What this process read a moment ago and needs again for most requests. A second old at most; whoever changes something
 * here forgets it at once.
 */
export interface Recent<Value extends object> {
  of(deps: Deps): LRUCache<string, Value>
}

export function createRecent<Value extends object>(max: number): Recent<Value> {
  const caches = new WeakMap<Deps, LRUCache<string, Value>>()
  return {
    of(deps) {
      const cache = caches.get(deps) ?? new LRUCache({ max, ttl: seenForMs })
      caches.set(deps, cache)
      return cache
    },
  }
}
