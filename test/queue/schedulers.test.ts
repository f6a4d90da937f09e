import { expect } from 'vitest'
import { eventually } from '../harness/harness.ts'
import { newQueue, testOnBackends } from './backends.ts'

const template = { name: 'search', data: { payload: {} }, opts: { attempts: 1, removeOnComplete: true } }

testOnBackends('a schedule of two processes runs once at each time', async (backend) => {
  const first = await newQueue(backend)
  const second = first.another()
  const ran: (string | undefined)[] = []
  const everyMs = 100
  for (const { queue, serve } of [first, second]) {
    serve(async ({ id }) => void ran.push(id))
    await queue.upsertJobScheduler('search', { every: everyMs }, template)
  }
  await eventually(async () => ran.length >= 8)
  expect(new Set(ran).size).toBe(ran.length)
  const times = ran.map((id) => Number(/^repeat:search:(\d+)$/.exec(id ?? '')?.[1])).sort((a, b) => a - b)
  // On PostgreSQL, the second process changes the times if the first job runs at that moment.
  const after = times.slice(2)
  for (const [index, time] of after.slice(1).entries())
    expect(time - (after[index] ?? 0)).toBeGreaterThanOrEqual(everyMs)
  // There is always one job of the schedule.
  await eventually(async () => (await first.queue.getJobCountByTypes('delayed', 'waiting')) === 1)
})

testOnBackends('a schedule tells its interval, its next time and its template', async (backend) => {
  const { queue } = await newQueue(backend)
  expect(await queue.getJobScheduler('search')).toBeUndefined()
  const startDate = Date.now() + 3_600_000
  await queue.upsertJobScheduler('search', { every: 60_000, startDate }, template)
  const scheduler = await queue.getJobScheduler('search')
  expect(scheduler).toMatchObject({ key: 'search', name: 'search', every: 60_000, next: startDate, iterationCount: 1 })
  expect(scheduler?.template).toMatchObject({ data: template.data, opts: template.opts })
  const [job] = await queue.getJobs(['delayed'])
  expect(job).toMatchObject({ id: `repeat:search:${startDate}`, name: 'search', data: template.data })
  expect(job).toMatchObject({ repeatJobKey: 'search', opts: { attempts: 1, removeOnComplete: true } })
})

testOnBackends('a new interval replaces the job of the old one', async (backend) => {
  const { queue } = await newQueue(backend)
  const startDate = Date.now() + 3_600_000
  await queue.upsertJobScheduler('search', { every: 60_000, startDate }, template)
  await queue.upsertJobScheduler('search', { every: 60_000 }, template)
  expect(await queue.getJobScheduler('search')).toMatchObject({ next: startDate })
  await queue.upsertJobScheduler('search', { every: 5_000 }, template)
  const next = (await queue.getJobScheduler('search'))?.next ?? 0
  expect(next).toBeLessThanOrEqual(Date.now())
  const jobs = await queue.getJobs(['waiting', 'delayed'])
  expect(jobs.map(({ id }) => id)).toEqual([`repeat:search:${next}`])
})

testOnBackends('missed times are left out', async (backend) => {
  const { queue, serve } = await newQueue(backend)
  const everyMs = 200
  await queue.upsertJobScheduler('search', { every: everyMs }, template)
  const { next = 0 } = (await queue.getJobScheduler('search')) ?? {}
  await eventually(async () => Date.now() > next + 5 * everyMs)
  const ran: (string | undefined)[] = []
  serve(async ({ id }) => void ran.push(id))
  await eventually(async () => ran.length >= 2)
  const [first, second] = ran.map((id) => Number(id?.split(':')[2]))
  expect(first).toBe(next)
  expect(second).toBeGreaterThan(next + 5 * everyMs)
})

testOnBackends('schedules are listed by their next time, and removed with their delayed job', async (backend) => {
  const { queue } = await newQueue(backend)
  const startDate = Date.now() + 3_600_000
  for (const [index, id] of ['c', 'a', 'b'].entries())
    await queue.upsertJobScheduler(id, { every: 60_000, startDate: startDate + index }, template)
  const keys = async (start?: number, end?: number, asc?: boolean) =>
    (await queue.getJobSchedulers(start, end, asc)).map(({ key }) => key)
  expect(await keys(0, -1, true)).toEqual(['c', 'a', 'b'])
  expect(await keys(0, 1, false)).toEqual(['b', 'a'])
  expect(await keys()).toHaveLength(3)
  expect(await queue.removeJobScheduler('a')).toBe(true)
  expect(await queue.removeJobScheduler('a')).toBe(false)
  expect((await queue.getJobs(['delayed'])).map(({ repeatJobKey }) => repeatJobKey).sort()).toEqual(['b', 'c'])
})
