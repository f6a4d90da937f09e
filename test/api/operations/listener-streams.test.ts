import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Deps } from '../../../api/deps.ts'
import { firstToRead, forgetBefore, readByAll } from '../../../api/operations/webhooks/read-marks.ts'
import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts'
import {
  findNewListenerRequests,
  insertListenerRequest,
  renewLeases,
} from '../../../db/repos/operations/webhooks/listeners.ts'
import { plusMs } from '../../../shared/clock.ts'
import { newIdAt, newOrderedId } from '../../../shared/ids.ts'
import { listenerRequestContext } from '../../../shared/secrets/stored-contexts.ts'
import { plansOf, wholeScansIn } from '../../db/plans.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'
import { startRedis } from '../../harness/redis.ts'
import { runProviderFor, settingsFor, signedIn } from '../console/provider-people.ts'

let service: Service
let outage: ReturnType<typeof outageOf>
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
  outage = outageOf(service)
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
})

/** Makes the database fail for the web process. The test still writes, and can let single reads through. */
function outageOf({ deps: { db } }: Service) {
  const { read, tx } = db
  const state = { isOver: true, allowedReads: 0, failedReads: 0 }
  const isRefused = () => !state.isOver && state.allowedReads-- <= 0
  Object.defineProperty(db, 'read', {
    get() {
      if (!isRefused()) return read
      state.failedReads++
      throw new DatabaseUnavailable(new Error('outage of the test'))
    },
  })
  db.tx = async (work, options) => {
    if (state.isOver) return tx(work, options)
    throw new DatabaseUnavailable(new Error('outage of the test'))
  }
  return { state, write: tx }
}

interface Listener {
  tenantId: string
  webhookId: string
}

interface Stream extends Listener {
  response: IncomingMessage
  text: string
}

interface Client {
  clientId: string
  clientSecret: string
}

const bearerOf = async ({ host }: TestTenant, { clientId, clientSecret }: Client, { origin } = service) => ({
  Authorization: `Bearer ${await tokenOf(origin, host, clientId, clientSecret)}`,
})

/** Makes a listener and opens its stream. Ends when the stream is read and the lease was renewed. */
async function newStream(tenant: TestTenant, signIn?: Record<string, string>, { origin } = service): Promise<Stream> {
  const { host, operator } = tenant
  const listener = { forwardTo: 'http://localhost:4000/', events: ['OpenIdCredentialIssued'] }
  const { body } = await operator.post('/v1/webhooks/listeners', listener)
  const path = `/v1/webhooks/listeners/${body.id}/stream`
  const headers = { Host: host, ...(signIn ?? (await bearerOf(tenant, tenant))) }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(origin + path, { headers }, resolve).on('error', reject)
  })
  expect(response.statusCode).toBe(200)
  const stream: Stream = { tenantId: tenant.id, webhookId: body.id, response, text: '' }
  response.on('data', (chunk) => {
    stream.text += chunk
  })
  await expect.poll(() => stream.text).toContain(': open')
  return stream
}

const idsIn = ({ text }: Stream) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)

/** Stores a request for a listener. */
function addRequest(listener: Listener, id = newOrderedId(service.clock.now())): Promise<string> {
  return storeRequest(listener, { ...service.deps, id, write: outage.write })
}

/** Stores a request for a listener, as a worker does. */
async function storeRequest(
  { tenantId, webhookId }: Listener,
  { id, clock, secrets, write }: Pick<Deps, 'clock' | 'secrets'> & { id: string; write: Deps['db']['tx'] },
): Promise<string> {
  const sealedRequest = secrets.seal('{}', listenerRequestContext(id))
  const row = { id, tenantId, webhookId, sealedRequest, createdAt: clock.now() }
  await write((tx) => insertListenerRequest(tx, row))
  return id
}

test('streams stay open in an outage of the database, and then one query serves all of them', async () => {
  const tenants = [service, await service.addTenant(), await service.addTenant()]
  const streams: Stream[] = []
  for (const tenant of tenants) streams.push(await newStream(tenant), await newStream(tenant))
  // Only the streams read.
  await service.workers.stop()
  Object.assign(outage.state, { isOver: false, failedReads: 0 })
  await eventually(async () => outage.state.failedReads >= 3)
  const ids: string[] = []
  for (const stream of streams) ids.push(await addRequest(stream))
  outage.state.allowedReads = 1
  await expect.poll(() => streams.map(idsIn)).toEqual(ids.map((id) => [id]))
  outage.state.isOver = true
  const later = await addRequest(streams[0]!)
  await expect.poll(() => idsIn(streams[0]!)).toEqual([ids[0], later])
  expect(streams.map(idsIn).slice(1)).toEqual(ids.slice(1).map((id) => [id]))
  for (const { response } of streams) response.destroy()
  await service.workers.start()
})

test('a stream goes on while Redis does not answer', { tags: 'redis' }, async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  await using own = await startService({ roles: ['signing'], redisUrl: redis.url })
  const stream = await newStream(own, await bearerOf(own, own, own), own)
  redis.process.kill('SIGSTOP')
  try {
    const id = await storeRequest(stream, { ...own.deps, id: newOrderedId(own.clock.now()), write: own.deps.db.tx })
    await expect.poll(() => idsIn(stream)).toEqual([id])
  } finally {
    redis.process.kill('SIGCONT')
  }
  stream.response.destroy()
})

test('in an outage of the database a stream ends with the lease of its listener', async () => {
  const { response } = await newStream(await service.addTenant())
  outage.state.isOver = false
  service.clock.advance(61_000)
  await expect.poll(() => response.complete).toBe(true)
  outage.state.isOver = true
})

test('a stream ends some seconds after the session, the tokens or the client of its caller', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  await using provider = await runProviderFor(tenant.baseUrl)
  expect(await operator.put('/v1/sign-in-provider', settingsFor(provider))).toMatchObject({ status: 200 })
  const clients = `/v1/tenants/${tenant.id}/clients`
  const newClient = async () => (await operator.post(clients, { name: 'Program', roles: ['issuer'] })).body
  const [deleted, ended] = [await newClient(), await newClient()]
  const open = await newStream(tenant)
  const ofDeleted = await newStream(tenant, await bearerOf(tenant, deleted))
  const ofEnded = await newStream(tenant, await bearerOf(tenant, ended))
  const ofSession = await newStream(tenant, await signedIn(tenant, 'tess'))
  const later = timeAdvance()

  later(6_000)
  const ids = [await addRequest(open), await addRequest(ofSession)]
  await expect.poll(() => [open, ofSession].map(idsIn)).toEqual(ids.map((id) => [id]))
  expect((await operator.delete(`${clients}/${deleted.clientId}`)).status).toBe(204)
  for (const owner of [{ clientId: ended.clientId }, { managementUserId: 'tess' }])
    expect((await operator.post('/v1/console-sessions/end', owner)).status).toBe(200)
  later(6_000)
  const responses = [ofDeleted, ofEnded, ofSession].map((each) => each.response)
  await expect.poll(() => responses.map(({ complete }) => complete), { timeout: 20_000 }).toEqual([true, true, true])
  const last = await addRequest(open)
  await expect.poll(() => idsIn(open)).toEqual([ids[0], last])
  open.response.destroy()
})

/** Leases are renewed by the time of `performance.now()`. Returns a function that moves it. */
function timeAdvance() {
  const now = performance.now.bind(performance)
  let advance = 0
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + advance)
  onTestFinished(() => spy.mockRestore())
  return (ms: number) => {
    advance += ms
  }
}

test('a request is sent once, also if a request with a higher id was stored before', async () => {
  const stream = await newStream(await service.addTenant())
  const [lower, higher] = [newOrderedId(service.clock.now()), newOrderedId(service.clock.now())]
  await addRequest(stream, higher)
  await expect.poll(() => idsIn(stream)).toEqual([higher])
  await addRequest(stream, lower)
  await expect.poll(() => idsIn(stream)).toEqual([higher, lower])
  const last = await addRequest(stream)
  await expect.poll(() => idsIn(stream)).toEqual([higher, lower, last])
  stream.response.destroy()
})

test('a request of a worker whose clock is behind is sent after that of one whose clock is ahead', async () => {
  const stream = await newStream(await service.addTenant())
  const at = service.clock.now()
  const [behind, ahead] = [newIdAt(plusMs(at, -40_000)), newIdAt(plusMs(at, 40_000))]
  await addRequest(stream, ahead)
  await expect.poll(() => idsIn(stream)).toEqual([ahead])
  await addRequest(stream, behind)
  await expect.poll(() => idsIn(stream)).toEqual([ahead, behind])
  stream.response.destroy()
})

test('a query returns the requests of several tenants that were not read, and an index finds them', async () => {
  const listeners = [1, 2].map((number) => ({ tenantId: `tenant ${number}`, webhookId: `listener ${number}` }))
  const [mine = '', theirs = '', read = ''] = [
    await addRequest(listeners[0]!),
    await addRequest(listeners[1]!),
    await addRequest(listeners[1]!),
  ]
  const { db } = service.deps
  const find = (of: { tenantId: string; webhookId: string; from: string; read: string[] }[]) =>
    findNewListenerRequests(db.read, of, 10).then((rows) => rows.map(({ id }) => id))
  const unread = listeners.map((each) => ({ ...each, from: '', read: [] as string[] }))
  expect(await find(unread)).toEqual([mine, theirs, read])
  expect(await find(unread.map((each) => ({ ...each, read: [read] })))).toEqual([mine, theirs])
  expect(await find(unread.map((each) => ({ ...each, from: theirs })))).toEqual([theirs, read])
  expect(await find(unread.map((each) => ({ ...each, tenantId: 'tenant 1' })))).toEqual([mine])
  const plans = await plansOf(service.deps.config.databaseUrl, async (tx) => {
    await findNewListenerRequests(tx, unread, 10)
    await renewLeases(tx, listeners, service.clock.now())
  })
  expect(plans).toHaveLength(2)
  expect(plans.join('\n')).toContain('listener_requests_page')
  expect(wholeScansIn(plans).filter((plan) => /(SCAN|Seq Scan on) (listener_requests|webhooks)/.test(plan))).toEqual([])
})

test('a lease is renewed for the tenant of the listener only', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const listener = { forwardTo: 'http://localhost:4000/', events: ['OpenIdCredentialIssued'] }
  const { body } = await tenant.operator.post('/v1/webhooks/listeners', listener)
  const until = plusMs(service.clock.now(), 1_000)
  const renew = ({ id }: TestTenant) =>
    service.deps.db.tx((tx) => renewLeases(tx, [{ tenantId: id, webhookId: body.id }], until))
  expect(await renew(other)).toEqual(new Set())
  expect(await renew(tenant)).toEqual(new Set([body.id]))
})

test('marks are given up by the time of this process, two minutes after that of the request', () => {
  const at = service.clock.now()
  const [old, young] = [newIdAt(plusMs(at, -121_000)), newIdAt(plusMs(at, -119_000))]
  const [marks, other] = [new Set([young, old]), new Set([old])]
  expect(readByAll([marks, other])).toEqual([old])
  expect(readByAll([marks])).toEqual([young, old])
  forgetBefore(marks, firstToRead(at))
  expect([...marks]).toEqual([young])
})
