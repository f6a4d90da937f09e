import '../../shared/quick-resolve.ts'
import { parseArgs } from 'node:util'

/** Runs one seed in a process of its own, because it replaces the clock and the statements of the process. Prints the result as JSON. */
const { values } = parseArgs({
  options: { seed: { type: 'string' }, days: { type: 'string' }, without: { type: 'string' } },
})
const { runSeed } = await import('./run.ts')
const result = await runSeed({ seed: Number(values.seed), days: Number(values.days), without: values.without })
console.log(JSON.stringify(result))
process.exit()
