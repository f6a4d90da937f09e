import type { Reader } from '../../../db/client.ts'
import type { FoundObject } from '../../../db/repos/operations/search/search.ts'
import type { CallerRights } from '../../../shared/access/permissions.ts'
import { canFind, type Match, type SearchedKind, type SearchedKindName, searchedKinds } from './kinds.ts'

export const maxResults = 20

/** The maximum number of results of one kind, so that one kind does not hide the others. */
const maxOfKind = 8

/** The maximum number of functions that query at a time, so that one search does not use all connections of the database. */
const maxAtOnce = 4

export type SearchResult = FoundObject & { kind: SearchedKindName }

/**
 * Finds the objects of a tenant that the caller can read: by id, label, external id, name, type, request or serial number. Exact matches come
 * first, and then the order of the kinds.
 */
export async function search(
  db: Reader,
  tenantId: string,
  caller: CallerRights,
  text: string,
): Promise<SearchResult[]> {
  const kinds = Object.entries(searchedKinds) as [SearchedKindName, SearchedKind][]
  const visible = kinds.filter(([, kind]) => canFind(caller, kind))
  const matches = await matchAll([...new Set(visible.map(([, { match }]) => match))], (match) =>
    match(db, tenantId, text, maxOfKind),
  )
  const results = visible.map(([kind, { match, isOf = () => true }]): SearchResult[] => {
    const ofKind = (matches.get(match) ?? []).filter(isOf).map((each) => ({ ...each, kind }))
    return exactFirst(ofKind, text).slice(0, maxOfKind)
  })
  return exactFirst(results.flat(), text).slice(0, maxResults)
}

/** Calls each function, at most `maxAtOnce` at a time. */
export async function matchAll(functions: Match[], call: (match: Match) => Promise<FoundObject[]>) {
  const matches = new Map<Match, FoundObject[]>()
  const waiting = functions.values()
  const next = async () => {
    for (const match of waiting) matches.set(match, await call(match))
  }
  await Promise.all(Array.from({ length: maxAtOnce }, next))
  return matches
}

/** Sorts exact matches to the start, and removes repeated objects. */
function exactFirst(results: SearchResult[], text: string): SearchResult[] {
  const isExact = ({ id, name, type }: SearchResult) => [id, name, type].some((each) => isSame(each, text))
  const unique = [...new Map(results.map((each) => [`${each.kind} ${each.id}`, each])).values()]
  return [...unique.filter(isExact), ...unique.filter((each) => !isExact(each))]
}

function isSame(value: string | undefined, text: string): boolean {
  return value?.toLowerCase() === text.toLowerCase()
}
