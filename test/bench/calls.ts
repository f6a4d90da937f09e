import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { CallCounts } from './call-counter.ts'
import { createBench } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { flowsPhase, warmUp } from './phases.ts'
import { startStack } from './stack.ts'

/** Counts promises, continuations, UUIDs and the volume of JSON of each process for each flow (`--calls`). */
export async function measureCalls(options: BenchOptions): Promise<void> {
  for (const database of options.databases) {
    await using running = new AsyncDisposableStack()
    const stack = running.adopt(await startStack(database, { preload: './call-counter.ts' }), (each) => each.stop())
    const { webhook } = options
    const bench = running.adopt(await createBench(stack, { webhook }), (each) => each.close())
    await warmUp(bench, options)
    for (const concurrency of options.concurrencies) {
      await toggleAll(stack.nodeProcesses)
      const { name, count } = await flowsPhase(bench, options.flows, concurrency, options.withinMs)
      console.log(`\nOn ${database}: ${name}. Calls for each flow:`)
      for (const [process, counts] of await toggleAll(stack.nodeProcesses)) console.log(lineOf(process, counts, count))
    }
  }
}

async function toggleAll(processes: Record<string, ChildProcess>): Promise<[name: string, CallCounts | undefined][]> {
  return Promise.all(Object.entries(processes).map(async ([name, child]) => [name, await toggle(child)]))
}

async function toggle(child: ChildProcess): Promise<CallCounts | undefined> {
  const answer = once(child, 'message')
  child.send('countCalls')
  // Boundary: the answer of call-counter.ts.
  const [{ counted }] = (await answer) as [{ counted?: CallCounts }]
  return counted
}

/** Such as `web: promises 475.0, continuations 255.0`. */
function lineOf(process: string, counts: CallCounts | undefined, flows: number): string {
  const texts = Object.entries(counts ?? {}).map(([kind, number]) => `${kind} ${(number / flows).toFixed(1)}`)
  return `  ${process}: ${texts.join(', ')}`
}
