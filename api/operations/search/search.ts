import type { Reader } from '../../../db/client.ts'
import type { FoundObject } from '../../../db/repos/operations/search.ts'
import type { Role } from '../../../shared/roles.ts'
import { rolesOfKind, type SearchedKindName, searchedKinds } from './kinds.ts'

export const maxResults = 20

/** The maximum number of results of one kind, so that one kind does not hide the others. */
const maxOfKind = 8

export type SearchResult = FoundObject & { kind: SearchedKindName }

/**
 * Finds the objects of a tenant that the roles can read: by id, label, name, type, request or serial number. Exact matches come
 * first, and then the order of the kinds.
 */
export async function search(
  db: Reader,
  tenantId: string,
  roles: readonly Role[],
  text: string,
): Promise<SearchResult[]> {
  const kinds = Object.entries(searchedKinds) as [SearchedKindName, (typeof searchedKinds)[SearchedKindName]][]
  const visible = kinds.filter(([, kind]) => rolesOfKind(kind).some((role) => roles.includes(role)))
  const found = await Promise.all(
    visible.map(async ([kind, { match }]): Promise<SearchResult[]> => {
      const matches = await match(db, tenantId, text, maxOfKind)
      return exactFirst(
        matches.map((each) => ({ ...each, kind })),
        text,
      ).slice(0, maxOfKind)
    }),
  )
  return exactFirst(found.flat(), text).slice(0, maxResults)
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
