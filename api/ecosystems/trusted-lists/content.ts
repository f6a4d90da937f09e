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

interface ListQuery {
  tenantId: string
  ecosystemId: string
  kind: TrustedListKind
  number: number
  /** The parameter in the path that says the number. */
  param: string
  deadlineAt: number
}

/**
 * What a list says that an earlier one, of the number `since`, did not, in JSON. Throws `not_found` for either, `bad_request`
 * where `since` is no earlier one, and `service_unavailable`.
 */
export async function answerChanges(deps: Deps, listQuery: ListQuery, since: number): Promise<Answer> {
  const { number, param } = listQuery
  const wrongSince = (msg: string) => ({ details: [{ msg, param: 'since', location: 'query' as const, value: since }] })
  if (since > number) throw new Problem('bad_request', wrongSince('Must be the number of an earlier issue'))
  const after = await find(deps, listQuery, number)
  if (!after) throw notFound(param, String(number))
  const before = await find(deps, listQuery, since)
  if (!before) throw new Problem('not_found', wrongSince('Resource Not Found'))
  return answerRead(deps, listQuery, after, before)
}

/** The certificates that a list has, in JSON. Throws `not_found` and `service_unavailable`. */
export async function answerCertificates(deps: Deps, listQuery: ListQuery): Promise<Answer> {
  const list = await find(deps, listQuery, listQuery.number)
  if (!list) throw notFound(listQuery.param, String(listQuery.number))
  return answerRead(deps, listQuery, list)
}

function find({ db }: Deps, { tenantId, ecosystemId, kind }: ListQuery, number: number) {
  return findPublishedTrustedList(db.read, tenantId, ecosystemId, kind, number)
}

/** Whether lists are still there is checked each time; they are read once, since they do not change. */
async function answerRead(
  deps: Deps,
  listQuery: ListQuery,
  list: PublishedTrustedList,
  before?: PublishedTrustedList,
): Promise<Answer> {
  const version = before ? `${before.id} ${list.id}` : list.id
  const context = { read: () => read(deps, listQuery, list, before) }
  const kept = await deps.withoutSlot(deps.caches.readLists.fetch(version, { context }))
  if (!kept) throw new Problem('service_unavailable', { retryAfterSeconds: 5 })
  return new Answer(kept.content, {
    version,
    gzipped() {
      kept.gzipped ??= compressBytes(kept.content)
      return kept.gzipped
    },
  })
}

/** Undefined where it took too long, or one of them is gone. A list has some megabytes: they are fetched when they are read. */
function read(
  { db, listReader }: Deps,
  { tenantId, deadlineAt }: ListQuery,
  ...lists: [list: PublishedTrustedList, before: PublishedTrustedList | undefined]
): Promise<Uint8Array | undefined> {
  const fetch = async () => {
    const [list, before] = await Promise.all(
      lists.map((each) => each && findTrustedListContent(db.read, tenantId, each.id)),
    )
    return list && (before || !lists[1]) ? { list, ...(before && { before }) } : undefined
  }
  return listReader.runRead(fetch, { tenantId, deadlineAt })
}
