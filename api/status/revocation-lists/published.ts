import type { Reader } from '../../../db/client.ts'
import { findPublishedList, type PublishedList } from '../../../db/repos/status/published-lists.ts'
import type { StatusListKind } from '../../../db/tables/status/lists.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'
import { defineCache } from '../../process/caches.ts'

/** The time that verifiers may cache a list that has no time to live. A list that expires earlier is cached until then. */
const freshForSeconds = 60

/** A published list. The object stays the same for as long as the list has the same version. */
interface CachedStatusList extends PublishedList {
  /** The compressed content. It is set by the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

interface PublishedListQuery {
  db: Reader
  tenantId: string
  kind: StatusListKind
  id: string
}

/** A publication must be visible within one second. This time and the query together take less. */
const listTtlMs = 500
const maxBytes = 64_000_000

/** Published status lists, by tenant, kind and id. `fetch` queries the database once for all requests that wait for the same list. */
export const publishedListsCache = defineCache<string, CachedStatusList, PublishedListQuery>('publishedLists', {
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
})

/** Compares the time too: a restored database may use a version number again. */
function isSameVersion(one: PublishedList, other: PublishedList): boolean {
  return one.version === other.version && one.issuedAt.getTime() === other.issuedAt.getTime()
}

/**
 * Returns the published list, with a version for conditional requests. A list that has a JWT is returned with both forms, and the
 * media types of the route select one. Throws `not_found` with the name of the parameter, and `gone` for an expired list.
 */
export async function answerList(
  { caches, db, clock }: Deps,
  { tenantId, kind, param, id }: Omit<PublishedListQuery, 'db'> & { param: string },
): Promise<Answer> {
  const context = { db: db.read, tenantId, kind, id }
  const key = [tenantId, kind, id].join(' ')
  const lists = caches.of(publishedListsCache)
  const list = await lists.fetch(key, { context })
  if (!list) throw notFound(param, id)
  const { content, jwt, version, issuedAt } = list
  if (hasEnded(list, clock.now())) throw new Problem('gone', { message: 'This status list has expired' })
  const maxAgeSeconds = freshSeconds(list, clock.now())
  return new Answer(jwt ? { cwt: content, jwt } : content, {
    // A restored database can assign a version a second time.
    version: `${version}-${issuedAt.getTime()}`,
    maxAgeSeconds,
    gzipped() {
      list.gzipped ??= compressBytes(jwt ?? content)
      return list.gzipped
    },
    freshWhile() {
      const at = clock.now()
      if (lists.get(key) !== list || hasEnded(list, at)) return false
      return freshSeconds(list, at) === maxAgeSeconds
    },
  })
}

/** An expired list must not be served. */
function hasEnded({ expiresAt }: PublishedList, at: Date): boolean {
  return expiresAt !== null && expiresAt <= at
}

function freshSeconds({ expiresAt, ttlSeconds }: PublishedList, at: Date): number {
  const seconds = ttlSeconds ?? freshForSeconds
  const leftSeconds = expiresAt ? Math.floor((expiresAt.getTime() - at.getTime()) / 1000) : seconds
  return Math.max(0, Math.min(seconds, leftSeconds))
}
