export type Severity = 'critical' | 'warning' | 'notice'

const order: Severity[] = ['critical', 'warning', 'notice']

/** The maximum number of items in a list. */
export const maxListed = 100

/** Sorts items by severity, then by time. Items without a time are last. */
export function sortBySeverity<Item extends { severity: Severity }>(
  items: Item[],
  timeOf: (item: Item) => string | undefined,
): { data: Item[]; hasMore: boolean } {
  const sorted = items.toSorted((one, other) => {
    const [left, right] = [timeOf(one) ?? '~', timeOf(other) ?? '~']
    return order.indexOf(one.severity) - order.indexOf(other.severity) || (left < right ? -1 : left > right ? 1 : 0)
  })
  return { data: sorted.slice(0, maxListed), hasMore: sorted.length > maxListed }
}
