import { residentMegabytes } from './cpu.ts'
import type { Bench } from './measure.ts'
import { flowsPhase } from './phases.ts'

const samples = 20
/** A process is flat if the memory of its last third is at most this much above the third before. */
const tolerated = 0.05
/** The minimum number of flows for a verdict. Memory from the start hides later growth for minutes. */
const fewest = 20_000

/** Runs many flows and prints whether the memory of each process grows. */
export async function soak(bench: Bench, flows: number): Promise<void> {
  const taken: Record<string, number>[] = []
  let run = 0
  for (let sample = 0; sample < samples; sample++) {
    const flowsPerSample = Math.ceil(flows / samples)
    const { count } = await flowsPhase(bench, flowsPerSample, 8)
    if (count !== flowsPerSample) throw new Error(`${count} flows were run instead of ${flowsPerSample}`)
    run += count
    const now = residentMegabytes(bench.stack.pids)
    taken.push(now)
    console.log(`${run} flows: ${memoryText(now)}`)
  }
  const third = Math.floor(samples / 3)
  for (const name of Object.keys(bench.stack.pids)) {
    const mean = (some: Record<string, number>[]) =>
      some.reduce((sum, each) => sum + (each[name] ?? 0), 0) / some.length
    const growth = mean(taken.slice(-third)) / mean(taken.slice(-2 * third, -third)) - 1
    const verdict = run < fewest ? 'too few flows to tell' : growth > tolerated ? 'GROWS' : 'flat'
    console.log(
      `${name}: ${verdict}, after ${run} flows (last third ${(growth * 100).toFixed(1)} % over the one before)`,
    )
  }
}

export function memoryText(megabytes: Record<string, number>): string {
  return Object.entries(megabytes)
    .map(([name, value]) => `${name} ${value.toFixed(0)} MB`)
    .join(', ')
}
