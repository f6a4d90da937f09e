import {
  findPublishedTrustedList,
  findTrustedListContent,
  type PublishedTrustedList,
} from '../../../db/repos/ecosystems/trusted-lists.ts'
import { notFound, Problem } from '../../../shared/errors.ts'
import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'

interface ChangesAsked {
  tenantId: string
  ecosystemId: string
  kind: TrustedListKind
  number: number
  /** Of the earlier list. */
  since: number
  /** The parameter in the path that says the number. */
  param: string
  deadlineAt: number
}

/**
 * What a list says that an earlier one did not, in JSON. Whether both are still there is asked each time; they are compared once,
 * since they do not change. Throws `not_found` for either, `bad_request` where `since` is no earlier one, and `service_unavailable`.
 */
export async function answerChanges(deps: Deps, asked: ChangesAsked): Promise<Answer> {
  const { number, since, param } = asked
  const wrongSince = (msg: string) => ({ details: [{ msg, param: 'since', location: 'query' as const, value: since }] })
  if (since > number) throw new Problem('bad_request', wrongSince('Must not be the number of a later issue'))
  const after = await find(deps, asked, number)
  if (!after) throw notFound(param, String(number))
  const before = await find(deps, asked, since)
  if (!before) throw new Problem('not_found', wrongSince('Resource Not Found'))

  const version = `${before.id} ${after.id}`
  const context = { compare: () => compare(deps, asked, before, after) }
  const kept = await deps.caches.listChanges.fetch(version, { context })
  if (!kept) throw new Problem('service_unavailable', { retryAfterSeconds: 5 })
  return new Answer(kept.content, {
    version,
    gzipped() {
      kept.gzipped ??= compressBytes(kept.content)
      return kept.gzipped
    },
  })
}

function find({ db }: Deps, { tenantId, ecosystemId, kind }: ChangesAsked, number: number) {
  return findPublishedTrustedList(db.read, tenantId, ecosystemId, kind, number)
}

/** Undefined where it took too long, or one of them is gone. A list has some megabytes: both are read when they are compared. */
function compare(
  { db, listComparer }: Deps,
  { tenantId, deadlineAt }: ChangesAsked,
  ...lists: [before: PublishedTrustedList, after: PublishedTrustedList]
): Promise<Uint8Array | undefined> {
  const read = async () => {
    const [before, after] = await Promise.all(lists.map(({ id }) => findTrustedListContent(db.read, tenantId, id)))
    return before && after && { before, after }
  }
  return listComparer.runRead(read, { tenantId, deadlineAt })
}
