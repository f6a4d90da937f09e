import { hourMs } from '../../clock.ts'

/** A key that is being created has no row yet. Keys are unused if a comparison found them this long before the last one. */
const unusedAfterMs = hourMs

/** Returns the keys that no row has named for an hour. */
export function unusedSince<Key extends { foundAt: number }>({
  comparedAt,
  unused,
}: {
  comparedAt: Date
  unused: readonly Key[]
}): Key[] {
  return unused.filter(({ foundAt }) => comparedAt.getTime() - foundAt >= unusedAfterMs)
}
