import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, inject, type TestContext, test, vi } from 'vitest'
import { createAnalytics } from '../../api/analytics/analytics.ts'
import { newId } from '../../shared/ids.ts'
import { createBus, queuePrefix } from '../../shared/jobs/bus.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { waitingEventsKey } from '../../shared/jobs/waiting-events.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { eventually } from '../harness/harness.ts'
import { lostEvents } from '../harness/lost-events.ts'

const event = () => {
  const id = newId()
  const about = { type: 'USER_CREATE_SUCCESS', category: 'USERS', requestId: id, data: {} } as const
  return { id, tenantId: 'tenant', timestamp: new Date().toISOString(), ...about }
}

/** The parts of several web processes of one service. */
async function start({ onTestFinished }: TestContext) {
  const prefix = `test-${randomUUID()}`
  const secrets = createSecrets([Buffer.alloc(32)])
  const bus = await createBus({ redisUrl: inject('redisUrl'), prefix, secrets })
  const client = connectPatient(inject('redisUrl'))
  const key = waitingEventsKey(queuePrefix(prefix, 'analytics'))
  onTestFinished(async () => {
    await client.del(key)
    client.disconnect()
    await bus.close()
  })
  const warnings: { msg: string; dropped?: number }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) })
  const begin = () => {
    const analytics = createAnalytics(bus, log)
    onTestFinished(() => analytics.close())
    return analytics
  }
  const delays = async () => (await bus.queue('analytics').getDelayed()).map(({ delay }) => delay)
  const jobs = async () => (await bus.queue('analytics').getJobs()).map(({ name }) => name)
  const waiting = () => bus.waitingEvents.count()
  /** Takes all events like a worker. */
  const takeAll = async () => {
    const batch = await bus.waitingEvents.read(1_000_000)
    await bus.waitingEvents.remove(batch)
    return batch.events
  }
  return { bus, client, key, begin, jobs, delays, waiting, takeAll, warnings }
}

test('events leave the process within a tenth of a second in batches, with one job', async (context) => {
  const { bus, begin, jobs, takeAll } = await start(context)
  const append = vi.spyOn(bus.waitingEvents, 'append')
  const analytics = begin()
  const emitted: string[] = []
  for (const round of [1, 2]) {
    for (let count = 0; count < 100; count++) {
      const one = event()
      emitted.push(one.id)
      analytics.emit(one)
    }
    // Both timers are in this process. They end in this order, however slow the process is.
    await sleep(100)
    await bus.ping()
    expect(append).toHaveBeenCalledTimes(round)
  }
  await eventually(async () => (await jobs()).length > 0)
  expect(await jobs()).toEqual(['storeEvents'])
  expect((await takeAll()).map(({ id }) => id)).toEqual(emitted)
})

test('all processes share one job per half second', async (context) => {
  const { begin, delays, waiting, takeAll } = await start(context)
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_800_000_000_100)
  const [one, other] = [begin(), begin()]
  for (const analytics of [one, other, one]) {
    analytics.emit(event())
    await analytics.close()
    expect(await waiting()).toBe(1)
    await takeAll()
  }
  // At the end of the half second, with a margin for clocks that are behind.
  expect(await delays()).toEqual([400 + 50])
  now.mockReturnValue(1_800_000_000_500)
  other.emit(event())
  await other.close()
  expect(await delays()).toEqual([450, 500 + 50])
})

test('a job that could not be added is added with the next events', async (context) => {
  const { bus, begin, jobs, waiting } = await start(context)
  const send = vi.spyOn(bus, 'send').mockRejectedValueOnce(new Error('away'))
  const analytics = begin()
  for (const count of [1, 2, 3]) {
    analytics.emit(event())
    await analytics.close()
    expect(await waiting()).toBe(count)
  }
  expect(await jobs()).toEqual(['storeEvents'])
  expect(send).toHaveBeenCalledTimes(2)
})

test('a full list takes no events, which wait in the process and are dropped if there are too many', async (context) => {
  const { client, key, begin, waiting, takeAll, warnings } = await start(context)
  const fill = `
    local entries = {}
    for i = 1, 1000 do entries[i] = 'x' end
    for i = 1, 1000 do redis.call('RPUSH', KEYS[1], unpack(entries)) end`
  await client.eval(fill, 1, key)
  const analytics = begin()
  const lostBefore = await lostEvents('buffer_full')
  const emitted = Array.from({ length: 50_010 }, event)
  const [first, ...others] = emitted
  analytics.emit(first!)
  await analytics.close()
  // A process detects the full list with its first events.
  expect(await waiting()).toBe(1_000_001)
  for (const one of others) analytics.emit(one)
  await analytics.close()
  expect(await waiting()).toBe(1_000_001)
  expect(warnings.map(({ msg }) => msg)).toEqual([expect.stringContaining('analytics queue full')])

  await client.ltrim(key, -1, -1)
  await analytics.close()
  expect((await takeAll()).map(({ id }) => id)).toEqual(emitted.slice(0, 50_001).map(({ id }) => id))
  expect((await lostEvents('buffer_full')) - lostBefore).toBe(9)
  expect(warnings.slice(1)).toMatchObject([{ dropped: 9, msg: expect.stringContaining('dropped') }])
})
