import type { KeyComparison } from '../../../db/repos/identifiers/key-comparisons.ts'
import { unusedSince } from '../../../shared/domain/identifiers/unused-keys.ts'

const shownKeys = 20

export function presentComparison(comparison: KeyComparison) {
  const { provider, comparedAt, isComplete, rowCount, keyCount, missingCount, missing } = comparison
  const unused = unusedSince(comparison)
  return {
    provider,
    comparedAt: comparedAt.toISOString(),
    isComplete,
    keys: rowCount,
    keysInProvider: keyCount,
    missing: { count: missingCount, first: missing },
    unused: { count: unused.length, first: unused.slice(0, shownKeys).map(({ handle }) => handle) },
  }
}
