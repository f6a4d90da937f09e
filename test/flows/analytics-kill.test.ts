import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { events } from '../../db/tables/operations/events.ts'
import { eventually, type TestTenant, testTenant } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'

const kills = 4

let service: Processes
beforeAll(async () => {
  service = await startProcesses()
  await service.start('second web')
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('each answered request of two web processes has one START and one SUCCESS event, however often workers are killed', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  const load = startRequests([service.tenant, await throughSecond()])
  for (let count = 0; count < kills; count++) {
    // Each time at another moment of the work on the events.
    const answered = load.answered.length
    await eventually(async () => load.answered.length > answered + 40 + 13 * count)
    await service.kill('worker')
    await service.start('worker')
  }
  const before = load.answered.length
  await service.kill('worker')
  await eventually(async () => load.answered.length > before + 20)
  await load.stop()
  // Nothing is stored now, and nothing of it is lost by a Redis that starts again.
  await eventually(async () => (await service.bus.waitingEvents.count()) > 0)
  await service.kill('redis')
  const { operator } = service.tenant
  const whileAway = String((await operator.get('/v1/users?limit=1')).headers['x-request-id'])
  await service.start('redis')
  await service.start('worker')

  const owed = [...load.answered, whileAway].sort()
  const requestsOf = async () => {
    const { requestId, startedAt, type } = events
    const rows = service.db.read.select({ requestId, startedAt }).from(events)
    return rows.where(eq(type, 'USER_RETRIEVE_LIST_SUCCESS'))
  }
  await eventually(async () => (await requestsOf()).length >= owed.length)
  const stored = await requestsOf()
  expect(stored.map(({ requestId }) => requestId).sort()).toEqual(owed)
  expect(stored.filter(({ startedAt }) => startedAt === null)).toEqual([])
  // They leave Redis after the commit. The connection of this test can still wait for Redis, which started again.
  const waiting = () => service.bus.waitingEvents.count().catch(() => undefined)
  await eventually(async () => (await waiting()) === 0)
})

async function throughSecond(): Promise<TestTenant> {
  const { id, baseUrl, did, clientId, clientSecret } = service.tenant
  return testTenant(service.secondOrigin, { id, baseUrl, did, client: { clientId, clientSecret } })
}

/** Sends requests continuously, two to each process at once. `answered` has the ids of the requests. */
function startRequests(tenants: TestTenant[]) {
  const answered: string[] = []
  let stopped = false
  const loops = [...tenants, ...tenants].map(async ({ operator }) => {
    while (!stopped) {
      const { status, headers } = await operator.get('/v1/users?limit=1')
      if (status === 200) answered.push(String(headers['x-request-id']))
      await sleep(25)
    }
  })
  return {
    answered,
    async stop() {
      stopped = true
      await Promise.all(loops)
    },
  }
}
