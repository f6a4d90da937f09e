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

interface ListRequest {
  tenantId: string
  ecosystemId: string
  kind: TrustedListKind
  number: number
  /** The path parameter that holds the number. */
  param: string
  deadlineAt: number
}

/**
 * Returns the changes of a list since the earlier list with the number `since`, in JSON. Throws `not_found` for either list,
 * `bad_request` if `since` is a later list, and `service_unavailable`.
 */
export async function answerChanges(deps: Deps, input: ListRequest, since: number): Promise<Answer> {
  const { number, param } = input
  const wrongSince = (msg: string) => ({ details: [{ msg, param: 'since', location: 'query' as const, value: since }] })
  if (since > number) throw new Problem('bad_request', wrongSince('Must be the number of an earlier issue'))
  const after = await find(deps, input, number)
  if (!after) throw notFound(param, String(number))
  const before = await find(deps, input, since)
  if (!before) throw new Problem('not_found', wrongSince('Resource Not Found'))
  return answerContent(deps, input, after, before)
}

/** Returns the certificates of a list in JSON. Throws `not_found` and `service_unavailable`. */
export async function answerCertificates(deps: Deps, input: ListRequest): Promise<Answer> {
  const list = await find(deps, input, input.number)
  if (!list) throw notFound(input.param, String(input.number))
  return answerContent(deps, input, list)
}

function find({ db }: Deps, { tenantId, ecosystemId, kind }: ListRequest, number: number) {
  return findPublishedTrustedList(db.read, tenantId, ecosystemId, kind, number)
}

/** Answers with cached content, because lists do not change. The callers check on each request that the lists still exist. */
async function answerContent(
  deps: Deps,
  input: ListRequest,
  list: PublishedTrustedList,
  before?: PublishedTrustedList,
): Promise<Answer> {
  const version = before ? `${before.id} ${list.id}` : list.id
  const context = { read: () => read(deps, asked, list, before) }
  const kept = await deps.withoutSlot(deps.caches.readLists.fetch(version, { context }))
  if (!kept) throw new Problem('service_unavailable', { retryAfterSeconds: 5 })
  return new Answer(kept.content, {
    version,
    gzipped() {
      cached.gzipped ??= compressBytes(cached.content)
      return cached.gzipped
    },
  })
}

/**
 * Reads lists in a thread. Returns undefined after the time limit, and for a deleted list. Lists have some megabytes. They
 * are fetched late.
 */
function read(
  { db, listReader }: Deps,
  { tenantId, deadlineAt }: ListRequest,
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
