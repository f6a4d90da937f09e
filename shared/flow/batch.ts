import { Problem } from '../errors/errors.ts'
import type { Segment } from '../tracing/segment.ts'
import { tracing } from '../tracing/tracing.ts'

/** Adds an item to the queue of this name. Returns the answer for the item. */
export type Batcher<Item, Answer> = (queue: string, item: Item) => Promise<Answer>

interface Waiting<Item, Answer> {
  item: Item
  /** When the item arrived, by `performance.now()`. */
  since: number
  segment: Segment | undefined
  resolve(answer: Answer): void
  reject(error: unknown): void
}

export interface BatchLimits {
  /** Maximum items of one batch. */
  maxItems: number
  /** Maximum items that wait, for each queue. */
  maxWaiting: number
  /** An item that would start after this time fails, because its caller may no longer want the result. */
  deadlineMs: number
}

/**
 * Processes concurrent items in batches. The first item of a queue runs alone, without a wait. The items that arrive meanwhile form
 * the next batch. `run` returns one answer per item, in their order. If it throws, all items of the batch fail. The returned
 * function rejects with `service_unavailable` for an item that waited too long, and at once if too many items wait.
 */
export function createBatcher<Item, Answer>(
  { maxItems, maxWaiting, deadlineMs }: BatchLimits,
  run: (items: Item[]) => Promise<Answer[]>,
): Batcher<Item, Answer> {
  const queues = new Map<string, Waiting<Item, Answer>[]>()

  async function runAll(queue: string, waiting: Waiting<Item, Answer>[]): Promise<void> {
    while (waiting.length > 0) {
      rejectLate(waiting)
      await runBatch(waiting.splice(0, maxItems))
    }
    // Nothing runs between the last check and this line, so that no item is lost.
    queues.delete(queue)
  }

  function rejectLate(waiting: Waiting<Item, Answer>[]): void {
    const earliest = performance.now() - deadlineMs
    const firstInTime = waiting.findIndex(({ since }) => since >= earliest)
    for (const { reject } of waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime)) reject(unavailable())
  }

  async function runBatch(batch: Waiting<Item, Answer>[]): Promise<void> {
    if (batch.length === 0) return
    try {
      const items = batch.map(({ item }) => item)
      const segments = batch.map(({ segment }) => segment)
      const answers = await (tracing ? tracing.within(segments, () => run(items)) : run(items))
      if (answers.length !== batch.length) throw new Error('The number of answers differs from the number of items.')
      // Boundary: there is one answer per item.
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (queue, item) =>
    new Promise((resolve, reject) => {
      const entry = { item, since: performance.now(), segment: tracing?.current(), resolve, reject }
      const others = queues.get(queue)
      if (others && others.length >= maxWaiting) return reject(unavailable())
      if (others) return void others.push(entry)
      const waiting = [entry]
      queues.set(queue, waiting)
      void runAll(queue, waiting)
    })
}

function unavailable(): Problem {
  return new Problem('service_unavailable', { retryAfterSeconds: 2 })
}
