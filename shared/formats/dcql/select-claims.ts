import { isJsonObject } from '../json-object.ts'
import type { ClaimPointer } from '../sd-jwt/claim-pointer.ts'

/**
 * Selects the values at a claims path pointer (OpenID4VP 1.0, section 7.1.1). An undefined element of an array is one that the holder
 * did not disclose: it keeps the index of the elements after it, and is not selected. Returns an empty list if the pointer selects
 * nothing, or cannot be processed. The time is linear in the size of the claims.
 */
export function selectClaims(claims: unknown, path: ClaimPointer): unknown[] {
  let selected: unknown[] = [claims]
  for (const segment of path) {
    // Steps 2.1 to 2.3: one element of another kind aborts the processing.
    if (!selected.every(typeof segment === 'string' ? isJsonObject : Array.isArray)) return []
    selected = selected.flatMap((element) => childrenOf(element, segment))
  }
  return selected
}

function childrenOf(element: unknown, segment: string | number | null): unknown[] {
  if (Array.isArray(element)) {
    const elements: unknown[] = segment === null ? element : element.slice(Number(segment), Number(segment) + 1)
    return elements.filter((each) => each !== undefined)
  }
  if (!isJsonObject(element) || typeof segment !== 'string' || !Object.hasOwn(element, segment)) return []
  return [element[segment]]
}

/**
 * Whether a pointer requests a claim: the pointer selects the claim, a claim in it or a claim around it. `claim` has names and indexes.
 */
export function requestsClaim(path: ClaimPointer, claim: ClaimPointer): boolean {
  const depth = Math.min(path.length, claim.length)
  return path.slice(0, depth).every((segment, index) => {
    const place = claim[index]
    return segment === null ? typeof place === 'number' : segment === place
  })
}
