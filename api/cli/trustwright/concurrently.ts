/** Runs `work` for each item, for at most `limit` items at a time. Starts no more items after an error, and throws it. */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  let hasFailed = false
  async function runNext(): Promise<void> {
    for (let next = rest.next(); !next.done && !hasFailed; next = rest.next()) await work(next.value)
  }
  const runs = Array.from({ length: limit }, () =>
    runNext().catch((error) => {
      hasFailed = true
      throw error
    }),
  )
  await Promise.all(runs)
}
