import type { ListPath } from '../../../formats/claim-path.ts'
import type { OfProfile } from '../profiles.ts'
import type { ClaimSources } from './claim-values.ts'
import { followPath, mappedPathsOf } from './mapped-paths.ts'

/**
 * Returns the reason why a claim of the sources does not fit the path of a mapping, such as a text at `address` where
 * `claims.address.locality` is mapped. Returns undefined if all claims fit. An absent claim or null fits. Each source
 * counts up to the first with a value.
 */
export function findShapeFault(configuration: OfProfile<object>, { claims }: ClaimSources): string | undefined {
  for (const { mapFrom, path } of mappedPathsOf(configuration)) {
    for (const source of claims) {
      const found = followPath(source, path)
      if ('misfit' in found)
        return `The claim ${writtenPath(found.misfit)} must be an object, because ${mapFrom} is mapped`
      if (found.hasValue) break
    }
  }
  return undefined
}

function writtenPath(path: ListPath['path']): string {
  return path
    .map((name) => name ?? '[]')
    .join('.')
    .replaceAll('.[]', '[]')
}
