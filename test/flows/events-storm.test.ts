import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { events } from '../../db/tables/operations/events.ts'
import { eventually, testTenant } from '../harness/harness.ts'
import { type Processes, type ProcessName, startProcesses } from '../harness/processes.ts'

/** The processes that are killed, in this order. */
const kills: ProcessName[] = ['web', 'second web', 'worker', 'web', 'second web']
/** A killed web process loses the events of 20 ms, which are at most two of each of its four clients. */
const requestsPerKill = 500
const clientsOfProcess = 4
const maxLostShare = 0.02

let service: Processes
beforeAll(async () => {
  service = await startProcesses()
  await service.start('second web')
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('at most 2 % of the answered requests lose their event when web processes and workers are killed', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  const load = await startRequests()
  for (const name of kills) {
    const before = load.answered.length
    await eventually(async () => load.answered.length > before + requestsPerKill)
    await service.kill(name)
    await service.start(name)
  }
  const last = await load.stop()
  // A process stores its events in their order.
  await eventually(async () => (await lostOf(last)).length === 0)
  const lost = await lostOf(load.answered)
  console.info(
    `${load.answered.length} requests answered, ${load.unavailable} with 503, ${lost.length} without an event`,
  )
  expect(lost.length / load.answered.length).toBeLessThan(maxLostShare)
})

/** Returns the ids of the requests without an event of their end. */
async function lostOf(answered: string[]): Promise<string[]> {
  const { requestId, tenantId, type } = events
  const ends = and(eq(tenantId, service.tenant.id), like(type, 'USER_RETRIEVE_LIST_%'))
  const rows = await service.db.read.select({ requestId }).from(events).where(ends)
  const stored = new Set(rows.map((row) => row.requestId))
  return answered.filter((id) => !stored.has(id))
}

/** Sends requests to both web processes continuously. `answered` has the ids of those that were not answered with 503. */
async function startRequests() {
  const { id, baseUrl, did, clientId, clientSecret } = service.tenant
  const second = await testTenant(service.secondOrigin, { id, baseUrl, did, client: { clientId, clientSecret } })
  const load = { answered: [] as string[], unavailable: 0 }
  let stopped = false
  const loops = Array.from({ length: clientsOfProcess }, () => [service.tenant, second])
    .flat()
    .map(async ({ operator }) => {
      while (!stopped) {
        const answer = await operator.get('/v1/users?limit=1').catch(() => undefined)
        if (answer?.status === 503) load.unavailable++
        else if (answer) load.answered.push(String(answer.headers['x-request-id']))
        await sleep(answer ? 5 : 50)
      }
    })
  return Object.assign(load, {
    /** Returns the ids of one more request to each process. */
    async stop() {
      stopped = true
      await Promise.all(loops)
      const tenants = [service.tenant, second]
      const answers = await Promise.all(tenants.map(({ operator }) => operator.get('/v1/users?limit=1')))
      return answers.map(({ headers }) => String(headers['x-request-id']))
    },
  })
}
