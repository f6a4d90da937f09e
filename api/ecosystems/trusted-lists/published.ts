import type { Reader } from '../../../db/client.ts'
import { findPublishedTrustedList, findTrustedListContent } from '../../../db/repos/ecosystems/trusted-lists.ts'
import { isLote, type ListKind } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'
import { defineCache } from '../../process/caches.ts'

interface ListAddress {
  tenantId: string
  ecosystemId: string
  kind: ListKind
  number: number | 'latest'
}

/** A trusted list. The object stays the same for as long as it is the same list. */
interface CachedTrustedList {
  id: string
  date: Date
  content: Buffer
  /** The compressed content. It is set by the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

const listTtlMs = 500
const maxBytes = 128_000_000

/** Published trusted lists, by tenant, ecosystem, kind and number or `latest`. `fetch` queries the database for the current one. */
const trustedListsCache = defineCache<string, CachedTrustedList, ListAddress & { db: Reader }>('trustedLists', {
  maxSize: maxBytes,
  // The compressed content takes at most as much memory again.
  sizeCalculation: ({ content }) => 2 * content.length,
  ttl: listTtlMs,
  noDeleteOnStaleGet: true,
  async fetchMethod(_key, cached, { context: { db, tenantId, ecosystemId, kind, number } }) {
    const list = await findPublishedTrustedList(db, tenantId, ecosystemId, kind, number)
    if (!list || cached?.id === list.id) return list && cached
    const content = await findTrustedListContent(db, tenantId, list.id)
    return content && { id: list.id, date: list.date, content }
  },
  ignoreFetchAbort: true,
})

/** A list as it was signed, by its number, or the last. Throws `not_found` by the name of the parameter. */
export async function answerTrustedList(
  { caches, db }: Deps,
  { param, ...listQuery }: ListAddress & { param: string },
): Promise<Answer> {
  const { ecosystemId, number, kind } = listQuery
  const key = keyOf(listQuery)
  const lists = caches.of(trustedListsCache)
  const list = await lists.fetch(key, { context: { db: db.read, ...listQuery } })
  if (!list) throw notFound(param, number === 'latest' ? ecosystemId : String(number))
  return new Answer(list.content, {
    version: list.id,
    fileName: fileNameOf(kind, list.date),
    gzipped() {
      list.gzipped ??= compressBytes(list.content)
      return list.gzipped
    },
    freshWhile: () => lists.get(key) === list,
  })
}

/** Removes a list from the cache of this process, so that its next request reads what this process published or deleted. */
export function forgetTrustedList({ caches }: Pick<Deps, 'caches'>, list: ListAddress): void {
  caches.of(trustedListsCache).delete(keyOf(list))
}

function keyOf({ tenantId, ecosystemId, kind, number }: ListAddress): string {
  return [tenantId, ecosystemId, kind, number].join(' ')
}

/** `vical-YYYY-MM-DD-<epoch ms>.cbor`, by its date in UTC. A list of trusted entities is a `.jws`. */
export function fileNameOf(kind: ListKind, date: Date): string {
  return `${kind}-${date.toISOString().slice(0, 10)}-${date.getTime()}.${isLote(kind) ? 'jws' : 'cbor'}`
}
