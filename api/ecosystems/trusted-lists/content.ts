import {
  findPublishedTrustedList,
  findTrustedListContent,
  type PublishedTrustedList,
} from '../../../db/repos/ecosystems/trusted-lists.ts'
import type { ListKind } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'
import { defineCache } from '../../process/caches.ts'
import { listReader } from './list-reader.ts'

/** The content of a list as JSON. */
interface CachedListContent {
  content: Uint8Array
  /** The compressed content. It is set by the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

interface ListContentSource {
  read(): Promise<Uint8Array | undefined>
}

const maxBytes = 32_000_000

/** The parsed content of a list by its id, or the difference of two lists by both ids. `fetch` parses once for all requests that wait. */
export const readListsCache = defineCache<string, CachedListContent, ListContentSource>('readLists', {
  maxSize: maxBytes,
  // The compressed content takes at most as much memory again.
  sizeCalculation: ({ content }) => 2 * content.length,
  async fetchMethod(_key, _cached, { context: { read } }) {
    const content = await read()
    return content && { content }
  },
  ignoreFetchAbort: true,
})

interface ListQuery {
  tenantId: string
  ecosystemId: string
  kind: ListKind
  number: number
  /** The path parameter that has the number. */
  param: string
  deadlineAt: number
}

/**
 * Answers with the differences between a list and the earlier list with the number `since`, as JSON. Throws `not_found` if one of them
 * does not exist, `bad_request` if `since` is not earlier, and `service_unavailable`.
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

/** Answers with the certificates of a list, as JSON. Throws `not_found` and `service_unavailable`. */
export async function answerCertificates(deps: Deps, listQuery: ListQuery): Promise<Answer> {
  const list = await find(deps, listQuery, listQuery.number)
  if (!list) throw notFound(listQuery.param, String(listQuery.number))
  return answerRead(deps, listQuery, list)
}

function find({ db }: Deps, { tenantId, ecosystemId, kind }: ListQuery, number: number) {
  return findPublishedTrustedList(db.read, tenantId, ecosystemId, kind, number)
}

/** Answers from the cache if the list was read before, because published lists do not change. */
async function answerRead(
  deps: Deps,
  listQuery: ListQuery,
  list: PublishedTrustedList,
  before?: PublishedTrustedList,
): Promise<Answer> {
  const version = before ? `${before.id} ${list.id}` : list.id
  const context = { read: () => read(deps, listQuery, list, before) }
  const cached = await deps.withoutSlot(deps.caches.of(readListsCache).fetch(version, { context }))
  if (!cached) throw new Problem('service_unavailable', { retryAfterSeconds: 5 })
  return new Answer(cached.content, {
    version,
    gzipped() {
      cached.gzipped ??= compressBytes(cached.content)
      return cached.gzipped
    },
  })
}

/**
 * Reads the lists in a thread. Returns undefined on a timeout, or if a list was deleted. Fetches the lists only when a thread is free,
 * because a list can have several megabytes.
 */
function read(
  { db, services }: Deps,
  { tenantId, kind, deadlineAt }: ListQuery,
  ...lists: [list: PublishedTrustedList, before: PublishedTrustedList | undefined]
): Promise<Uint8Array | undefined> {
  const fetch = async () => {
    const [list, before] = await Promise.all(
      lists.map((each) => each && findTrustedListContent(db.read, tenantId, each.id)),
    )
    return list && (before || !lists[1]) ? { kind, list, ...(before && { before }) } : undefined
  }
  return services.of(listReader).runRead(fetch, { tenantId, deadlineAt })
}
