import type { PublishedList } from '../../../db/repos/status/published-lists.ts'
import { notFound, Problem } from '../../../shared/errors.ts'
import type { PublishedListQuery } from '../caches.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'

/** Verifiers may keep a list for so long, unless it says another time, or ends before. */
const freshForSeconds = 60

/**
 * The list as it was published, for whom has not got it already; one that is also a JWT is handed on whole, for its route's media
 * types to pick from. Throws `not_found` by the name of the parameter, and `gone` for a list that has ended, whatever its format.
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
  if (hasEnded(list, clock.now())) throw new Problem('gone', { message: 'This status list has ended' })
  const maxAgeSeconds = freshSeconds(list, clock.now())
  return new Answer(jwt ? { cwt: content, jwt } : content, {
    // A database that was restored may give a number again.
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

/** Readers must take nothing from a list that has ended. */
function hasEnded({ expiresAt }: PublishedList, at: Date): boolean {
  return expiresAt !== null && expiresAt <= at
}

function freshSeconds({ expiresAt, ttlSeconds }: PublishedList, at: Date): number {
  const seconds = ttlSeconds ?? freshForSeconds
  const leftSeconds = expiresAt ? Math.floor((expiresAt.getTime() - at.getTime()) / 1000) : seconds
  return Math.max(0, Math.min(seconds, leftSeconds))
}
