import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { newNonce } from '../../../api/proofs/nonce.ts'
import { issuances } from '../../../db/tables/issuance/issuances.ts'
import { sessions } from '../../../db/tables/issuance/sessions.ts'
import { users } from '../../../db/tables/issuance/users.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { newHolderKey } from '../../wallets/wallet.ts'
import { denied, openCollection } from './credential-collection.ts'
import type { SignatureRequest } from './credential-endpoint.ts'

// test/flows has the same endpoint over HTTP, with the signing process.

const {
  endpoint,
  configurationId,
  otherId,
  key,
  otherKey,
  reset,
  ofOffer,
  ofAuthorization,
  send,
  collect,
  credentialsOf,
  rowsOf,
  statesOf,
  wipe,
} = await openCollection()
afterAll(() => endpoint.close())
beforeEach(reset)

const tooManyKeys = { problem: 'invalid_proof', message: '1 to 1 proofs are accepted' }

describe('a configuration of an offer that was collected', () => {
  test('is issued again to the same keys in any order, and to no others', async () => {
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

  test('is not issued again when its credentials were wiped', async () => {
    const session = await ofOffer()
    await collect(session)
    await wipe(session)
    await expect(collect(session)).rejects.toMatchObject(denied)
  })

  test('has at most as many keys as the batch of its tenant', async () => {
    const around = { settings: { maxCredentialsPerSession: 1 } }
    await expect(collect(await ofOffer(), { keys: [key, otherKey] }, around)).rejects.toMatchObject(tooManyKeys)
    expect(credentialsOf(await collect(await ofOffer(), {}, around))).toHaveLength(1)
  })
})

describe('the same request', () => {
  const requestOf = async (id = configurationId) => ({
    credential_configuration_id: id,
    proofs: await endpoint.proofsOf([key]),
  })
  const invalid = { problem: 'invalid_nonce' }

  test('gets the same credentials, also while no process signs', async () => {
    for (const session of [await ofOffer(), await ofAuthorization(), await ofAuthorization(1)]) {
      endpoint.queue.requests.length = 0
      const body = await requestOf()
      const first = await send(session, body)
      expect((await send(session, body)).body).toEqual(first.body)
      endpoint.queue.answer = async () => Promise.reject(new Problem('service_unavailable'))
      expect((await send(session, body)).body).toEqual(first.body)
      endpoint.queue.answer = endpoint.sign
      expect(await statesOf(session)).toEqual(['issued'])
    }
  })

  test('gets the same credentials without a request to sign while no signing process runs', async () => {
    const session = await ofAuthorization()
    const body = await requestOf()
    const first = await send(session, body)
    endpoint.queue.requests.length = 0
    endpoint.queue.isServed = false
    expect((await send(session, body)).body).toEqual(first.body)
    expect(endpoint.queue.requests).toEqual([])
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

  test('is issued once if it is signed twice at the same time', async () => {
    for (const session of [await ofOffer(), await ofAuthorization()]) {
      const body = await requestOf()
      const both: SignatureRequest[] = []
      const arrived = Promise.withResolvers<void>()
      endpoint.queue.answer = async (request) => {
        if (both.push(request) === 2) arrived.resolve()
        await arrived.promise
        return endpoint.sign(request)
      }
      const [first, second] = await Promise.all([send(session, body), send(session, body)])
      expect(second.body).toEqual(first.body)
      expect(await statesOf(session)).toEqual(['issued'])
    }
  })

  test('is issued once if its job runs twice', async () => {
    const session = await ofOffer()
    endpoint.queue.answer = async (request) => {
      await endpoint.sign(request)
      return endpoint.sign(request)
    }
    expect(credentialsOf(await collect(session))).toHaveLength(1)
    expect(await statesOf(session)).toEqual(['issued'])
  })
})

describe('a session of an authorization', () => {
  const enough = { problem: 'collected_enough' }

  test('collects at most as many credentials as its tenant allows, in one request', async () => {
    const around = { settings: { maxCredentialsPerSession: 1 } }
    await expect(collect(await ofAuthorization(), { keys: [key, otherKey] }, around)).rejects.toMatchObject(tooManyKeys)
    expect(credentialsOf(await collect(await ofAuthorization(), {}, around))).toHaveLength(1)
  })

  test.each([2, undefined])('collects a configuration again while enough credentials are left (%s)', async (left) => {
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

  test('is refused by the commit if another request took the remaining credentials', async () => {
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

test('a request whose grant was revoked meanwhile has no valid token', async () => {
  const session = await ofAuthorization()
  endpoint.queue.answer = async (request) => {
    await endpoint.db.tx((tx) => tx.delete(users).where(eq(users.id, session.userId)))
    return endpoint.sign(request)
  }
  const wrongToken = { problem: 'invalid_token', reason: expect.stringContaining('revoked') }
  await expect(collect(session)).rejects.toMatchObject(wrongToken)
  expect(await rowsOf(session)).toEqual([])
})
