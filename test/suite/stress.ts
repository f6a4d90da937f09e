import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { runOnPostgres } from '../harness/postgres.ts'
import { runVitest } from './run-vitest.ts'

/**
 * `npm run test:stress -- FILE... [--times 20] [--postgres]`: runs each file alone, that many times, beside a load on all cores. A file that fails
 * once depends on the speed of the machine, or shows a race of the product.
 */
const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '20' }, postgres: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const times = Number(values.times)
if (positionals.length === 0 || !(times >= 1)) {
  console.error('Usage: npm run test:stress -- FILE... [--times 20] [--postgres]')
  process.exit(2)
}

const load = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
)
process.once('exit', () => {
  for (const child of load) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const failures = new Map<string, number>()
for (const file of positionals) {
  for (let time = 1; time <= times; time++) {
    console.log(`== ${file}, ${time} of ${times}`)
    const code = await (values.postgres ? runOnPostgres([file]) : runVitest([file]))
    if (code !== 0) failures.set(file, (failures.get(file) ?? 0) + 1)
  }
}
for (const [file, count] of failures) console.log(`${file} failed ${count} of ${times} times.`)
console.log(`${positionals.length - failures.size} of ${positionals.length} files passed ${times} times beside a load.`)
process.exit(failures.size === 0 ? 0 : 1)
