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
  /** How long the first of a batch waits for company; otherwise it goes at once. */
  gatherMs?: number
  /** The same, but only while there is company: after a batch of several. A request alone goes at once. */
  gatherInCompanyMs?: number
}): (item: Item) => Promise<Result> {
  const waiting: { item: Item; resolve(result: Result): void; reject(error: unknown): void }[] = []
  let underWay = 0
  let scheduled = false
  let inCompany = false

  async function sendNext(): Promise<void> {
    const batch = waiting.splice(0, options.most)
    inCompany = batch.length > 1
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
    const gatherMs = options.gatherMs ?? (inCompany ? options.gatherInCompanyMs : undefined)
    if (gatherMs) setTimeout(send, gatherMs)
    else setImmediate(send)
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      soon()
    })
}
