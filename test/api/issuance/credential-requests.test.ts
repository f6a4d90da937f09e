import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sealAuthorization } from '../../../api/issuance/claim-sources/authorization.ts'
import { newNonce } from '../../../api/proofs/nonce.ts'
import type { Database } from '../../../db/client.ts'
import { abandonIssuance, refuseIssuances } from '../../../db/repos/issuance/issuances.ts'
import { authorizations } from '../../../db/tables/issuance/authorizations.ts'
import { claimSources } from '../../../db/tables/issuance/claim-sources.ts'
import { configurations } from '../../../db/tables/issuance/configurations.ts'
import { issuances } from '../../../db/tables/issuance/issuances.ts'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { sessions } from '../../../db/tables/issuance/sessions.ts'
import { authenticationProviders } from '../../../db/tables/issuance/sign-in-providers.ts'
import { users } from '../../../db/tables/issuance/users.ts'
import { outbox } from '../../../db/tables/outbox.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import { newId } from '../../../shared/ids.ts'
import { startReceiver } from '../../servers/receiver.ts'
import { type HolderKeyPair, newHolderKey } from '../../wallets/wallet.ts'
import { type Endpoint, openEndpoint, type Session, type SignatureRequest } from './credential-endpoint.ts'

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
const sessionOf = async ({ id }: Session) =>
  (await endpoint.db.read.select().from(sessions).where(eq(sessions.id, id)))[0]

/** Answers as the queue does when the deadline passed. */
const isLate = async () => {
  throw new Problem('service_unavailable')
}
/** The signing process commits, but its answer comes too late. */
const isLost = async (request: SignatureRequest) => {
  await endpoint.sign(request)
  return isLate()
}
const refuses = async ({ tenantId, issuanceId }: SignatureRequest) => {
  const which = { requested: [issuanceId], lost: [] }
  await endpoint.db.tx((tx) => refuseIssuances(tx, tenantId, which, endpoint.now))
  throw new Problem('credential_request_denied', { message: 'No certificate is active' })
}
const denied = { problem: 'credential_request_denied' }

describe('a request', () => {
  test('stores the issuance before the signature is requested, and returns its credential for each key', async () => {
    const session = await ofOffer()
    const stored: unknown[] = []
    endpoint.queue.answer = async (request) => {
      stored.push(...(await rowsOf(session)))
      return endpoint.sign(request)
    }
    const answer = await collect(session, { keys: [key, otherKey] })
    const { id: sessionId, userId, offerId } = session
    const owner = { tenantId: endpoint.tenant.id, sessionId, userId, offerId, authorizationId: null }
    const [{ id } = { id: '' }] = await rowsOf(session)
    const content = { configurationId, claims: { given_name: 'Ada' }, validity: null, requestedAt: endpoint.now }
    const holderKeys = [key, otherKey].map(({ publicJwk }) => ({ jwk: publicJwk }))
    const nothingYet = { credentials: null, endedAt: null, deferredAt: null, deliveredAt: null }
    expect(stored).toEqual([{ ...owner, ...content, ...nothingYet, id, holderKeys, state: 'requested' }])
    expect(endpoint.queue.requests).toEqual([
      { tenantId: endpoint.tenant.id, issuanceId: id, deadlineAt: answer.deadlineAt },
    ])
    expect(credentialsOf(answer).map(({ key, issuanceId }) => [key, issuanceId])).toEqual([
      [key.publicJwk.x, id],
      [otherKey.publicJwk.x, id],
    ])
    expect(answer.body.notification_id).toMatch(`${id}.`)
    expect(await statesOf(session)).toEqual(['issued'])
  })

  test('returns credentials that are too large for the queue', async () => {
    const session = await endpoint.newSession({
      configurationIds: [configurationId],
      offerClaims: { given_name: 'A'.repeat(20_000) },
    })
    expect(credentialsOf(await collect(session))).toMatchObject([{ claims: { given_name: 'A'.repeat(20_000) } }])
  })

  test('is refused if its claims are too long to be signed', async () => {
    const offerClaims = { given_name: 'A'.repeat(1_000_001) }
    const session = await endpoint.newSession({ configurationIds: [configurationId], offerClaims })
    await expect(collect(session)).rejects.toMatchObject({ ...denied, message: expect.stringContaining('1 MB') })
    expect(await rowsOf(session)).toEqual([])
  })
})

describe('a credential is named', () => {
  const identified = () =>
    endpoint.newSession({ configurationIds: [configurationId], credentialIdentifiers: { one: configurationId } })
  const by = async (name: Record<string, string>) => send(await identified(), { ...name, ...(await proofs()) })
  const proofs = async () => ({ proofs: await endpoint.proofsOf([key]) })

  test('by an identifier of the token response', async () => {
    const session = await identified()
    await send(session, { credential_identifier: 'one', ...(await proofs()) })
    expect(await rowsOf(session)).toMatchObject([{ configurationId, state: 'issued' }])
  })

  test.each(['two', 'constructor', '__proto__', ''])('and not by the identifier "%s"', async (identifier) => {
    await expect(by({ credential_identifier: identifier })).rejects.toMatchObject({
      problem: 'unknown_credential_identifier',
    })
  })

  test('and not by a configuration that is not of the token, or is deleted', async () => {
    const gone = await endpoint.newConfiguration()
    const session = await endpoint.newSession({ configurationIds: [gone] })
    await endpoint.db.tx((tx) => tx.delete(configurations).where(eq(configurations.id, gone)))
    const unknown = { problem: 'unknown_credential_configuration' }
    await expect(collect(session, { id: gone })).rejects.toMatchObject(unknown)
    await expect(by({ credential_configuration_id: otherId })).rejects.toMatchObject(unknown)
    await expect(by({ credential_configuration_id: newId() })).rejects.toMatchObject(unknown)
  })
})

describe('the claims of a credential', () => {
  const names = ['offer', 'hook', 'source', 'user', 'none']
  const claimMappings = {
    ...Object.fromEntries(names.map((name) => [name, { mapFrom: `claims.${name}` }])),
    subject: { mapFrom: 'authenticationProvider.subjectId' },
    provider: { mapFrom: 'authenticationProvider.url' },
  }

  /** Each source has the claims of those that come after it, too. */
  const from = (source: string) =>
    Object.fromEntries(names.slice(names.indexOf(source), 4).map((name) => [name, source]))

  async function claimsOf(session: Session, id: string) {
    const [credential] = credentialsOf(await collect(session, { id }))
    return credential.claims
  }

  test('are those of the offer, then the source, then the user, and of the provider', async () => {
    await using register = await startReceiver(() => ({ body: JSON.stringify(from('source')) }))
    const { deps, db, now } = endpoint
    const { id: tenantId } = endpoint.tenant
    const [sourceId, providerId] = [newId(), newId()]
    const authorization = sealAuthorization(deps.secrets, sourceId, { type: 'api-key', value: 'key' })
    const source = { id: sourceId, tenantId, name: '', url: register.url, createdAt: now, ...authorization }
    const provider = { id: providerId, tenantId, url: 'https://login.example', createdAt: now, clientId: '' }
    await db.tx(async (tx) => {
      await tx.insert(claimSources).values({ ...source, requestMethod: 'GET', requestParameters: {} })
      const unused = { scope: [], sealedClientSecret: '', tokenEndpointAuthMethod: '', staticRequestParameters: {} }
      const persisted = { forwardedRequestParameters: [], claimsToPersist: [] }
      await tx.insert(authenticationProviders).values({ ...provider, ...unused, ...persisted })
    })
    const id = await endpoint.newConfiguration({ claimMappings, claimSourceId: sourceId })
    const user = { claims: from('user'), providerId, subjectId: 'ada' }
    const session = await endpoint.newSession({ configurationIds: [id], user, offerClaims: { offer: 'offer' } })
    const own = { subject: 'ada', provider: 'https://login.example' }
    expect(await claimsOf(session, id)).toEqual({ offer: 'offer', source: 'source', user: 'source', ...own })
    expect(register.deliveries).toHaveLength(1)
  })

  test('are those of the interaction, then the user, without an offer and a provider', async () => {
    const id = await endpoint.newConfiguration({ claimMappings })
    const user = { claims: from('user') }
    const common = { configurationIds: [id], isAuthorized: true, user }
    const session = await endpoint.newSession({ ...common, hookClaims: { hook: 'hook' } })
    expect(await claimsOf(session, id)).toEqual({ hook: 'hook', user: 'user' })
    expect(await claimsOf(await endpoint.newSession(common), id)).toEqual({ user: 'user' })
  })

  test('are not issued without those of an offer that was deleted', async () => {
    const session = await ofOffer()
    await endpoint.db.tx((tx) => tx.delete(offers).where(eq(offers.id, session.offerId ?? '')))
    await expect(collect(session)).rejects.toMatchObject(denied)
    expect(await rowsOf(session)).toEqual([])
  })
})

describe('a signature that does not arrive in time', () => {
  test('cancels the issuance, and the wallet can request it again', async () => {
    const session = await ofOffer()
    endpoint.queue.answer = isLate
    await expect(collect(session)).rejects.toMatchObject({ problem: 'service_unavailable' })
    expect(await rowsOf(session)).toMatchObject([{ state: 'abandoned', claims: null, deferredAt: null }])
    endpoint.queue.answer = endpoint.sign
    expect(credentialsOf(await collect(session))).toHaveLength(1)
  })

  test('is waited for until the deadline, less the time that canceling takes on a slow database', async () => {
    const timed = async (waitMs: number) => {
      const txAtOnce: Database['txAtOnce'] = async (...work) => {
        await sleep(waitMs)
        return endpoint.db.txAtOnce(...work)
      }
      const config = { ...endpoint.deps.config, credentialDeadlineMs: 400 }
      const deps = { config, db: { ...endpoint.db, txAtOnce } }
      const { deadlineAt } = await collect(await ofOffer(), {}, { deps })
      return deadlineAt - (endpoint.queue.requests.at(-1)?.deadlineAt ?? 0)
    }
    // A quarter of the time, 100 ms, is left in any case.
    expect(await timed(0)).toBe(0)
    const earlierMs = await timed(250)
    expect(earlierMs).toBeGreaterThan(140)
    expect(earlierMs).toBeLessThan(2000)
  })

  test('is returned from the database if it was committed nevertheless', async () => {
    for (const deferredIssuance of ['never', 'whenSlow'] as const) {
      const session = await ofOffer()
      endpoint.queue.answer = isLost
      const answer = await collect(session, {}, { settings: { deferredIssuance } })
      expect([answer.status, credentialsOf(answer)]).toMatchObject([undefined, [{ key: key.publicJwk.x }]])
      expect(await rowsOf(session)).toMatchObject([{ state: 'issued', deferredAt: null }])
      expect((await sessionOf(session))?.expiresAt).toEqual(plusMs(endpoint.now, 300_000))
    }
  })
})

describe('a tenant that defers', () => {
  const around = { settings: { deferredIssuance: 'whenSlow' as const } }
  const inAnHour = () => plusMs(endpoint.now, 3_600_000)

  test('names the issuance to the wallet, keeps its session for an hour, and signs in the background', async () => {
    endpoint.queue.answer = isLate
    for (const session of [await ofOffer(), await ofAuthorization()]) {
      const before = endpoint.poked.times
      const answer = await collect(session, {}, around)
      const [row] = await rowsOf(session)
      expect(answer).toMatchObject({
        status: 202,
        body: { transaction_id: expect.stringMatching(`^${row?.id}\\.`), interval: 5 },
      })
      expect(answer.body).not.toHaveProperty('credentials')
      expect(row).toMatchObject({ state: 'requested', deferredAt: endpoint.now })
      expect(await sessionOf(session)).toMatchObject({ expiresAt: inAnHour() })
      const jobs = await endpoint.db.read.select().from(outbox).where(eq(outbox.job, 'signCredentials'))
      expect(jobs.map(({ payload }) => payload)).toContainEqual({
        tenantId: endpoint.tenant.id,
        issuanceId: row?.id,
      })
      expect(endpoint.poked.times).toBeGreaterThan(before)
    }
  })

  test('keeps the authorization as long as its session', async () => {
    endpoint.queue.answer = isLate
    const { authorizationId, ...session } = await ofAuthorization()
    await collect({ ...session, authorizationId }, {}, around)
    const kept = await endpoint.db.read
      .select()
      .from(authorizations)
      .where(eq(authorizations.id, authorizationId ?? ''))
    expect(kept).toMatchObject([{ expiresAt: inAnHour() }])
  })

  test('answers the same request with the same name, and does not request a second signature', async () => {
    endpoint.queue.answer = isLate
    const session = await ofOffer()
    const body = { credential_configuration_id: configurationId, proofs: await endpoint.proofsOf([key]) }
    const first = await send(session, body, around)
    const again = await send(session, body, around)
    expect(again).toMatchObject({ status: 202, body: first.body })
    expect(endpoint.queue.requests).toHaveLength(1)
  })

  test('cancels the issuance if it cannot be deferred', async () => {
    endpoint.queue.answer = isLate
    const session = await ofOffer()
    const tx = () => Promise.reject(new Error('the connection is lost'))
    const db = { ...endpoint.db, tx, withoutDeadline: endpoint.db }
    await expect(collect(session, {}, { ...around, deps: { db } })).rejects.toMatchObject({
      problem: 'service_unavailable',
    })
    expect(await rowsOf(session)).toMatchObject([{ state: 'abandoned', deferredAt: null }])
  })

  test('does not defer what the signing process refuses', async () => {
    endpoint.queue.answer = refuses
    const session = await ofOffer()
    await expect(collect(session, {}, around)).rejects.toMatchObject(denied)
    expect(await rowsOf(session)).toMatchObject([{ state: 'refused', deferredAt: null }])
  })
})

describe('what the signing process refuses', () => {
  test('is refused with its reason', async () => {
    for (const session of [await ofOffer(), await ofAuthorization()]) {
      endpoint.queue.answer = refuses
      await expect(collect(session)).rejects.toMatchObject({ ...denied, message: 'No certificate is active' })
      expect(await statesOf(session)).toEqual(['refused'])
    }
  })

  test('is not available if the session ended during the request', async () => {
    for (const session of [await ofOffer(), await ofAuthorization()]) {
      endpoint.queue.answer = async (request) => {
        await endpoint.db.tx((tx) => tx.delete(sessions).where(eq(sessions.id, session.id)))
        return refuses(request)
      }
      await expect(collect(session)).rejects.toMatchObject({ problem: 'service_unavailable', retryAfterSeconds: 2 })
    }
  })

  test('is refused without a reason if its answer was lost', async () => {
    const session = await ofAuthorization()
    endpoint.queue.answer = async (request) => refuses(request).catch(isLate)
    await expect(collect(session)).rejects.toMatchObject({ ...denied, message: 'This credential will not be issued' })
  })
})

describe('an issuance that is gone when its answer arrives', () => {
  test.each<[string, (request: SignatureRequest) => Promise<unknown>]>([
    ['lost with the database', ({ issuanceId }) => remove(issuanceId)],
    ['canceled by the same request', ({ tenantId, issuanceId }) => cancel(tenantId, issuanceId)],
  ])('because it was %s is not available', async (_why, lose) => {
    for (const session of [await ofOffer(), await ofAuthorization()]) {
      endpoint.queue.answer = async (request) => {
        await lose(request)
        return isLate()
      }
      await expect(collect(session)).rejects.toMatchObject({ problem: 'service_unavailable', retryAfterSeconds: 2 })
    }
  })

  const remove = (id: string) => endpoint.db.tx((tx) => tx.delete(issuances).where(eq(issuances.id, id)))
  const cancel = (tenantId: string, id: string) =>
    endpoint.db.tx((tx) => abandonIssuance(tx, tenantId, id, endpoint.now))
})

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
    const wiped = { state: 'wiped', credentials: null } as const
    await endpoint.db.tx((tx) => tx.update(issuances).set(wiped).where(eq(issuances.sessionId, session.id)))
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
    const changed = { state, credentials: null }
    await endpoint.db.tx((tx) => tx.update(issuances).set(changed).where(eq(issuances.sessionId, session.id)))
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

  test('collects each configuration once when nothing is left', async () => {
    const session = await ofAuthorization(1)
    await collect(session)
    expect(credentialsOf(await collect(session, { id: otherId }))).toHaveLength(1)
    endpoint.queue.requests.length = 0
    for (const id of [configurationId, otherId]) await expect(collect(session, { id })).rejects.toMatchObject(enough)
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
