import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** The option of Node that loads the counter into a process. The process needs a channel to the benchmark. */
export const allocationCounter = `--import=${new URL('./allocation-counter.ts', import.meta.url)}`

/** Begins to count the allocations of each process. Returns a function that ends the count and returns the bytes per flow. */
export async function countAllocations(
  processes: Record<string, ChildProcess>,
): Promise<(flows: number) => Promise<Record<string, number>>> {
  await Promise.all(Object.values(processes).map(toggle))
  return async (flows) => {
    const bytes = await Promise.all(Object.values(processes).map(toggle))
    return Object.fromEntries(Object.keys(processes).map((name, position) => [name, (bytes[position] ?? 0) / flows]))
  }
}

async function toggle(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message')
  child.send('countAllocations')
  // Boundary: the answer of allocation-counter.ts.
  const [{ allocated = 0 }] = (await answer) as [{ allocated?: number }]
  return allocated
}
