import { describe, expect, test } from 'vitest'
import { newId } from '../../shared/ids.ts'
import { createTimeSlices, type TimeSlices } from '../../workers/jobs/time-slices.ts'
import { Postpone } from '../../workers/serve.ts'

/** Asks for a time slice. Returns a function that ends it, or undefined if the job was postponed. */
function ask(slices: TimeSlices, tenantId: string, id: string): ((error?: Postpone) => Promise<void>) | undefined {
  let isRunning = false
  const { promise: work, resolve, reject } = Promise.withResolvers<void>()
  const slice = slices.take({ tenantId, id }, () => {
    isRunning = true
    return work
  })
  slice.catch((error: unknown) => expect(error).toBeInstanceOf(Postpone))
  const end = async (error?: Postpone) => {
    if (!error) resolve()
    else reject(error)
    await slice.catch(() => {})
  }
  return isRunning ? end : undefined
}

test('a tenant with many jobs has one time slice at a time, and leaves the others to other tenants', async () => {
  const slices = createTimeSlices(2)
  const end = ask(slices, 'a', 'a1')
  expect(end).toBeDefined()
  for (const id of ['a2', 'a3', 'a4']) expect(ask(slices, 'a', id)).toBeUndefined()
  expect(ask(slices, 'b', 'b1')).toBeDefined()
  expect(ask(slices, 'c', 'c1')).toBeUndefined()
  await end?.()
  // The last time slice of c is longer ago.
  expect(ask(slices, 'a', 'a2')).toBeUndefined()
  expect(ask(slices, 'c', 'c1')).toBeDefined()
})

test('a job that returns for its next time slice does not overtake those that wait', async () => {
  const slices = createTimeSlices(1)
  await ask(slices, 'a', 'a1')?.()
  const second = ask(slices, 'a', 'a1')
  expect(ask(slices, 'b', 'b1')).toBeUndefined()
  await second?.()
  expect(ask(slices, 'a', 'a1')).toBeUndefined()
  await ask(slices, 'b', 'b1')?.()
  await ask(slices, 'a', 'a1')?.()
})

test('the jobs of one tenant run round robin too', async () => {
  const slices = createTimeSlices(2)
  const first = ask(slices, 'a', 'a1')
  expect(ask(slices, 'a', 'a2')).toBeUndefined()
  await first?.()
  expect(ask(slices, 'a', 'a1')).toBeUndefined()
  await ask(slices, 'a', 'a2')?.()
  await ask(slices, 'a', 'a1')?.()
})

describe('a tenant that finishes its jobs', () => {
  const workLeft = () => new Postpone(0)

  test('begins the next job after the end of the last one', async () => {
    const slices = createTimeSlices(2, { finishesJobs: true })
    const first = ask(slices, 'a', 'a1')
    for (const id of ['a2', 'a3', 'a4', 'a5']) expect(ask(slices, 'a', id)).toBeUndefined()
    await first?.(workLeft())
    for (let slice = 0; slice < 3; slice++) {
      for (const id of ['a2', 'a3', 'a4', 'a5']) expect(ask(slices, 'a', id)).toBeUndefined()
      await ask(slices, 'a', 'a1')!(slice < 2 ? workLeft() : undefined)
    }
    await ask(slices, 'a', 'a4')!(workLeft())
    expect(ask(slices, 'a', 'a2')).toBeUndefined()
  })

  test('runs round robin with other tenants as before', async () => {
    const slices = createTimeSlices(1, { finishesJobs: true })
    const first = ask(slices, 'a', 'a1')
    for (const id of ['a2', 'a3']) expect(ask(slices, 'a', id)).toBeUndefined()
    expect(ask(slices, 'b', 'b1')).toBeUndefined()
    await first?.(workLeft())
    expect(ask(slices, 'a', 'a1')).toBeUndefined()
    await ask(slices, 'b', 'b1')!(workLeft())
    expect(ask(slices, 'b', 'b1')).toBeUndefined()
    expect(ask(slices, 'a', 'a2')).toBeUndefined()
    await ask(slices, 'a', 'a1')!(workLeft())
    await ask(slices, 'b', 'b1')!()
  })

  test('delays no other tenant while its last job is in another process, and then begins the next one', async () => {
    let at = 0
    const slices = createTimeSlices(1, { finishesJobs: true, now: () => at })
    await ask(slices, 'b', 'b1')!(workLeft())
    await ask(slices, 'a', 'a1')!(workLeft())
    await ask(slices, 'b', 'b1')!(workLeft())
    // The next time slice of the tenant a would be first, but only the job a2 asks.
    expect(ask(slices, 'a', 'a2')).toBeUndefined()
    await ask(slices, 'b', 'b1')!(workLeft())
    at += 10_000
    await ask(slices, 'a', 'a2')!()
  })
})

test('a job that does not ask again is not waited for', async () => {
  let at = 0
  const slices = createTimeSlices(1, { now: () => at })
  const first = ask(slices, 'a', 'a1')
  expect(ask(slices, 'b', 'b1')).toBeUndefined()
  await first?.()
  expect(ask(slices, 'a', 'a1')).toBeUndefined()
  at += 1_000
  expect(ask(slices, 'a', 'a1')).toBeDefined()
})

test('a time slice ends also if its work fails', async () => {
  const slices = createTimeSlices(1)
  const job = { tenantId: 'a', id: 'a1' }
  const failing = slices.take(job, async () => {
    throw new Error('the database is gone')
  })
  await expect(failing).rejects.toThrow('the database is gone')
  await expect(slices.take(job, async () => 'done')).resolves.toBe('done')
})

test('jobs that came together ask for their time slices spread over two seconds', async () => {
  let at = Date.parse('2026-03-01T12:00:00.000Z')
  const slices = createTimeSlices(1, { now: () => at })
  void slices.take({ tenantId: 'running', id: newId() }, () => new Promise(() => {}))
  const jobs = Array.from({ length: 1_200 }, (_, n) => ({ tenantId: `tenant-${n % 40}`, id: newId(), asksAt: at }))
  const asked: number[] = []
  const endsAt = at + 10_000
  for (; at < endsAt; at += 10) {
    for (const job of jobs.filter(({ asksAt }) => asksAt <= at)) {
      asked.push(at)
      const refusal: unknown = await slices.take(job, async () => {}).catch((error: unknown) => error)
      job.asksAt = at + (refusal instanceof Postpone ? refusal.delayMs : Number.NaN)
    }
  }
  // The first time is that of the uploads.
  const perSecond = Map.groupBy(asked.slice(jobs.length), (time) => Math.floor(time / 1_000))
  const counts = [...perSecond.values()].map(({ length }) => length)
  expect(Math.max(...counts)).toBeLessThan(900)
  expect(counts.reduce((sum, count) => sum + count) / 10).toBeLessThan(800)
})
