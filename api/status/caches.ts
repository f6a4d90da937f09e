import { LRUCache } from 'lru-cache'
import type { Reader } from '../../db/client.ts'
import { findPublishedList, type PublishedList } from '../../db/repos/status/published-lists.ts'
import type { StatusListKind } from '../../db/tables/status/lists.ts'

export interface StatusCaches {
  /** Published status lists, by tenant, kind and id. `fetch` queries the database once for all requests that wait for the same list. */
  publishedLists: LRUCache<string, CachedStatusList, PublishedListQuery>
}

/** A published list. The object stays the same for as long as the list has the same version. */
export interface CachedStatusList extends PublishedList {
  /** The compressed content. It is set by the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

export interface PublishedListQuery {
  db: Reader
  tenantId: string
  kind: StatusListKind
  id: string
}

/** A publication must be visible within one second. This time and the query together take less. */
const listTtlMs = 500
const maxBytes = 64_000_000

export function createStatusCaches(): StatusCaches {
  return {
    publishedLists: new LRUCache({
      max: 5_000,
      maxSize: maxBytes,
      // The compressed content takes at most as much memory again.
      sizeCalculation: ({ content, jwt }) => 2 * (content.length + (jwt?.length ?? 0)),
      ttl: listTtlMs,
      // A stale entry is often still the current version: `fetchMethod` compares the versions.
      noDeleteOnStaleGet: true,
      async fetchMethod(_key, cached, { context: { db, tenantId, kind, id } }) {
        const read = await findPublishedList(db, tenantId, kind, id)
        return cached && read && isSameVersion(cached, read) ? cached : read
      },
      // A request gets its list even if the cache has no space for it.
      ignoreFetchAbort: true,
    }),
  }
}

/** Compares the time too: a restored database may use a version number again. */
function isSameVersion(one: PublishedList, other: PublishedList): boolean {
  return one.version === other.version && one.issuedAt.getTime() === other.issuedAt.getTime()
}
