import { Problem } from '../errors.ts'

/** Does one thing for somebody, and tells what came of it. */
export type Batcher<Item, Answer> = (line: string, item: Item) => Promise<Answer>

interface Waiting<Item, Answer> {
  item: Item
  /** By `performance.now()`. */
  since: number
  resolve(answer: Answer): void
  reject(error: unknown): void
}

export interface BatchLimits {
  /** In one company. */
  most: number
  /** Whoever has waited longer when its turn comes is told so instead: what it asked for may be meant no more. */
  longestWaitMs: number
}

/**
 * Does together what comes at once. The first of a line goes by itself, without a wait; whatever comes to that line meanwhile
 * goes together after it. `run` answers each, in their order; when it throws, all of them are told. Throws `service_unavailable`
 * where the wait was too long.
 */
export function createBatcher<Item, Answer>(
  { most, longestWaitMs }: BatchLimits,
  run: (items: Item[]) => Promise<Answer[]>,
): Batcher<Item, Answer> {
  const lines = new Map<string, Waiting<Item, Answer>[]>()

  async function goOn(line: string, waiting: Waiting<Item, Answer>[]): Promise<void> {
    while (waiting.length > 0) {
      refuseLate(waiting)
      await runOnce(waiting.splice(0, most))
    }
    // In the same moment in which nobody waits: whoever comes next begins anew.
    lines.delete(line)
  }

  function refuseLate(waiting: Waiting<Item, Answer>[]): void {
    const tooLate = performance.now() - longestWaitMs
    const inTime = waiting.findIndex(({ since }) => since >= tooLate)
    for (const { reject } of waiting.splice(0, inTime === -1 ? waiting.length : inTime))
      reject(new Problem('service_unavailable', { retryAfterSeconds: 2 }))
  }

  async function runOnce(company: Waiting<Item, Answer>[]): Promise<void> {
    if (company.length === 0) return
    try {
      const answers = await run(company.map(({ item }) => item))
      if (answers.length !== company.length) throw new Error('each is to be answered')
      // Boundary: there is one for each.
      for (const [index, { resolve }] of company.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of company) reject(error)
    }
  }

  return (line, item) =>
    new Promise((resolve, reject) => {
      const one = { item, since: performance.now(), resolve, reject }
      const begun = lines.get(line)
      if (begun) return void begun.push(one)
      const waiting = [one]
      lines.set(line, waiting)
      void goOn(line, waiting)
    })
}
