import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * `node .ci/slow-files.mjs REPORT`: prints the 15 test files of a vitest report that took longest. Exits with 1 if a file took too long and is
 * not in `slowByDesign`. The limit is 60 s. On a slow machine it is a sixth of the time of the whole run.
 */
const shown = 15
const limitMs = 60_000
const shareOfRun = 1 / 6

/** Files that kill processes, wait for outages, restart the service many times, or simulate months. */
const slowByDesign = new Set([
  'test/flows/backup.test.ts',
  'test/flows/bulk-command.test.ts',
  'test/flows/failover.test.ts',
  'test/flows/kill.test.ts',
  'test/flows/redis-cluster.test.ts',
  'test/flows/rolling-restart.test.ts',
  'test/flows/start.test.ts',
  'test/flows/time-machine.test.ts',
  'test/once/time-machine.test.ts',
])

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const files = report.testResults
  .map(({ name, startTime, endTime }) => ({ file: relative(process.cwd(), name), ms: endTime - startTime }))
  .sort((one, other) => other.ms - one.ms)
const runMs = Math.max(...report.testResults.map(({ endTime }) => endTime)) - report.startTime
const maxMs = Math.max(limitMs, runMs * shareOfRun)

console.log(`The ${shown} slowest files:`)
for (const { file, ms } of files.slice(0, shown)) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`)

const tooSlow = files.filter(({ file, ms }) => ms > maxMs && !slowByDesign.has(file))
for (const { file } of tooSlow) {
  console.log(
    `${file} took more than ${Math.round(maxMs / 1000)} s. Make it faster, split it, or add it to .ci/slow-files.mjs.`,
  )
}
process.exitCode = tooSlow.length > 0 ? 1 : 0
