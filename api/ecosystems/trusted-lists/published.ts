import { notFound } from '../../../shared/errors/errors.ts'
import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'
import type { TrustedListQuery } from '../caches.ts'

type ListAddress = Omit<TrustedListQuery, 'db'>

/** A list as it was signed, by its number, or the last. Throws `not_found` by the name of the parameter. */
export async function answerTrustedList(
  { caches, db }: Deps,
  { param, ...listQuery }: ListAddress & { param: string },
): Promise<Answer> {
  const { ecosystemId, number, kind } = listQuery
  const key = keyOf(listQuery)
  const list = await caches.trustedLists.fetch(key, { context: { db: db.read, ...listQuery } })
  if (!list) throw notFound(param, number === 'latest' ? ecosystemId : String(number))
  return new Answer(list.content, {
    version: list.id,
    fileName: fileNameOf(kind, list.date),
    gzipped() {
      list.gzipped ??= compressBytes(list.content)
      return list.gzipped
    },
    freshWhile: () => caches.trustedLists.get(key) === list,
  })
}

/** Removes a list from the cache of this process, so that its next request reads what this process published or deleted. */
export function forgetTrustedList({ caches }: Pick<Deps, 'caches'>, list: ListAddress): void {
  caches.trustedLists.delete(keyOf(list))
}

function keyOf({ tenantId, ecosystemId, kind, number }: ListAddress): string {
  return [tenantId, ecosystemId, kind, number].join(' ')
}

/** `vical-YYYY-MM-DD-<epoch ms>.cbor`, by its date in UTC. */
export function fileNameOf(kind: TrustedListKind, date: Date): string {
  return `${kind}-${date.toISOString().slice(0, 10)}-${date.getTime()}.cbor`
}
