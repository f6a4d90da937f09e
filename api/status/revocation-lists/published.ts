import type { PublishedList } from '../../../db/repos/status/published-lists.ts'
import { notFound } from '../../../shared/errors.ts'
import type { PublishedAsked } from '../../caches.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'

/** Verifiers may keep a list for so long, unless it ends before. */
const freshForSeconds = 60

/** The list as it was published, for whom has not got it already. Throws `not_found` by the name of the parameter. */
export async function answerList(
  { caches, db, clock }: Deps,
  { tenantId, kind, param, id }: Omit<PublishedAsked, 'db'> & { param: string },
): Promise<Answer> {
  const context = { db: db.read, tenantId, kind, id }
  const key = [tenantId, kind, id].join(' ')
  const list = await caches.publishedLists.fetch(key, { context })
  if (!list) throw notFound(param, id)
  const { content, version, issuedAt } = list
  const maxAgeSeconds = freshSeconds(list, clock.now())
  return new Answer(content, {
    // A database that was restored may give a number again.
    version: `${version}-${issuedAt.getTime()}`,
    maxAgeSeconds,
    gzipped() {
      list.gzipped ??= compressBytes(content)
      return list.gzipped
    },
    standsWhile: () => caches.publishedLists.get(key) === list && freshSeconds(list, clock.now()) === maxAgeSeconds,
  })
}

function freshSeconds({ expiresAt }: PublishedList, at: Date): number {
  const leftSeconds = expiresAt ? Math.floor((expiresAt.getTime() - at.getTime()) / 1000) : freshForSeconds
  return Math.max(0, Math.min(freshForSeconds, leftSeconds))
}
