import { generateKeyPairSync } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { endLine, findLine } from '../../db/repos/messaging/outgoing-messages.ts'
import { outgoingLines } from '../../db/tables/messaging/outgoing-lines.ts'
import { outgoingMessages } from '../../db/tables/messaging/outgoing-messages.ts'
import type { EncryptedMessage } from '../../shared/domain/messaging/messages.ts'
import { sendLine } from '../../workers/delivery/messages/send-line.ts'
import { startWorkers } from '../../workers/start.ts'
import { recoverDeliveries } from '../../workers/upkeep/recover-deliveries.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import type { ReceivedDelivery } from '../servers/receiver.ts'
import { type Recipient, startRecipient } from '../servers/recipient.ts'
import { newJwe } from '../wallets/messages.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ retryPausesMs: [40, 40] })
})
afterAll(() => service[Symbol.asyncDispose]())

const inboxes = '/v1/messaging/inboxes'

const send = ({ operator }: Pick<TestTenant, 'operator'>, to: string, message: unknown = newJwe()) =>
  operator.post('/v1/messaging/send', { to, message })

async function sendAll(tenant: TestTenant, to: string, count: number): Promise<EncryptedMessage[]> {
  const messages = Array.from({ length: count }, () => newJwe())
  for (const message of messages)
    expect(await send(tenant, to, message)).toMatchObject({ status: 200, body: undefined })
  return messages
}

async function newInbox({ operator }: TestTenant, did: string): Promise<string> {
  const { body } = await operator.post(inboxes, { name: 'Desk' })
  expect(await operator.post(`${inboxes}/${body.id}/dids`, { did })).toMatchObject({ status: 201 })
  return `${inboxes}/${body.id}`
}

const payloadsIn = async ({ operator }: TestTenant, inbox: string) =>
  (await operator.get(`${inbox}/messages?limit=1000`)).body.data.map(({ payload }: { payload: unknown }) => payload)

const bodies = (received: ReceivedDelivery[]) => received.map(({ body }) => body)
/** Without those that came again. */
const firstOnes = (received: ReceivedDelivery[]) =>
  [...new Set(received.map(({ rawBody }) => rawBody))].map((each) => JSON.parse(each))

/** What is stored of a tenant's messages to a DID, in order. */
const stored = async (tenant: TestTenant, to: string) => {
  const rows = await service.deps.db.read
    .select({ message: outgoingMessages })
    .from(outgoingMessages)
    .innerJoin(outgoingLines, eq(outgoingLines.id, outgoingMessages.lineId))
    .where(and(eq(outgoingLines.tenantId, tenant.id), eq(outgoingLines.recipient, to)))
    .orderBy(asc(outgoingMessages.createdAt))
  return rows.map(({ message }) => message)
}

const ended = (tenant: TestTenant, to: string, count: number) =>
  eventually(async () => {
    const rows = await stored(tenant, to)
    return rows.length === count && rows.every(({ endedAt }) => endedAt !== null) && rows
  })

test('a message to a DID of this service is stored in its inbox once when it is sent, and only its tenant reads it', async () => {
  const [tenant, sender] = [await service.addTenant(), await service.addTenant()]
  const did: string = (await tenant.operator.post('/v1/dids', { method: 'key' })).body.did
  const inbox = await newInbox(tenant, did)
  const message = newJwe()
  for (const to of [did, `${did}#${did.slice('did:key:'.length)}`])
    expect(await send(sender, to, message)).toMatchObject({ status: 200, body: undefined })
  expect(await payloadsIn(tenant, inbox)).toStrictEqual([message])
  expect(await sender.operator.get(`${inbox}/messages`)).toMatchObject({ status: 404 })
})

test('a message that cannot be sent is refused by name and not stored', async () => {
  const tenant = await service.addTenant({ limits: { inboxMessages: 1 } })
  const refused = async (to: string, message: unknown, param: string) => {
    const answer = await send(tenant, to, message)
    expect(answer).toMatchObject({ status: 400, body: { details: [{ location: 'body' }] } })
    expect(answer.body.details[0].param).toBe(param)
  }
  await refused('unknown', newJwe(), 'to')
  await refused('did:web:example.org/path', newJwe(), 'to')
  await refused('did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH', newJwe(), 'to')
  await refused('did:example:123', newJwe(), 'to')
  await refused(tenant.did, { ...newJwe(), ciphertext: 'not base64url!' }, 'message.ciphertext')
  await refused(tenant.did, { ...newJwe(), recipients: [] }, 'message.recipients')
  await refused(tenant.did, 'text', 'message')
  expect(await send(tenant, tenant.did, newJwe(300_000))).toMatchObject({ status: 413 })

  await newInbox(tenant, tenant.did)
  await sendAll(tenant, tenant.did, 1)
  expect(await send(tenant, tenant.did)).toMatchObject({
    status: 409,
    body: { code: 'Conflict', message: "The recipient's inbox is full. Try again later." },
  })
})

test('a message to an external DID is sent unchanged to the address in its document, and its content is then deleted', async () => {
  const tenant = await service.addTenant()
  await using recipient = await startRecipient()
  const did = recipient.did('ann')
  const [message] = await sendAll(tenant, did, 1)
  const rows = await ended(tenant, did, 1)
  const [received] = recipient.messages('ann')
  expect(received).toMatchObject({ method: 'POST', path: '/ann', body: message })
  expect(received!.headers['content-type']).toBe('application/didcomm-encrypted+json')
  expect(rows).toMatchObject([{ state: 'delivered', message: null, attemptsMade: 1, lastAttempt: { status: 200 } }])
  // The line ends after its last message, in a transaction of its own.
  const line = await eventually(async () => {
    const [found] = await service.deps.db.read.select().from(outgoingLines).where(eq(outgoingLines.recipient, did))
    return found?.queuedUntil === null && found
  })
  expect(line).toMatchObject({ nextAttemptAt: null, queuedUntil: null })
})

test('a message of the maximum size is sent', async () => {
  const tenant = await service.addTenant()
  const inbox = await newInbox(tenant, tenant.did)
  const largest = newJwe(280_000)
  expect(await send(tenant, tenant.did, largest)).toMatchObject({ status: 200 })
  expect(await payloadsIn(tenant, inbox)).toStrictEqual([largest])
})

test.each(['did:web:', 'did:web:host.example:%20', 'did:web:host.example:..', 'did:web:host.example%3A99999'])(
  'an unresolvable DID is refused at once: %s',
  async (to) => {
    const answer = await send(service, to)
    expect(answer).toMatchObject({ status: 400, body: { details: [{ param: 'to', location: 'body' }] } })
  },
)

test.concurrent('the next message waits for the delivery of the previous one and never overtakes it', async () => {
  const tenant = await service.addTenant()
  await using recipient = await startRecipient({ answer: (_name, count) => ({ status: count < 2 ? 503 : 202 }) })
  const did = recipient.did('ann')
  const messages = await sendAll(tenant, did, 5)
  await ended(tenant, did, 5)
  expect(bodies(recipient.messages('ann'))).toStrictEqual([messages[0], messages[0], ...messages])
})

test.concurrent('a message fails at the end of the schedule with an event, and then the next one is sent', async () => {
  const tenant = await service.addTenant()
  const lost = newJwe()
  const isLost = ({ body }: ReceivedDelivery) => body.tag === lost.tag
  await using recipient = await startRecipient({
    answer: (_name, _count, message) => ({ status: isLost(message) ? 500 : 200 }),
  })
  const did = recipient.did('ann')
  const { headers } = await send(tenant, did, lost)
  const [next] = await sendAll(tenant, did, 1)
  const rows = await ended(tenant, did, 2)
  expect(rows).toMatchObject([{ state: 'failed', message: null }, { state: 'delivered' }])
  expect(bodies(recipient.messages('ann'))).toStrictEqual([lost, lost, lost, next])
  const { body } = await tenant.operator.get(
    `/v1/events?types=MESSAGING_SEND_GIVEN_UP&requestIds=${headers['x-request-id']}`,
  )
  expect(body.data).toMatchObject([
    { category: 'MESSAGING', data: { id: rows[0]!.id, to: did, attempts: 3, lastAttempt: { status: 500 } } },
  ])
})

const hostile: [endpoint: string, services: (name: string, url: string) => unknown][] = [
  ['no service', () => undefined],
  ['a private address', () => [{ id: '#1', type: 'DIDCommMessaging', serviceEndpoint: 'https://10.0.0.1/' }]],
  [
    'an address of the metadata service',
    () => [
      {
        id: '#1',
        type: 'DIDCommMessaging',
        serviceEndpoint: ['http://169.254.169.254/', { uri: 'https://[::ffff:10.0.0.1]/' }],
      },
    ],
  ],
  [
    'no address but a DID',
    () => [{ id: '#1', type: 'DIDCommMessaging', serviceEndpoint: { uri: 'did:example:mediator' } }],
  ],
  [
    'something else',
    () => [
      { id: '#1', type: 'DIDCommMessaging', serviceEndpoint: { uri: { deep: [1] } } },
      { id: '#2', type: 'X', serviceEndpoint: 7 },
    ],
  ],
  ['a redirect', (_name, url) => [{ id: '#1', type: 'DIDCommMessaging', serviceEndpoint: `${url}/redirect` }]],
]
test.concurrent('without an allowed address in the document no request is sent, and the message fails', async () => {
  await Promise.all(
    hostile.map(async ([_name, services]) => {
      const tenant = await service.addTenant()
      await using target = await startRecipient()
      const redirect = { status: 307, headers: { location: `${target.url}/stolen` } }
      await using recipient = await startRecipient({ services, answer: () => redirect })
      await sendAll(tenant, recipient.did('ann'), 1)
      const [row] = await ended(tenant, recipient.did('ann'), 1)
      expect(row).toMatchObject({ state: 'failed', attemptsMade: 3 })
      expect(target.messages('stolen')).toEqual([])
    }),
  )
})

test('after a message that used the whole schedule, messages of the same age are tried once', async () => {
  const tenant = await service.addTenant()
  await using recipient = await startRecipient({ answer: () => ({ status: 500 }) })
  const did = recipient.did('ann')
  await service.workers.stop()
  await sendAll(tenant, did, 3)
  const old = new Date(Date.now() - 25 * 3_600_000)
  await service.deps.db.tx((tx) =>
    tx.update(outgoingMessages).set({ createdAt: old }).where(eq(outgoingMessages.tenantId, tenant.id)),
  )
  await service.workers.start()
  await ended(tenant, did, 3)
  expect(recipient.messages('ann')).toHaveLength(3)
})

test('a receiver that does not answer delays no other recipient', async () => {
  const [tenant, neighbour] = [await service.addTenant(), await service.addTenant()]
  await using dead = await startRecipient({ answer: () => ({ delayMs: 20_000 }) })
  await using alive = await startRecipient()
  const names = Array.from({ length: 40 }, (_, n) => `n${n}`)
  await Promise.all(names.map((name) => send(tenant, dead.did(name))))
  await sendAll(tenant, alive.did('ann'), 2)
  await sendAll(neighbour, alive.did('ann'), 2)
  await Promise.all([ended(tenant, alive.did('ann'), 2), ended(neighbour, alive.did('ann'), 2)])
  expect(await stored(tenant, dead.did('n0'))).toMatchObject([{ state: 'pending' }])
})

test('a recipient that registers at this service gets its waiting messages in its inbox, then later ones', async () => {
  const [tenant, sender] = [await service.addTenant(), await service.addTenant()]
  let published: object | undefined
  await using recipient = await startRecipient({ document: () => published })
  const host = `${tenant.id.slice(0, 8)}.localhost:${new URL(recipient.url).port}`
  const { did, localMetadata } = (await tenant.operator.post('/v1/dids', { method: 'web', options: { url: host } }))
    .body
  const inbox = await newInbox(tenant, did)
  await service.workers.stop()
  const messages = await sendAll(sender, did, 3)
  // It is not the domain's word yet that the tenant speaks for it: that one is waited for.
  expect(await payloadsIn(tenant, inbox)).toEqual([])
  const { initialDidDocument: document } = localMetadata
  const [first, ...others] = document.verificationMethod
  const publicKeyJwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  published = { ...document, verificationMethod: [{ ...first, publicKeyJwk }, ...others] }
  await service.workers.start()
  await eventually(async () => (await stored(sender, did))[0]!.attemptsMade > 0)
  expect(await payloadsIn(tenant, inbox)).toEqual([])

  published = document
  service.clock.advance(61_000)
  const rows = await ended(sender, did, 3)
  expect(rows.at(-1)).toMatchObject({ state: 'delivered' })
  const last = await sendAll(sender, did, 1)
  const payloads = await payloadsIn(tenant, inbox)
  expect(payloads).toStrictEqual([...messages.slice(-payloads.length + 1), ...last])
  expect(await stored(sender, did)).toHaveLength(3)
})

test('a message that an inbox could accept at once does not overtake waiting messages', async () => {
  const tenant = await service.addTenant()
  const { did } = (await tenant.operator.post('/v1/dids', { method: 'web', options: { url: 'waiting.invalid' } })).body
  await service.workers.stop()
  const messages = await sendAll(tenant, did, 2)
  const inbox = await newInbox(tenant, did)
  messages.push(...(await sendAll(tenant, did, 2)))
  expect(await payloadsIn(tenant, inbox)).toEqual([])
  await service.workers.start()
  await ended(tenant, did, 4)
  messages.push(...(await sendAll(tenant, did, 1)))
  expect(await payloadsIn(tenant, inbox)).toStrictEqual(messages)
})

test('concurrent messages are queued one after another, and a queue that ends loses none', async () => {
  const tenant = await service.addTenant()
  const { db, clock } = service.deps
  await service.workers.stop()
  for (let round = 0; round < 25; round++) {
    const to = `did:web:r${round}.invalid`
    await Promise.all([1, 2, 3].map(() => send(tenant, to)))
    const rows = await stored(tenant, to)
    expect(new Set(rows.map(({ createdAt }) => createdAt.getTime())).size).toBe(3)

    const { lineId } = rows[0]!
    const findIt = async () => (await findLine(db.read, tenant.id, lineId))!
    await db.tx((tx) =>
      tx.update(outgoingMessages).set({ state: 'delivered' }).where(eq(outgoingMessages.lineId, lineId)),
    )
    const queuedUntil = (await findIt()).queuedUntil!.getTime()
    const ending = db.tx((tx) => endLine(tx, { tenantId: tenant.id, lineId, queuedUntil }, clock.now()))
    const [isLeft] = await Promise.all([ending, send(tenant, to)])
    const { nextAttemptAt, idleSince } = await findIt()
    expect([isLeft, nextAttemptAt === null, idleSince]).toEqual([expect.any(Boolean), false, null])
  }
  await service.deps.bus.queue('delivery').obliterate({ force: true })
  await db.tx((tx) => tx.delete(outgoingLines).where(eq(outgoingLines.tenantId, tenant.id)))
  await service.workers.start()
})

test('a long answer is read only as far as necessary, and the first allowed address is used', async () => {
  const tenant = await service.addTenant()
  const services = (_name: string, url: string) => [
    { id: '#0', type: 'LinkedDomains', serviceEndpoint: `${url}/page` },
    {
      id: '#1',
      type: ['DIDCommMessaging'],
      serviceEndpoint: [{ uri: 'ftp://example.org' }, { uri: `${url}/messages`, accept: ['didcomm/v2'] }],
    },
  ]
  await using recipient = await startRecipient({ services, answer: () => ({ body: 'x'.repeat(5_000_000) }) })
  await sendAll(tenant, recipient.did('ann'), 1)
  expect(await ended(tenant, recipient.did('ann'), 1)).toMatchObject([
    { state: 'delivered', lastAttempt: { status: 200 } },
  ])
  expect(recipient.messages('ann')).toMatchObject([{ path: '/ann/messages' }])
})

test('the number of waiting messages is limited', async () => {
  const tenant = await service.addTenant({ limits: { outgoingMessages: 3 } })
  await service.workers.stop()
  const to = (name: string) => `did:web:${name}.invalid`
  await sendAll(tenant, to('ann'), 2)
  await sendAll(tenant, to('bob'), 1)
  expect(await send(tenant, to('cat'))).toMatchObject({
    status: 409,
    body: { message: 'At most 3 messages of a tenant can wait. Try again later.' },
  })
  expect(await stored(tenant, to('cat'))).toEqual([])
  await service.workers.start()
})

/** As the process is left that dies when an answer has come. */
function dying(db: Database): Database {
  return { ...db, read: db.read, tx: () => Promise.reject(new Error('killed')) }
}

test('a message of a worker that was killed before it recorded the attempt is sent again, followed by the next one', async () => {
  const tenant = await service.addTenant()
  await using recipient = await startRecipient()
  const did = recipient.did('ann')
  await service.workers.stop()
  const messages = await sendAll(tenant, did, 2)
  const [line] = await service.deps.db.read.select().from(outgoingLines).where(eq(outgoingLines.recipient, did))
  const { deps } = service
  const attemptLimiter = {
    acquire: async () => ({ measure: (request: () => unknown) => request(), release() {} }),
  } as never
  const killed = sendLine(
    { ...deps, db: dying(deps.db), attemptLimiter },
    { tenantId: tenant.id, lineId: line!.id, queuedUntil: line!.queuedUntil!.getTime() },
  )
  await expect(killed).rejects.toThrow('killed')
  expect(bodies(recipient.messages('ann'))).toStrictEqual([messages[0]])

  // Redis has lost the job too. The queue is free again when no job can hold it.
  await deps.bus.queue('delivery').obliterate({ force: true })
  await deps.db.tx((tx) =>
    tx
      .update(outgoingLines)
      .set({ queuedUntil: new Date(Date.now() - 120_000) })
      .where(eq(outgoingLines.id, line!.id)),
  )
  await recoverDeliveries({ ...deps })
  await service.workers.start()
  await ended(tenant, did, 2)
  expect(bodies(recipient.messages('ann'))).toStrictEqual([messages[0], ...messages])
})

test('two workers keep the order of each recipient despite failures', async () => {
  const second = await startWorkers(['delivery'], {
    ...service.deps,
    broker: service.broker,
    retryPausesMs: [40, 40],
  })
  const tenant = await service.addTenant()
  let asked = 0
  await using recipient: Recipient = await startRecipient({
    answer: () => ({ status: ++asked % 9 === 0 ? 503 : 200, delayMs: asked % 3 }),
  })
  const names = ['ann', 'bob', 'cat', 'dan']
  const sent = new Map<string, EncryptedMessage[]>()
  const sending = names.map(async (name) => sent.set(name, await sendAll(tenant, recipient.did(name), 8)))
  await Promise.all(sending)
  for (const name of names) {
    await ended(tenant, recipient.did(name), 8)
    expect(firstOnes(recipient.messages(name))).toStrictEqual(sent.get(name))
  }
  await second.stop()
})
