import { notFound } from '../../../shared/errors.ts'
import type { PublishedAsked } from '../../caches.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'

/** Verifiers may keep a list for so long, unless it ends before. */
const freshForSeconds = 60

/** The list as it was published, for whom has not got it already. Throws `not_found` by the name of the parameter. */
export async function answerList(
  { caches, db, clock }: Deps,
  { tenantId, kind, param, id }: Omit<PublishedAsked, 'db'> & { param: string },
): Promise<Answer> {
  const context = { db: db.read, tenantId, kind, id }
  const list = await caches.publishedLists.fetch([tenantId, kind, id].join(' '), { context })
  if (!list) throw notFound(param, id)
  const { content, version, issuedAt, expiresAt } = list
  const leftSeconds = expiresAt ? Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000) : freshForSeconds
  return new Answer(content, {
    // A database that was restored may give a number again.
    version: `${version}-${issuedAt.getTime()}`,
    maxAgeSeconds: Math.max(0, Math.min(freshForSeconds, leftSeconds)),
  })
}
