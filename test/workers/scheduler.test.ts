import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScheduler } from '../../workers/jobs/scheduler.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('a schedule of an earlier version on another queue is replaced, and a schedule of an unknown job stays for a later version', async () => {
  const { bus } = service.deps
  const template = { name: 'rotateDueKeys', data: { payload: {} } }
  await bus.queue('signing').upsertJobScheduler('rotateDueKeys', { every: 3_600_000 }, template)
  await bus.queue('signing').upsertJobScheduler('ofALaterVersion', { every: 3_600_000 }, template)

  const scheduler = startScheduler(service.deps)
  const keysOf = async (queue: 'signing' | 'signing-bulk') =>
    (await bus.queue(queue).getJobSchedulers()).map(({ key }) => key)
  await eventually(async () => (await keysOf('signing-bulk')).includes('rotateDueKeys'))
  await eventually(async () => !(await keysOf('signing')).includes('rotateDueKeys'))
  expect(await keysOf('signing')).toEqual(['ofALaterVersion'])
  await scheduler.stop()
})

test('a schedule whose next run was set by a clock that was an hour ahead runs at its interval again', async () => {
  const queue = service.deps.bus.queue('delivery')
  const [name, everyMs] = ['queueDueDeliveries', 1_000] as const
  await queue.removeJobScheduler(name)
  const startDate = Date.now() + 3_600_000
  await queue.upsertJobScheduler(name, { every: everyMs, startDate }, { name, data: { payload: {} } })

  const scheduler = startScheduler(service.deps)
  await eventually(async () => ((await queue.getJobScheduler(name))?.next ?? startDate) <= Date.now())
  expect((await queue.getWaiting()).map((job) => job.name)).toContain(name)
  expect((await queue.getDelayed()).map((job) => job.name)).not.toContain(name)
  await scheduler.stop()
})
