import { createServer, type Socket } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeliveryRow, insertDeliveries, newDelivery } from '../../db/repos/operations/webhooks/deliveries.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { systemClock } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { eventually, type TestTenant } from '../harness/harness.ts'
import { issueMany } from '../harness/issued.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { freePort } from '../harness/redis.ts'
import { type Receiver, startReceiver } from '../servers/receiver.ts'

const floodSize = 5_000
const deliveryCount = 15

let service: Processes
beforeAll(async () => {
  service = await startProcesses()
})
afterAll(() => service[Symbol.asyncDispose]())

async function subscribe(tenant: TestTenant, url: string): Promise<string> {
  const { status, body } = await tenant.operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url })
  expect(status).toBe(201)
  return body.id
}

async function issueOne(tenantId: string): Promise<string> {
  const { db, bus } = service
  const [issued] = await issueMany({ deps: { db, bus, clock: systemClock } }, tenantId, 1)
  return issued!.credentialId
}

/** Deliveries that failed once, and are all due now. */
async function insertDue(tenantId: string, webhookId: string): Promise<void> {
  const at = new Date()
  const kind = 'OpenIdCredentialIssued'
  const ofTest = { subjectKind: 'test', objectId: null } as const
  const rows = Array.from({ length: floodSize }, () => ({
    ...newDelivery({ tenantId, webhookId, ...ofTest, eventId: newId(), kind, eventAt: at }, at),
    attemptsMade: 1,
    queuedUntil: null,
  }))
  await service.db.tx((tx) => insertDeliveries(tx, rows))
}

/** Issues a credential and waits until its delivery arrives. */
async function deliverOne(tenant: TestTenant, receiver: Receiver): Promise<void> {
  const id = await issueOne(tenant.id)
  await eventually(async () => receiver.deliveries.some(({ body }) => body.event.payload.credentialId === id))
}

/** Accepts connections and never answers. */
async function startSilence() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.resume()
    sockets.add(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function refused() {
  const url = `http://127.0.0.1:${await freePort()}/hook`
  return { url, async [Symbol.asyncDispose]() {} }
}

// At once: nearly all that they do is to wait.
test.concurrent.for([
  ['refuses connections', refused],
  ['accepts connections and never answers', startSilence],
] as const)(
  'thousands of deliveries to a receiver that %s delay no other tenant',
  async ([, dead], { onTestFailed }) => {
    onTestFailed(() => console.error(service.errorOutput().slice(-5_000)))
    const [flooded, quiet] = [await service.addTenant(), await service.addTenant()]
    await using receiver = await dead()
    await using prompt = await startReceiver()
    await subscribe(quiet, prompt.url)
    await deliverOne(quiet, prompt)
    await insertDue(flooded.id, await subscribe(flooded, receiver.url))
    const rowsOfFlood = () => service.db.read.select().from(deliveries).where(eq(deliveries.tenantId, flooded.id))
    const attemptsOf = (rows: DeliveryRow[]) => rows.reduce((sum, row) => sum + row.attempts.length, 0)
    await eventually(async () => attemptsOf(await rowsOfFlood()) > 0)
    for (let count = 0; count < deliveryCount; count++) await deliverOne(quiet, prompt)

    // A delivery behind the flood would arrive after thousands of attempts.
    const rows = await rowsOfFlood()
    expect(rows.filter(({ state }) => state === 'pending')).toHaveLength(floodSize)
    expect(attemptsOf(rows)).toBeLessThan(50)
  },
)
