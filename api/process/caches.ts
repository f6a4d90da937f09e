import { LRUCache } from 'lru-cache'

/** Describes a cache of the web process. The file that fills the cache defines it. */
export interface CacheDefinition<Key extends {}, Value extends {}, Context = unknown> {
  /** Unique among all caches. */
  name: string
  options: LRUCache.Options<Key, Value, Context>
  /** Whether the keys are ids of tenants, whose entries `forgetTenant` deletes. */
  isByTenant: boolean
}

/** The caches of one web process. */
export interface Caches {
  /** Returns the cache of a definition. The first call creates it. */
  of<Key extends {}, Value extends {}, Context>(
    definition: CacheDefinition<Key, Value, Context>,
  ): LRUCache<Key, Value, Context>
  /** Deletes the entries of a tenant from the caches by tenant, after this process changed what the tenant publishes. */
  forgetTenant(tenantId: string): void
}

/** Defines a cache, with the options of `lru-cache`. */
export function defineCache<Key extends {}, Value extends {}, Context = unknown>(
  name: string,
  options: LRUCache.Options<Key, Value, Context>,
): CacheDefinition<Key, Value, Context> {
  return { name, options, isByTenant: false }
}

/** Defines a cache of one value for each tenant, by the id of the tenant. `Caches.forgetTenant` deletes the value. */
export function defineTenantCache<Value extends {}>(
  name: string,
  options: LRUCache.Options<string, Value, unknown>,
): CacheDefinition<string, Value> {
  return { name, options, isByTenant: true }
}

export function createCaches(): Caches {
  const all = new Map<string, unknown>()
  const byTenant: Pick<LRUCache<string, object>, 'delete'>[] = []
  return {
    of<Key extends {}, Value extends {}, Context>({
      name,
      options,
      isByTenant,
    }: CacheDefinition<Key, Value, Context>): LRUCache<Key, Value, Context> {
      // Boundary: the name of a definition is unique, and the keys of a cache by tenant are texts.
      const existing = all.get(name) as LRUCache<Key, Value, Context> | undefined
      if (existing) return existing
      const cache = new LRUCache(options)
      all.set(name, cache)
      if (isByTenant) byTenant.push(cache as unknown as LRUCache<string, object>)
      return cache
    },
    forgetTenant(tenantId) {
      for (const cache of byTenant) cache.delete(tenantId)
    },
  }
}
