import { expect, test } from 'vitest'
import { createTimeSlices } from '../../workers/jobs/time-slices.ts'
import { Postpone } from '../../workers/serve.ts'
import { randomFrom } from '../harness/random-from.ts'

const slotsOfProcess = 2
const timeSliceMs = 1_000

interface Waiting {
  processes: number
  tenants: number
  /** The files of each tenant. */
  files: number
  /** The simulated time. */
  seconds: number
}

/**
 * Validates files that do not end, in simulated time. The queue gives each job to any process, as Redis does. Returns the share of the slots
 * that were in use, the number of time slices of each tenant, and how often jobs asked for a time slice in each second.
 */
async function simulate({ processes, tenants, files, seconds }: Waiting, seed = 1) {
  const random = randomFrom(seed)
  const due: { at: number; run(): Promise<void> }[] = []
  const slicesOf = new Map<string, number>()
  let now = 0
  const asksOfSeconds = Array.from({ length: seconds }, () => 0)
  const slices = Array.from({ length: processes }, () =>
    createTimeSlices(slotsOfProcess, { finishesJobs: true, now: () => now }),
  )
  const after = (ms: number, run: () => Promise<void>) => due.push({ at: now + ms, run })

  async function ask(job: { tenantId: string; id: string }): Promise<void> {
    asksOfSeconds[Math.floor(now / 1_000)]!++
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slice = slices[Math.floor(random() * processes)]!.take(job, async () => {
      begun.resolve()
      await ended.promise
      throw new Postpone(0)
    })
    const postponed = slice.catch((error: Postpone) => after(error.delayMs, () => ask(job)))
    const isBegun = await Promise.race([begun.promise.then(() => true), postponed.then(() => false)])
    if (!isBegun) return
    slicesOf.set(job.tenantId, (slicesOf.get(job.tenantId) ?? 0) + 1)
    after(timeSliceMs, async () => {
      ended.resolve()
      await postponed
    })
  }

  for (let tenant = 0; tenant < tenants; tenant++)
    for (let file = 0; file < files; file++)
      after(random() * 100, () => ask({ tenantId: `tenant ${tenant}`, id: `file ${tenant}-${file}` }))
  while (true) {
    const next = due.reduce((first, each) => (each.at < first.at ? each : first))
    if (next.at >= seconds * 1_000) break
    due.splice(due.indexOf(next), 1)
    now = next.at
    await next.run()
  }
  const counts = [...slicesOf.values()]
  const used = counts.reduce((sum, count) => sum + count, 0) / (seconds * slotsOfProcess * processes)
  return { used, counts, asksOfSeconds }
}

/** All files ask once in two seconds, and those that are next ask more often. Files that arrive together ask in the same second. */
const maxAsksPerSecond = ({ tenants, files }: Waiting) => tenants * files + 150

test.each<Omit<Waiting, 'seconds'> & { atLeast: number }>([
  { processes: 1, tenants: 8, files: 4, atLeast: 0.95 },
  { processes: 2, tenants: 2, files: 8, atLeast: 0.7 },
  { processes: 2, tenants: 8, files: 4, atLeast: 0.8 },
  { processes: 2, tenants: 50, files: 2, atLeast: 0.85 },
  { processes: 4, tenants: 20, files: 1, atLeast: 0.85 },
  { processes: 4, tenants: 20, files: 2, atLeast: 0.85 },
  { processes: 4, tenants: 50, files: 2, atLeast: 0.8 },
])('$processes processes use $atLeast of their slots for $tenants tenants with $files files each', async (given) => {
  const waiting = { ...given, seconds: 120 }
  const { used, counts, asksOfSeconds } = await simulate(waiting)
  expect(used).toBeGreaterThan(given.atLeast)
  // All tenants have time slices, and about as many.
  expect(counts).toHaveLength(given.tenants)
  expect(Math.max(...counts)).toBeLessThanOrEqual(2 * Math.min(...counts))
  expect(Math.max(...asksOfSeconds)).toBeLessThan(maxAsksPerSecond(waiting))
})

test.each<Waiting>([
  { processes: 1, tenants: 200, files: 1, seconds: 10 },
  { processes: 4, tenants: 200, files: 1, seconds: 10 },
  { processes: 1, tenants: 4, files: 100, seconds: 10 },
  { processes: 2, tenants: 4, files: 100, seconds: 10 },
])('$tenants tenants with $files files each ask seldom from the start, in $processes processes', async (waiting) => {
  // In so short a time, few time slices begin. So the share is the mean of several runs.
  const runs = await Promise.all([1, 2, 3, 4].map((seed) => simulate(waiting, seed)))
  for (const { asksOfSeconds } of runs) expect(Math.max(...asksOfSeconds)).toBeLessThan(maxAsksPerSecond(waiting))
  expect(runs.reduce((sum, { used }) => sum + used, 0) / runs.length).toBeGreaterThan(0.7)
})
