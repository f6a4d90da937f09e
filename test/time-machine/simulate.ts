import '../../shared/quick-resolve.ts'
import { parseArgs } from 'node:util'

/** Runs one seed in a process of its own, because it replaces the clock and the statements of the process. Prints the result as JSON. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    days: { type: 'string' },
    keys: { type: 'string' },
    without: { type: 'string' },
  },
})
const { runSeed } = await import('./run.ts')
const { seed, days, without, keys } = values
const result = await runSeed({ seed: Number(seed), days: Number(days), without, keys })
console.log(JSON.stringify(result))
process.exit()
