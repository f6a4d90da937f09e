/** Does one thing for somebody, and tells what came of it. */
export type InCompany<Item, Answer> = (line: string, item: Item) => Promise<Answer>

interface Waiting<Item, Answer> {
  item: Item
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * Does together what comes at once. The first of a line goes by itself, without a wait; whatever comes to that line meanwhile
 * goes together after it, at most `most` of them. `run` answers each, in their order; when it throws, all of them are told.
 */
export function inCompany<Item, Answer>(
  most: number,
  run: (items: Item[]) => Promise<Answer[]>,
): InCompany<Item, Answer> {
  const lines = new Map<string, Waiting<Item, Answer>[]>()

  async function goOn(line: string, waiting: Waiting<Item, Answer>[]): Promise<void> {
    while (waiting.length > 0) await runOnce(waiting.splice(0, most))
    // In the same moment in which nobody waits: whoever comes next begins anew.
    lines.delete(line)
  }

  async function runOnce(company: Waiting<Item, Answer>[]): Promise<void> {
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
      const begun = lines.get(line)
      if (begun) return void begun.push({ item, resolve, reject })
      const waiting = [{ item, resolve, reject }]
      lines.set(line, waiting)
      void goOn(line, waiting)
    })
}
