import { generateKeyPair, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { exportJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerDid } from '../../../db/repos/messaging/inbox-dids.ts'
import { putMessage, storeInInboxes } from '../../../db/repos/messaging/inbox-messages.ts'
import { insertInbox } from '../../../db/repos/messaging/inboxes.ts'
import { inboxMessages } from '../../../db/tables/messaging/inbox-messages.ts'
import { plusMs } from '../../../shared/clock.ts'
import { messageBytes } from '../../../shared/domain/messaging/messages.ts'
import { didKeyOf } from '../../../shared/formats/did-key.ts'
import { parsePublicJwk } from '../../../shared/formats/jwk.ts'
import { purgeExpired } from '../../../workers/upkeep/purge-expired.ts'
import type { ApiResponse } from '../../harness/api-client.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'
import { newJwe, newMessage } from '../../wallets/messages.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const inboxes = '/v1/messaging/inboxes'
const newKey = promisify(generateKeyPair)

async function newInbox({ operator }: Pick<TestTenant, 'operator'>, name = 'Desk'): Promise<string> {
  const { status, body } = await operator.post(inboxes, { name })
  expect(status).toBe(201)
  return `${inboxes}/${body.id}`
}

async function newDid({ operator }: TestTenant, options: Record<string, unknown> = { method: 'key' }): Promise<string> {
  return (await operator.post('/v1/dids', options)).body.did
}

const idOf = (inbox: string) => inbox.slice(inbox.lastIndexOf('/') + 1)
const registrationIn = (inbox: string, did: string) => `${inbox}/dids/${encodeURIComponent(did)}`
const messagesIn = async ({ operator }: TestTenant, inbox: string, query = '') =>
  (await operator.get(`${inbox}/messages${query}`)).body

/** Delivers a message like the sender's tenant. */
const put = (sender: TestTenant, recipient: string, message = newJwe(), at = service.clock.now()) =>
  service.deps.db.tx((tx) => storeInInboxes(tx, { senderId: sender.id, recipient, message, at }))

/** A did:key with an external key, and a function that signs with the key. */
async function foreignDid() {
  const { privateKey, publicKey } = await newKey('ed25519')
  const did = didKeyOf(parsePublicJwk(await exportJWK(publicKey)))
  const sign = (aud: string, claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
    new SignJWT({ iss: did, aud, exp: Math.floor(service.clock.now().getTime() / 1000) + 240, ...claims })
      .setProtectedHeader({ alg: 'EdDSA', ...header })
      .sign(privateKey)
  return { did, sign }
}

test('an inbox is created, renamed, listed and deleted, and then answers 404', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const inbox = await newInbox(tenant)
  const id = idOf(inbox)
  expect(await operator.put(inbox, { name: ' Front desk ' })).toMatchObject({
    status: 200,
    body: { id, name: 'Front desk' },
  })
  expect((await operator.get(inbox)).body).toStrictEqual({ id, name: 'Front desk' })
  expect((await operator.get(inboxes)).body).toStrictEqual({ data: [{ id, name: 'Front desk' }] })
  expect(await operator.post(inboxes, { name: '' })).toMatchObject({
    status: 400,
    body: { details: [{ param: 'name' }] },
  })
  expect(await operator.delete(inbox)).toMatchObject({ status: 204 })
  for (const gone of [inbox, `${inbox}/dids`, `${inbox}/messages`]) {
    expect(await operator.get(gone)).toMatchObject({ status: 404, body: { details: [{ param: 'id' }] } })
  }
})

test("a managed DID and the tenant's own DID are registered without proof, in one inbox at a time", async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const [first, second] = [await newInbox(tenant), await newInbox(tenant)]
  const kept = await newDid(tenant)
  for (const did of [kept, tenant.did]) {
    expect(await operator.post(`${first}/dids`, { did })).toMatchObject({ status: 201, body: { did } })
  }
  expect((await operator.get(`${first}/dids`)).body).toStrictEqual({ data: [kept, tenant.did] })
  const { body: page } = await operator.get(`${first}/dids?limit=1`)
  expect(page.data).toEqual([kept])
  expect((await operator.get(`${first}/dids?limit=1&cursor=${page.nextCursor}`)).body).toStrictEqual({
    data: [tenant.did],
  })
  for (const inbox of [first, second])
    expect(await operator.post(`${inbox}/dids`, { did: kept })).toMatchObject({ status: 409 })

  expect(await operator.delete(registrationIn(second, kept))).toMatchObject({ status: 404 })
  expect(await operator.delete(registrationIn(first, kept))).toMatchObject({ status: 204 })
  expect(await operator.delete(registrationIn(first, kept))).toMatchObject({ status: 404 })
  expect(await operator.post(`${second}/dids`, { did: kept })).toMatchObject({ status: 201 })
  // A deleted inbox releases its DIDs.
  await operator.delete(first)
  expect(await operator.post(`${second}/dids`, { did: tenant.did })).toMatchObject({ status: 201 })
})

test('a deleted DID is removed from its inbox', async () => {
  const tenant = await service.addTenant()
  const inbox = await newInbox(tenant)
  const did = await newDid(tenant)
  await tenant.operator.post(`${inbox}/dids`, { did })
  expect(await tenant.operator.delete(`/v1/dids/${encodeURIComponent(did)}`)).toMatchObject({ status: 204 })
  expect((await tenant.operator.get(`${inbox}/dids`)).body.data).toEqual([])
  expect(await put(tenant, did)).toBe('nowhere')
})

describe('an external DID', () => {
  const register = async (tenant: TestTenant, did: string, jwt?: string): Promise<ApiResponse> =>
    tenant.operator.post(`${await newInbox(tenant)}/dids`, { did, jwt })

  test('is registered only with a JWT for this tenant that one of its keys signed', async () => {
    const tenant = await service.addTenant()
    const neighbour = await service.addTenant()
    const { did, sign } = await foreignDid()
    expect(await register(tenant, did)).toMatchObject({
      status: 400,
      body: { details: [{ param: 'jwt', location: 'body' }] },
    })
    expect(await register(tenant, await newDid(neighbour))).toMatchObject({ status: 400 })
    const jwt = await sign(tenant.baseUrl, {}, { kid: `${did}#${did.slice('did:key:'.length)}` })
    expect(await register(neighbour, did, jwt)).toMatchObject({ status: 400 })
    expect(await register(tenant, did, jwt)).toMatchObject({ status: 201, body: { did } })
    // Another tenant can register the DID too. Both receive its messages.
    expect(await register(neighbour, did, await sign(neighbour.baseUrl))).toMatchObject({ status: 201 })
  })

  type Foreign = Awaited<ReturnType<typeof foreignDid>>
  const seconds = (after: number) => Math.floor(service.clock.now().getTime() / 1000) + after
  const wrong: Record<string, (foreign: Foreign, aud: string) => Promise<string> | string> = {
    'of another issuer': ({ sign }, aud) =>
      sign(aud, { iss: 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH' }),
    'without an issuer': ({ sign }, aud) => sign(aud, { iss: undefined }),
    'for another audience': ({ sign }) => sign('https://elsewhere.example'),
    'that is expired': ({ sign }, aud) => sign(aud, { exp: seconds(-60) }),
    'that never expires': ({ sign }, aud) => sign(aud, { exp: undefined }),
    'that expires in an hour': ({ sign }, aud) => sign(aud, { exp: seconds(3_600) }),
    'that is not valid yet': ({ sign }, aud) => sign(aud, { nbf: seconds(120) }),
    'whose kid is another key': ({ sign }, aud) =>
      sign(
        aud,
        {},
        {
          kid: 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH#z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
        },
      ),
    'whose kid is no key of the document': ({ sign }, aud) => sign(aud, {}, { kid: '#other' }),
    'with an unknown critical member': async ({ sign }, aud) => {
      const [, payload, signature] = (await sign(aud)).split('.')
      const header = Buffer.from('{"alg":"EdDSA","crit":["x"],"x":1}').toString('base64url')
      return [header, payload, signature].join('.')
    },
    'of another key': async ({ did }, aud) => (await foreignDid()).sign(aud, { iss: did }),
    'without a signature': async ({ sign }, aud) => {
      const [, payload] = (await sign(aud)).split('.')
      return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    },
    'that is not a JWT': () => 'none',
  }
  test.each(Object.keys(wrong))('is not registered with a JWT %s', async (name) => {
    const foreign = await foreignDid()
    const answer = await register(service, foreign.did, await wrong[name]!(foreign, service.baseUrl))
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BadRequest', details: [{ param: 'jwt', location: 'body' }] },
    })
    expect(answer.body.details[0].msg).toMatch(/^(Its? |The document of the DID does not have the key)/)
    expect(await put(service, foreign.did)).toBe('nowhere')
  })

  test('is not registered if its document cannot be resolved', async () => {
    const { sign } = await foreignDid()
    const jwt = await sign(service.baseUrl)
    const answer = await register(service, 'did:web:nowhere.invalid', jwt)
    expect(answer).toMatchObject({ status: 400, body: { details: [{ param: 'did' }] } })
    expect(await register(service, 'did:example:123', jwt)).toMatchObject({ status: 400 })
  })
})

test('a managed did:web of an unproven domain receives no messages of other tenants', async () => {
  const [tenant, sender] = [await service.addTenant(), await service.addTenant()]
  const did = await newDid(tenant, { method: 'web', options: { url: `${tenant.id.slice(0, 8)}.example.org` } })
  const inbox = await newInbox(tenant)
  expect(await tenant.operator.post(`${inbox}/dids`, { did })).toMatchObject({ status: 201 })
  expect(await put(sender, did)).toBe('nowhere')
  expect(await put(tenant, did)).toBe('put')
  expect((await messagesIn(tenant, inbox)).data).toHaveLength(1)
})

test('messages are unchanged, in the order of arrival, and stay until they are deleted', async () => {
  const [tenant, sender] = [await service.addTenant(), await service.addTenant()]
  const inbox = await newInbox(tenant)
  await tenant.operator.post(`${inbox}/dids`, { did: tenant.did })
  const sent = Array.from({ length: 4 }, () => newJwe())
  const at = service.clock.now()
  // The clock can stand still or go back.
  for (const [count, message] of sent.entries()) await put(sender, tenant.did, message, plusMs(at, -count))

  const { data } = await messagesIn(tenant, inbox)
  expect(data.map(({ payload }: { payload: unknown }) => payload)).toStrictEqual(sent)
  const times = data.map(({ createdAt }: { createdAt: string }) => createdAt)
  expect(new Set(times).size).toBe(4)
  expect(times.toSorted()).toEqual(times)
  const [first] = data
  const { id } = first
  expect(first).toStrictEqual({
    id,
    inboxId: idOf(inbox),
    name: tenant.did,
    createdAt: at.toISOString(),
    payload: sent[0],
  })
  expect((await tenant.operator.get(`${inbox}/messages/${id}`)).body).toStrictEqual(first)

  const page = await messagesIn(tenant, inbox, '?limit=3')
  expect(page.data).toHaveLength(3)
  expect((await messagesIn(tenant, inbox, `?cursor=${page.nextCursor}`)).data).toStrictEqual([data[3]])
  expect(await tenant.operator.delete(`${inbox}/messages/${id}`)).toMatchObject({ status: 204 })
  expect(await tenant.operator.delete(`${inbox}/messages/${id}`)).toMatchObject({
    status: 404,
    body: { details: [{ param: 'messageid' }] },
  })
  expect((await messagesIn(tenant, inbox)).data).toStrictEqual(data.slice(1))
  // A message belongs to one inbox of the tenant.
  const other = await newInbox(tenant)
  expect(await tenant.operator.get(`${other}/messages/${data[1].id}`)).toMatchObject({ status: 404 })
})

test('an inbox stores a message once, even with concurrent deliveries', async () => {
  const tenant = await service.addTenant()
  const neighbour = await service.addTenant()
  const { did, sign } = await foreignDid()
  const places = [tenant, neighbour].map(async (each) => {
    const inbox = await newInbox(each)
    const answer = await each.operator.post(`${inbox}/dids`, { did, jwt: await sign(each.baseUrl) })
    expect(answer).toMatchObject({ status: 201 })
    return inbox
  })
  const [own, theirs] = await Promise.all(places)
  const message = newJwe()
  await Promise.all(Array.from({ length: 5 }, () => put(tenant, did, message)))
  for (const [each, inbox] of [
    [tenant, own!],
    [neighbour, theirs!],
  ] as const)
    expect((await messagesIn(each, inbox)).data).toMatchObject([{ payload: message, name: did }])
})

test('an inbox has a limit of messages, even with concurrent deliveries, and a page of large messages is shorter', async () => {
  const tenant = await service.addTenant({ limits: { inboxMessages: 60 } })
  const inbox = await newInbox(tenant)
  await tenant.operator.post(`${inbox}/dids`, { did: tenant.did })
  const outcomes: string[] = []
  // The transactions of an inbox follow each other, and one waits 5 s for a connection at most. The last 13 reach the limit together.
  while (outcomes.length < 65)
    outcomes.push(...(await Promise.all(Array.from({ length: 13 }, () => put(tenant, tenant.did, newJwe(60_000))))))
  expect(outcomes.filter((each) => each === 'put')).toHaveLength(60)
  expect(outcomes.filter((each) => each === 'full')).toHaveLength(5)

  const pages = await pagesOf<{ id: string }>(tenant.operator, `${inbox}/messages?limit=1000`)
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(60)
  expect(pages).toHaveLength(2)
})

test('an inbox has a limit of bytes, even with concurrent deliveries', async () => {
  const message = newJwe(30_000)
  const { bytes } = messageBytes(message)
  const tenant = await service.addTenant({ limits: { inboxBytes: 3 * bytes.length } })
  const inbox = await newInbox(tenant)
  await tenant.operator.post(`${inbox}/dids`, { did: tenant.did })
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => put(tenant, tenant.did, newJwe(30_000))))
  expect(outcomes.toSorted()).toEqual(['full', 'full', 'put', 'put', 'put'])
  const [{ id }] = (await messagesIn(tenant, inbox)).data
  await tenant.operator.delete(`${inbox}/messages/${id}`)
  expect(await put(tenant, tenant.did, newJwe(30_001))).toBe('full')
  expect(await put(tenant, tenant.did, message)).toBe('put')
})

test('a message goes to at most twenty inboxes, those with the oldest registrations', async () => {
  const { did } = await foreignDid()
  const at = service.clock.now()
  const tenantIds = Array.from({ length: 23 }, () => randomUUID())
  await service.deps.db.tx(async (tx) => {
    for (const [age, tenantId] of tenantIds.entries()) {
      const { id: inboxId } = await insertInbox(tx, tenantId, 'Desk', at)
      await registerDid(tx, tenantId, { inboxId, did, provenAt: at, at: plusMs(at, -age) })
    }
  })
  expect(await put(service, did)).toBe('put')
  const rows = await service.deps.db.read.select().from(inboxMessages)
  const reached = rows.filter(({ recipient }) => recipient === did).map(({ tenantId }) => tenantId)
  expect(reached.toSorted()).toEqual(tenantIds.slice(3).toSorted())
})

test("messages are deleted after the platform's retention period and with their inbox", async () => {
  const tenant = await service.addTenant({ limits: { inboxDays: 2 } })
  const neighbour = await service.addTenant()
  const inboxOf = new Map<TestTenant, string>()
  for (const each of [tenant, neighbour]) {
    inboxOf.set(each, await newInbox(each))
    await each.operator.post(`${inboxOf.get(each)}/dids`, { did: each.did })
    expect(await put(tenant, each.did)).toBe('put')
  }
  const later = { ...service.deps, clock: { now: () => plusMs(new Date(), 3 * 24 * 3_600_000) } }
  await purgeExpired(later)
  expect((await messagesIn(tenant, inboxOf.get(tenant)!)).data).toEqual([])
  expect((await messagesIn(neighbour, inboxOf.get(neighbour)!)).data).toHaveLength(1)

  expect(await neighbour.operator.delete(inboxOf.get(neighbour)!)).toMatchObject({ status: 204 })
  const left = async () => {
    const rows = await service.deps.db.read.select().from(inboxMessages)
    return rows.filter(({ tenantId }) => tenantId === neighbour.id)
  }
  await eventually(async () => (await left()).length === 0)
})

test('concurrent registrations, deliveries and deletions leave consistent inboxes', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  for (let round = 0; round < 8; round++) {
    const [first, second, did] = [await newInbox(tenant), await newInbox(tenant), await newDid(tenant)]
    const answers = await Promise.all([first, second].map((each) => operator.post(`${each}/dids`, { did })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    await operator.delete(registrationIn(first, did))
    await operator.delete(registrationIn(second, did))

    await Promise.all([operator.post(`${first}/dids`, { did }), operator.delete(`/v1/dids/${encodeURIComponent(did)}`)])
    expect((await operator.get(`${first}/dids`)).body.data).toEqual([])

    const putting = service.deps.db.tx((tx) => putMessage(tx, tenant.id, idOf(second), newMessage(did)))
    await Promise.all([putting, operator.delete(second), operator.post(`${second}/dids`, { did: tenant.did })])
    expect(await operator.post(`${first}/dids`, { did: tenant.did })).toMatchObject({ status: 201 })
    await operator.delete(first)
  }
})
