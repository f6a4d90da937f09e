import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sealAuthorization } from '../../../api/issuance/claim-sources/authorization.ts'
import type { Database } from '../../../db/client.ts'
import { abandonIssuance, refuseIssuances } from '../../../db/repos/issuance/issuances.ts'
import { authorizations } from '../../../db/tables/issuance/authorizations.ts'
import { claimSources } from '../../../db/tables/issuance/claim-sources.ts'
import { configurations } from '../../../db/tables/issuance/configurations.ts'
import { issuances } from '../../../db/tables/issuance/issuances.ts'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { sessions } from '../../../db/tables/issuance/sessions.ts'
import { authenticationProviders } from '../../../db/tables/issuance/sign-in-providers.ts'
import { outbox } from '../../../db/tables/outbox.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { newId } from '../../../shared/ids.ts'
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
const refuses = async ({ tenantId, issuanceId }: SignatureRequest) => {
  const refused = [{ id: issuanceId, refusal: { check: 'signer', reason: 'No certificate is active' } as const }]
  await endpoint.db.tx((tx) => refuseIssuances(tx, tenantId, refused, endpoint.now))
  throw new Problem('credential_request_denied', { message: 'No certificate is active' })
}
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
    const nothingYet = { credentials: null, endedAt: null, deferredAt: null, deliveredAt: null, refusal: null }
    expect(stored).toEqual([{ ...owner, ...content, ...nothingYet, id, holderKeys, state: 'requested' }])
    const { deadlineAt } = answer
    const signature = { job: 'signCredentials', tenantId: endpoint.tenant.id, issuanceId: id, deadlineAt }
    expect(endpoint.queue.requests).toEqual([signature])
    expect(credentialsOf(answer).map(({ key, issuanceId }) => [key, issuanceId])).toEqual([
      [key.publicJwk.x, id],
      [otherKey.publicJwk.x, id],
    ])
    expect(answer.body.notification_id).toMatch(`${id}.`)
    expect(await statesOf(session)).toEqual(['issued'])
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

  test('is awaited until the deadline, less the time for the cancellation on a slow database', async () => {
    let at = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => at)
    const config = { ...endpoint.deps.config, credentialDeadlineMs: 400 }
    for (const [writeMs, earlierMs] of [
      [0, 0],
      // A quarter of the deadline, 100 ms, always remains.
      [100, 0],
      [250, 150],
    ] as const) {
      const txAtOnce: Database['txAtOnce'] = async (...work) => {
        at += writeMs
        return endpoint.db.txAtOnce(...work)
      }
      const { deadlineAt } = await collect(await ofOffer(), {}, { deps: { config, db: { ...endpoint.db, txAtOnce } } })
      expect(endpoint.queue.requests.at(-1)?.deadlineAt).toBe(deadlineAt - earlierMs)
    }
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

  test('returns the same transaction_id for the same request, and does not request a second signature', async () => {
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
    ['lost with the database', ({ issuanceId }) => remove(issuanceId)],
    ['cancelled by the same request', ({ tenantId, issuanceId }) => cancel(tenantId, issuanceId)],
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

  const remove = (id: string) => endpoint.db.tx((tx) => tx.delete(issuances).where(eq(issuances.id, id)))
  const cancel = (tenantId: string, id: string) =>
    endpoint.db.tx((tx) => abandonIssuance(tx, tenantId, id, endpoint.now))
})
