/**
 * Collects the items of one tick of the event loop, and runs them together at the end of the tick. Returns a function that adds
 * an item. `run` never rejects.
 */
export function collectTick<Item>(maxItems: number, run: (items: Item[]) => Promise<void>): (item: Item) => void {
  let collected: Item[] = []

  function runAll(): void {
    const items = collected
    collected = []
    for (let from = 0; from < items.length; from += maxItems) void run(items.slice(from, from + maxItems))
  }

  return (item) => {
    if (collected.push(item) === 1) setImmediate(runAll)
  }
}
