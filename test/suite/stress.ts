import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runOnPostgres } from '../harness/postgres.ts'
import { runVitest } from './run-vitest.ts'
import type { SuiteReport } from './suite-report.ts'

/**
 * `npm run test:stress -- FILE... [--times 20] [--postgres]`: runs the files that many times beside a load on all cores. A file that fails once
 * depends on the speed of the machine, or shows a race of the product.
 */
const { values, positionals: files } = parseArgs({
  options: { times: { type: 'string', default: '20' }, postgres: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const times = Number(values.times)
if (files.length === 0 || !(times >= 1)) {
  console.error('Usage: npm run test:stress -- FILE... [--times 20] [--postgres]')
  process.exit(2)
}

const dir = mkdtempSync(join(tmpdir(), 'trustwright-stress-'))
const reportFile = join(dir, 'report.json')
const load = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
)
process.once('exit', () => {
  for (const child of load) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const failures = new Map<string, number>()
const count = (name: string) => failures.set(name, (failures.get(name) ?? 0) + 1)
for (let time = 1; time <= times; time++) {
  console.log(`== ${time} of ${times}`)
  rmSync(reportFile, { force: true })
  const env = { TEST_REPORT: reportFile }
  const code = await (values.postgres ? runOnPostgres(files, env) : runVitest(files, env))
  const report: SuiteReport | undefined = existsSync(reportFile)
    ? JSON.parse(readFileSync(reportFile, 'utf8'))
    : undefined
  for (const { file, name } of report?.failed ?? []) count(`${file} > ${name}`)
  for (const error of report?.errors ?? []) count(error)
  if (code !== 0 && !report) count('a run without a report')
}
for (const [name, failed] of failures) console.log(`failed ${failed} of ${times} times: ${name}`)
console.log(`${times} runs beside a load: ${failures.size === 0 ? 'no test failed' : `${failures.size} tests failed`}.`)
process.exit(failures.size === 0 ? 0 : 1)
