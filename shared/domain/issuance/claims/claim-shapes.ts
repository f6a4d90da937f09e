import type { ListPath } from '../../../formats/claim-path.ts'
import type { OfProfile } from '../profiles.ts'
import type { ClaimSources } from './claim-values.ts'
import { followPath, mappedPathsOf } from './mapped-paths.ts'

/** A claim that must be an object. */
export interface Misfit {
  /** The path of the claim, such as `address`. */
  claim: string
  /** The first mapped path through the claim, such as `claims.address.locality`. */
  mapFrom: string
}

/**
 * Returns the claims of the sources that do not fit the path of a mapping, such as a text at `address` where `claims.address.locality` is
 * mapped. An absent claim or null fits. Each source counts up to the first with a value.
 */
export function findMisfits(configuration: OfProfile<object>, { claims }: ClaimSources): Misfit[] {
  const misfits = new Map<string, Misfit>()
  for (const { mapFrom, path } of mappedPathsOf(configuration)) {
    for (const source of claims) {
      const end = followPath(source, path)
      if ('misfit' in end) {
        const claim = writtenPath(end.misfit)
        if (!misfits.has(claim)) misfits.set(claim, { claim, mapFrom })
        break
      }
      if (end.hasValue) break
    }
  }
  return [...misfits.values()]
}

function writtenPath(path: ListPath['path']): string {
  return path
    .map((name) => name ?? '[]')
    .join('.')
    .replaceAll('.[]', '[]')
}
