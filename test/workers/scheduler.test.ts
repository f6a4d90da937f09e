import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScheduler } from '../../workers/scheduler.ts'
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
