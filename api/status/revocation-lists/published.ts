import type { PublishedList } from '../../../db/repos/status/published-lists.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'
import type { PublishedListQuery } from '../caches.ts'

/** How long verifiers may cache a list that has no time to live. A list that expires earlier is cached until then. */
const freshForSeconds = 60

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
  const list = await caches.publishedLists.fetch(key, { context })
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
      if (caches.publishedLists.get(key) !== list || hasEnded(list, at)) return false
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
