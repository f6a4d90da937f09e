import { setImmediate } from 'node:timers/promises'

/** Parsing, comparing or creating so many objects takes about 10 ms. */
const objectsBetweenPauses = 10

/** Yields the items. Lets the event loop run between batches, so that a process answers other requests during the work on many objects. */
export async function* withPauses<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let count = 0
  for (const item of items) {
    if (++count % objectsBetweenPauses === 0) await setImmediate()
    yield item
  }
}
