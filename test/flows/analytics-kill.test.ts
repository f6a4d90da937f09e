// @module-tag redis

import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { events } from '../../db/tables/operations/events.ts'
import { eventually, type TestTenant, testTenant } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'

let service: Processes
beforeAll(async () => {
  service = await startProcesses({}, { queueIn: 'redis' })
  await service.start('second web')
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('each answered request of two web processes has one START and one SUCCESS event, without a worker and without Redis', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  await service.kill('worker')
  const load = startRequests([service.tenant, await throughSecond()])
  const answeredMore = (count: number) => {
    const before = load.answered.length
    return eventually(async () => load.answered.length > before + count)
  }
  await answeredMore(80)
  await service.kill('redis')
  await answeredMore(80)
  await load.stop()

  const owed = load.answered.toSorted()
  await eventually(async () => (await requestsOf()).length >= owed.length)
  const stored = await requestsOf()
  expect(stored.map(({ requestId }) => requestId).sort()).toEqual(owed)
  expect(stored.filter(({ startedAt }) => startedAt === null)).toEqual([])
  await service.start('redis')
  await service.start('worker')
})

test('a web process that is stopped stores its last events', async () => {
  const before = (await requestsOf()).length
  const { operator } = await throughSecond()
  const answers = await Promise.all(Array.from({ length: 20 }, () => operator.get('/v1/users?limit=1')))
  await service.stop('second web')
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect((await requestsOf()).length - before).toBe(20)
})

async function requestsOf() {
  const { type, requestId, startedAt } = events
  const rows = service.db.read.select({ requestId, startedAt }).from(events)
  return rows.where(eq(type, 'USER_RETRIEVE_LIST_SUCCESS'))
}

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
