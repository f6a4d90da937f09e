import { fromWireProblem } from '../errors.ts'
import type { Outcomes } from './registry.ts'

/**
 * Shares one job among the callers of a moment: while `inFlight` jobs are under way, what arrives waits and joins the next.
 * One request alone goes at once; under load the queue's cost is divided by the size of the batch.
 */
export function createBatcher<Item, Result>(options: {
  send(items: Item[]): Promise<Outcomes<Result>>
  inFlight: number
  most: number
  /** How long the first of a batch waits for company, where nobody waits for it; otherwise it goes at once. */
  gatherMs?: number
}): (item: Item) => Promise<Result> {
  const waiting: { item: Item; resolve(result: Result): void; reject(error: unknown): void }[] = []
  let underWay = 0
  let scheduled = false

  async function sendNext(): Promise<void> {
    const batch = waiting.splice(0, options.most)
    underWay++
    try {
      const { outcomes } = await options.send(batch.map(({ item }) => item))
      for (const [position, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[position]
        if (!outcome) reject(new Error('a batch came back with an outcome missing'))
        else if ('problem' in outcome) reject(fromWireProblem(outcome.problem))
        else resolve(outcome.ok)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      underWay--
      if (waiting.length > 0) soon()
    }
  }

  function soon(): void {
    if (scheduled || underWay >= options.inFlight) return
    scheduled = true
    const send = () => {
      scheduled = false
      if (waiting.length > 0 && underWay < options.inFlight) void sendNext()
    }
    if (options.gatherMs) setTimeout(send, options.gatherMs)
    else setImmediate(send)
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      soon()
    })
}
