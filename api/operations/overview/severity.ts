export type Severity = 'critical' | 'warning' | 'notice'

const order: Severity[] = ['critical', 'warning', 'notice']

/** So many are told at once. */
export const maxListed = 100

/** The most urgent first; those of one severity in the order of time, with those that have none at the end. */
export function byUrgency<Item extends { severity: Severity }>(
  items: Item[],
  timeOf: (item: Item) => string | undefined,
): { data: Item[]; hasMore: boolean } {
  const sorted = items.toSorted((one, other) => {
    const [left, right] = [timeOf(one) ?? '~', timeOf(other) ?? '~']
    return order.indexOf(one.severity) - order.indexOf(other.severity) || (left < right ? -1 : left > right ? 1 : 0)
  })
  return { data: sorted.slice(0, maxListed), hasMore: sorted.length > maxListed }
}
