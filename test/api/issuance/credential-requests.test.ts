import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sealAuthorization } from '../../../api/issuance/claim-sources/authorization.ts'
import { insertAbandoned, insertRequested, refuseIssuances } from '../../../db/repos/issuance/issuances.ts'
import { authorizations } from '../../../db/tables/issuance/authorizations.ts'
import { claimSources } from '../../../db/tables/issuance/claim-sources.ts'
import { configurations } from '../../../db/tables/issuance/configurations.ts'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { sessions } from '../../../db/tables/issuance/sessions.ts'
import { authenticationProviders } from '../../../db/tables/issuance/sign-in-providers.ts'
import { outbox } from '../../../db/tables/outbox.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { newId } from '../../../shared/ids.ts'
import type { IssuanceRequest } from '../../../shared/jobs/payloads.ts'
import { NeverSent } from '../../../shared/jobs/signing-queue.ts'
import { startReceiver } from '../../servers/receiver.ts'
import { denied, openCollection } from './credential-collection.ts'
import type { Session, SignatureRequest } from './credential-endpoint.ts'

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

const sessionOf = async ({ id }: Session) =>
  (await endpoint.db.read.select().from(sessions).where(eq(sessions.id, id)))[0]

/** Answers as the queue does after the deadline. */
const isLate = async () => {
  throw new Problem('service_unavailable')
}
/** The signing process commits, but its answer comes too late. */
const isLost = async (request: SignatureRequest) => {
  await endpoint.sign(request)
  return isLate()
}
const refuses = async ({ item }: SignatureRequest) => {
  const { tenantId, issuanceId } = item
  const refused = [{ id: issuanceId, refusal: { check: 'signer', reason: 'No certificate is active' } as const }]
  await endpoint.db.tx(async (tx) => {
    await insertRequested(tx, rowOf(item))
    await refuseIssuances(tx, tenantId, refused, endpoint.now)
  })
  throw new Problem('credential_request_denied', { message: 'No certificate is active' })
}
const rowOf = ({ issuanceId, requestedAt, uses: _, ...content }: IssuanceRequest) => ({
  ...content,
  id: issuanceId,
  viewId: null,
  requestedAt: new Date(requestedAt),
})
describe('a request', () => {
  test('sends all that its row needs with the request for a signature, and returns its credential for each key', async () => {
    const session = await ofOffer()
    const stored: unknown[] = []
    endpoint.queue.answer = async (request) => {
      stored.push(...(await rowsOf(session)))
      return endpoint.sign(request)
    }
    const answer = await collect(session, { keys: [key, otherKey] })
    expect(stored).toEqual([])
    const { id: sessionId, userId, offerId } = session
    const { deadlineAt } = answer
    const [row] = await rowsOf(session)
    const owner = { tenantId: endpoint.tenant.id, sessionId, userId, offerId, authorizationId: null, configurationId }
    const holderKeys = [key, otherKey].map(({ publicJwk }) => ({ jwk: publicJwk }))
    const id = row?.id ?? ''
    const use = {
      hash: expect.any(String),
      usedFor: id,
      requestHash: expect.any(String),
      expiresAt: expect.any(Number),
    }
    const content = { claims: { given_name: 'Ada' }, validity: null, holderKeys, requestedAt: endpoint.now.getTime() }
    const item = { ...owner, ...content, issuanceId: id, uses: [use] }
    expect(endpoint.queue.requests).toEqual([{ job: 'issueCredentials', item, deadlineAt }])
    expect(credentialsOf(answer).map(({ key, issuanceId }) => [key, issuanceId])).toEqual([
      [key.publicJwk.x, id],
      [otherKey.publicJwk.x, id],
    ])
    expect(answer.body.notification_id).toMatch(`${id}.`)
    const nothingElse = { deferredAt: null, deliveredAt: null, refusal: null, viewId: null }
    const result = {
      state: 'issued',
      claims: null,
      validity: null,
      endedAt: endpoint.now,
      credentials: expect.any(String),
    }
    expect(row).toEqual({ ...owner, id, holderKeys, requestedAt: endpoint.now, ...result, ...nothingElse })
  })

  test('returns the credentials of the signing process, also if the row changes afterwards', async () => {
    const session = await ofOffer()
    endpoint.queue.answer = async (request) => {
      const sealed = await endpoint.sign(request)
      await wipe(session)
      return sealed
    }
    expect(credentialsOf(await collect(session))).toMatchObject([{ key: key.publicJwk.x }])
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

  test.each(['two', 'constructor', '__proto__', ''])('but not by the identifier "%s"', async (identifier) => {
    await expect(by({ credential_identifier: identifier })).rejects.toMatchObject({
      problem: 'unknown_credential_identifier',
    })
  })

  test('but not by a configuration that is missing in the token, or deleted', async () => {
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

  /** Each source also has the claims of the later sources. */
  const from = (source: string) =>
    Object.fromEntries(names.slice(names.indexOf(source), 4).map((name) => [name, source]))

  async function claimsOf(session: Session, id: string) {
    const [credential] = credentialsOf(await collect(session, { id }))
    return credential.claims
  }

  test('come from the offer, then the source, then the user, and from the provider', async () => {
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
    expect(endpoint.events).toEqual(['CLAIM_SOURCE_CALL_SUCCESS'])
  })

  test('come from the interaction, then the user, without an offer and a provider', async () => {
    const id = await endpoint.newConfiguration({ claimMappings })
    const user = { claims: from('user') }
    const common = { configurationIds: [id], isAuthorized: true, user }
    const session = await endpoint.newSession({ ...common, hookClaims: { hook: 'hook' } })
    expect(await claimsOf(session, id)).toEqual({ hook: 'hook', user: 'user' })
    expect(await claimsOf(await endpoint.newSession(common), id)).toEqual({ user: 'user' })
    expect(endpoint.events).toEqual([])
  })

  test('are not issued if their offer was deleted', async () => {
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

  test('because of an error of the queue cancels the issuance, too, and the request fails with that error', async () => {
    const session = await ofOffer()
    endpoint.queue.answer = () => Promise.reject(new Error('the reply is no JSON'))
    await expect(collect(session)).rejects.toThrow('the reply is no JSON')
    expect(await statesOf(session)).toEqual(['abandoned'])
  })

  test('because no process got the request writes nothing, so that its proof can be used again', async () => {
    const session = await ofOffer()
    const body = { credential_configuration_id: configurationId, proofs: await endpoint.proofsOf([key]) }
    endpoint.queue.answer = () => Promise.reject(new NeverSent())
    await expect(send(session, body)).rejects.toMatchObject({ problem: 'service_unavailable', check: 'signed_in_time' })
    expect(await rowsOf(session)).toEqual([])
    endpoint.queue.answer = endpoint.sign
    expect(credentialsOf(await send(session, body))).toHaveLength(1)
  })

  test('is not made later by a process that got the request late', async () => {
    const session = await ofOffer()
    let late: SignatureRequest | undefined
    endpoint.queue.answer = (request) => {
      late = request
      return isLate()
    }
    await expect(collect(session)).rejects.toMatchObject({ problem: 'service_unavailable' })
    await expect(endpoint.sign(late!)).rejects.toMatchObject({ problem: 'service_unavailable' })
    expect(await statesOf(session)).toEqual(['abandoned'])
  })

  test('is not made for a request that is older than all deadlines', async () => {
    const session = await ofOffer()
    endpoint.queue.answer = ({ item, ...request }) =>
      endpoint.sign({ ...request, item: { ...item, requestedAt: item.requestedAt - 90_000 } })
    await expect(collect(session)).rejects.toMatchObject({ problem: 'service_unavailable' })
    expect(await statesOf(session)).toEqual(['abandoned'])
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

describe('a tenant with deferred issuance', () => {
  const around = { settings: { deferredIssuance: 'whenSlow' as const } }
  const inAnHour = () => plusMs(endpoint.now, 3_600_000)

  test('returns a transaction_id, keeps the session for an hour, and signs in the background', async () => {
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

  test('returns the same transaction_id for the same request, and signs nothing for it', async () => {
    endpoint.queue.answer = isLate
    const session = await ofOffer()
    const body = { credential_configuration_id: configurationId, proofs: await endpoint.proofsOf([key]) }
    const first = await send(session, body, around)
    const again = await send(session, body, around)
    expect(again).toMatchObject({ status: 202, body: first.body })
    endpoint.queue.answer = endpoint.sign
    expect(await send(session, body, around)).toMatchObject({ status: 202, body: first.body })
    expect(await statesOf(session)).toEqual(['requested'])
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

  test('does not defer a request that the signing process refuses', async () => {
    endpoint.queue.answer = refuses
    const session = await ofOffer()
    await expect(collect(session, {}, around)).rejects.toMatchObject(denied)
    expect(await rowsOf(session)).toMatchObject([{ state: 'refused', deferredAt: null }])
  })
})

describe('a refusal of the signing process', () => {
  test('is returned with its reason', async () => {
    for (const session of [await ofOffer(), await ofAuthorization()]) {
      endpoint.queue.answer = refuses
      await expect(collect(session)).rejects.toMatchObject({ ...denied, message: 'No certificate is active' })
      expect(await statesOf(session)).toEqual(['refused'])
    }
  })

  test('is not returned if the session ended during the request', async () => {
    for (const session of [await ofOffer(), await ofAuthorization()]) {
      endpoint.queue.answer = async (request) => {
        await endpoint.db.tx((tx) => tx.delete(sessions).where(eq(sessions.id, session.id)))
        return refuses(request)
      }
      await expect(collect(session)).rejects.toMatchObject({ problem: 'service_unavailable', retryAfterSeconds: 2 })
    }
  })

  test('is returned without a reason if the response of the process was lost', async () => {
    const session = await ofAuthorization()
    endpoint.queue.answer = async (request) => refuses(request).catch(isLate)
    await expect(collect(session)).rejects.toMatchObject({ ...denied, message: 'This credential will not be issued' })
  })
})

describe('an issuance that is missing when its response arrives', () => {
  test.each<[string, (request: SignatureRequest) => Promise<unknown>]>([
    ['lost with the database', () => Promise.resolve()],
    ['cancelled by the same request', ({ item }) => cancel(item)],
  ])('because it was %s is not available', async (_why, lose) => {
    for (const session of [await ofOffer(), await ofAuthorization()]) {
      endpoint.queue.answer = async (request) => {
        await lose(request)
        return isLate()
      }
      const unavailable = { problem: 'service_unavailable', check: 'signed_in_time', retryAfterSeconds: 2 }
      await expect(collect(session)).rejects.toMatchObject(unavailable)
    }
  })

  const cancel = (item: IssuanceRequest) => endpoint.db.tx((tx) => insertAbandoned(tx, rowOf(item), endpoint.now))
})
