import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newNonce } from '../../../api/proofs/nonce.ts'
import type { Database } from '../../../db/client.ts'
import { issuances } from '../../../db/tables/issuance/issuances.ts'
import { sessions } from '../../../db/tables/issuance/sessions.ts'
import { users } from '../../../db/tables/issuance/users.ts'
import { type HolderKeyPair, newHolderKey } from '../../wallets/wallet.ts'
import { type Endpoint, openEndpoint, type Session } from './credential-endpoint.ts'

// test/flows has the same endpoint over HTTP, with the signing process.

let endpoint: Endpoint
let configurationId: string
let otherId: string
let key: HolderKeyPair
let otherKey: HolderKeyPair
beforeAll(async () => {
  endpoint = await openEndpoint()
  ;[configurationId, otherId] = [await endpoint.newConfiguration(), await endpoint.newConfiguration()]
  ;[key, otherKey] = await Promise.all([newHolderKey(), newHolderKey()])
})
afterAll(() => endpoint.close())
beforeEach(() => {
  endpoint.queue.requests.length = 0
  endpoint.queue.answer = endpoint.sign
  endpoint.events.length = 0
})

type Around = Parameters<Endpoint['call']>[3]

const ofOffer = () => endpoint.newSession({ configurationIds: [configurationId, otherId] })
const ofAuthorization = (credentialsLeft?: number) =>
  endpoint.newSession({
    configurationIds: [configurationId, otherId],
    isAuthorized: true,
    ...(credentialsLeft !== undefined && { credentialsLeft }),
  })
const send = (session: Session, body: unknown, around?: Around) =>
  endpoint.call('issueCredential', session, body, around)

async function collect(session: Session, { keys = [key], id = configurationId } = {}, around?: Around) {
  return send(session, { credential_configuration_id: id, proofs: await endpoint.proofsOf(keys) }, around)
}

/** The issuance, the claims and the key of each credential of an answer, as the signing queue of the test wrote them. */
const credentialsOf = ({ body }: Awaited<ReturnType<typeof send>>) =>
  (body.credentials as { credential: string }[]).map(({ credential }) => JSON.parse(credential))

const rowsOf = ({ id }: Session) => endpoint.db.read.select().from(issuances).where(eq(issuances.sessionId, id))
const statesOf = async (session: Session) => (await rowsOf(session)).map(({ state }) => state)

const wipe = ({ id }: Session, state: 'wiped' | 'abandoned' = 'wiped') =>
  endpoint.db.tx((tx) => tx.update(issuances).set({ state, credentials: null }).where(eq(issuances.sessionId, id)))
const denied = { problem: 'credential_request_denied' }

describe('a configuration of an offer that was collected', () => {
  test('is given again to the same keys in any order, and to no others', async () => {
    const session = await ofOffer()
    const first = await collect(session, { keys: [key, otherKey] })
    for (const keys of [
      [key, otherKey],
      [otherKey, key],
    ]) {
      const again = await collect(session, { keys })
      expect(again.body.credentials).toEqual(first.body.credentials)
      expect(again.body.notification_id).toBe(first.body.notification_id)
    }
    const third = await newHolderKey()
    for (const keys of [[key], [key, third], [third, otherKey]])
      await expect(collect(session, { keys })).rejects.toMatchObject(denied)
    expect(credentialsOf(await collect(session, { id: otherId }))).toHaveLength(1)
  })

  test('is not given again when its credentials were wiped', async () => {
    const session = await ofOffer()
    await collect(session)
    await wipe(session)
    await expect(collect(session)).rejects.toMatchObject(denied)
  })

  test('may have more keys than a token of an authorization', async () => {
    const around = { settings: { maxCredentialsPerSession: 1 } }
    expect(credentialsOf(await collect(await ofOffer(), { keys: [key, otherKey] }, around))).toHaveLength(2)
  })
})

describe('the same request', () => {
  const requestOf = async (id = configurationId) => ({
    credential_configuration_id: id,
    proofs: await endpoint.proofsOf([key]),
  })
  const invalid = { problem: 'invalid_nonce' }

  test('gets the same credentials, which are signed once', async () => {
    for (const session of [await ofOffer(), await ofAuthorization(), await ofAuthorization(1)]) {
      endpoint.queue.requests.length = 0
      const body = await requestOf()
      const first = await send(session, body)
      expect((await send(session, body)).body).toEqual(first.body)
      expect(endpoint.queue.requests).toHaveLength(1)
      expect(await statesOf(session)).toEqual(['issued'])
    }
  })

  test('gets nothing in another session, for another configuration, or with a new proof of its nonce', async () => {
    const session = await ofAuthorization()
    const nonce = newNonce(endpoint.deps, endpoint.tenant)
    const body = { credential_configuration_id: configurationId, proofs: await endpoint.proofsOf([key], nonce) }
    await send(session, body)
    await expect(send(await ofAuthorization(), body)).rejects.toMatchObject(invalid)
    await expect(send(session, { ...body, credential_configuration_id: otherId })).rejects.toMatchObject(invalid)
    const proofs = await endpoint.proofsOf([otherKey], nonce)
    await expect(send(session, { ...body, proofs })).rejects.toMatchObject(invalid)
    expect(await statesOf(session)).toEqual(['issued'])
  })

  test('gets nothing if it adds a proof with a new nonce', async () => {
    const session = await ofAuthorization()
    const body = await requestOf()
    await send(session, body)
    const { jwt } = await endpoint.proofsOf([otherKey])
    const more = { ...body, proofs: { jwt: [...body.proofs.jwt, ...jwt] } }
    await expect(send(session, more)).rejects.toMatchObject(invalid)
    expect(await statesOf(session)).toEqual(['issued'])
  })

  test.each(['abandoned', 'wiped'] as const)('needs a new proof if its issuance is %s', async (state) => {
    const session = await ofAuthorization()
    const body = await requestOf()
    await send(session, body)
    await wipe(session, state)
    await expect(send(session, body)).rejects.toMatchObject(invalid)
    expect(credentialsOf(await collect(session))).toHaveLength(1)
  })

  test('needs a new proof if its issuance was deleted', async () => {
    const session = await ofAuthorization()
    const body = await requestOf()
    await send(session, body)
    await endpoint.db.tx((tx) => tx.delete(issuances).where(eq(issuances.sessionId, session.id)))
    await expect(send(session, body)).rejects.toMatchObject(invalid)
  })

  test('is issued once if the database repeats its transaction', async () => {
    const session = await ofOffer()
    const txAtOnce: Database['txAtOnce'] = async (...work) => {
      await endpoint.db.txAtOnce(...work)
      return endpoint.db.txAtOnce(...work)
    }
    const answer = await collect(session, {}, { deps: { db: { ...endpoint.db, txAtOnce } } })
    expect(credentialsOf(answer)).toHaveLength(1)
    expect(await statesOf(session)).toEqual(['issued'])
  })
})

describe('a session of an authorization', () => {
  const enough = { problem: 'collected_enough' }

  test('collects at most as many credentials as its tenant allows, in one request', async () => {
    const around = { settings: { maxCredentialsPerSession: 1 } }
    await expect(collect(await ofAuthorization(), { keys: [key, otherKey] }, around)).rejects.toMatchObject({
      ...denied,
      message: expect.stringContaining('At most 1 '),
    })
    expect(credentialsOf(await collect(await ofAuthorization(), {}, around))).toHaveLength(1)
  })

  test.each([2, undefined])('collects a configuration again while enough are left (%s)', async (left) => {
    const session = await ofAuthorization(left)
    for (const keys of [[key], [otherKey]]) expect(credentialsOf(await collect(session, { keys }))).toHaveLength(1)
    expect(await statesOf(session)).toEqual(['issued', 'issued'])
  })

  test('collects each configuration once when too few are left, and then no signature is requested', async () => {
    const session = await ofAuthorization(2)
    await collect(session)
    expect(credentialsOf(await collect(session, { keys: [key, otherKey], id: otherId }))).toHaveLength(2)
    const [fewer, none] = [await ofAuthorization(2), session]
    await collect(fewer)
    endpoint.queue.requests.length = 0
    await expect(collect(fewer, { keys: [key, otherKey] })).rejects.toMatchObject(enough)
    for (const id of [configurationId, otherId]) await expect(collect(none, { id })).rejects.toMatchObject(enough)
    expect(endpoint.queue.requests).toEqual([])
  })

  test('is refused by the commit if another request took what was left', async () => {
    const session = await ofAuthorization(2)
    await collect(session)
    endpoint.queue.answer = async (request) => {
      const none = { credentialsLeft: 0 }
      await endpoint.db.tx((tx) => tx.update(sessions).set(none).where(eq(sessions.id, session.id)))
      return endpoint.sign(request)
    }
    await expect(collect(session)).rejects.toMatchObject(enough)
    expect((await statesOf(session)).sort()).toEqual(['issued', 'refused'])
  })
})

describe('a request that cannot be stored', () => {
  test('fails with the error of the database', async () => {
    const txAtOnce = () => Promise.reject(new Error('disk I/O error'))
    const around = { deps: { db: { ...endpoint.db, txAtOnce } } }
    await expect(collect(await ofOffer(), {}, around)).rejects.toThrow('disk I/O error')
    expect(endpoint.queue.requests).toEqual([])
  })

  test('because its grant was revoked meanwhile has no valid token', async () => {
    const session = await ofAuthorization()
    const txAtOnce: Database['txAtOnce'] = async (...work) => {
      await endpoint.db.tx((tx) => tx.delete(users).where(eq(users.id, session.userId)))
      return endpoint.db.txAtOnce(...work)
    }
    await expect(collect(session, {}, { deps: { db: { ...endpoint.db, txAtOnce } } })).rejects.toMatchObject({
      problem: 'invalid_token',
      reason: expect.stringContaining('revoked'),
    })
    expect(await rowsOf(session)).toEqual([])
  })
})
