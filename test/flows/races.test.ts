import { setImmediate } from 'node:timers/promises'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { maxConnections } from '../../db/engine/postgres-pool.ts'
import { markSent, takeCredentials } from '../../db/repos/issuance/sessions/sessions.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { authorizations } from '../../db/tables/issuance/authorizations.ts'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { sessionClaims } from '../../db/tables/issuance/session-claims.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { userClaimTerms } from '../../db/tables/issuance/user-claim-terms.ts'
import { type Claims, users } from '../../db/tables/issuance/users.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { openCredentials } from '../../shared/jobs/answered-credentials.ts'
import type { IssuanceRef } from '../../shared/jobs/payloads.ts'
import { removeWebhook } from '../../workers/upkeep/remove-deleted.ts'
import type { Api, ApiResponse } from '../harness/api-client.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { waitingForLocks } from '../harness/locks.ts'
import { redeemOffer, requestIssuance } from '../harness/requested.ts'
import { newWallet } from '../wallets/wallet.ts'

const rounds = 60
const lastTurn = { number: 2, isLast: false, isRepeated: true, starts: 2, interruptedStarts: 1 }

let service: Service
let configurationId: string
beforeAll(async () => {
  // Nothing is delivered: what is pending stays so.
  service = await startService({ roles: ['signing', 'analytics'] })
  configurationId = await webConfiguration(service)
})
afterAll(() => service[Symbol.asyncDispose]())

/** Sends both requests concurrently and returns their statuses. In each round one of them starts a little earlier. */
async function race(left: () => Promise<ApiResponse>, right: () => Promise<ApiResponse>, round: number) {
  const lead = (round % 9) - 4
  const answers = await Promise.all([after(-lead, left), after(lead, right)])
  return answers.map(({ status }) => status)
}

async function after<Result>(ticks: number, run: () => Promise<Result>): Promise<Result> {
  for (let tick = 0; tick < ticks; tick++) await setImmediate()
  return run()
}

test.each(['/v1/openid/offers/pre-authorized', '/v1/openid/offers'])(
  'an offer by %s and the deletion of its configuration: one of the two is refused',
  async (path) => {
    const { operator } = service
    for (let round = 0; round < rounds; round++) {
      const id = await webConfiguration(service)
      const offer = () => operator.post(path, { credentials: [id], claims: { a: 1 } })
      const remove = () => operator.delete(`/v2/credentials/web-semantic/configurations/${id}`)
      expect([
        [200, 409],
        [400, 204],
      ]).toContainEqual(await race(offer, remove, round))
    }
  },
)

/** A partial PUT, which is sent again when the resource was changed while it was served. */
function changing(api: Api, path: string) {
  const send = async (body: unknown): Promise<ApiResponse> => {
    const answer = await api.put(`${path}?partial=true`, body)
    return answer.status === 412 ? send(body) : answer
  }
  return (body: unknown) => () => send(body)
}

test('two changes of a tenant: neither is lost', async () => {
  const tenant = await service.addTenant()
  const path = `/v1/tenants/${tenant.id}`
  for (let round = 0; round < rounds; round++) {
    const [profile, publicClients] = [round % 2 ? 'standard' : 'lenient', round % 2 === 0]
    const change = changing(service.platform, path)
    expect(await race(change({ profile }), change({ publicClients }), round)).toEqual([200, 200])
    expect((await service.platform.get(path)).body).toMatchObject({ profile, publicClients })
  }
})

test('an offer and the erasure of its user: nothing of the user stays', async () => {
  const { operator, deps } = service
  for (let round = 0; round < rounds; round++) {
    const { body: user } = await operator.post('/v1/users', { claims: { given_name: 'Ada' } })
    const request = { credentials: [configurationId], userId: user.id, claims: { given_name: 'Ada', city: 'Napier' } }
    const kept = round % 3 ? { claimsToPersist: ['city'] } : {}
    const offer = () => operator.post('/v1/openid/offers/pre-authorized', { ...request, ...kept })
    const [offered, erased] = await race(offer, () => operator.delete(`/v1/users/${user.id}`), round)
    expect([200, 400]).toContain(offered)
    expect(erased).toBe(204)
    expect(await deps.db.read.$count(offers, eq(offers.userId, user.id))).toBe(0)
    expect(await deps.db.read.$count(userClaimTerms, eq(userClaimTerms.userId, user.id))).toBe(0)
  }
})

test('a user of a provider and the deletion of the provider: one of the two is refused', async () => {
  const tenant = await service.addTenant()
  const path = '/v1/users/authentication-providers'
  const provider = { url: 'https://login.example.com', clientId: 'us', clientSecret: 'kept between us' }
  for (let round = 0; round < rounds; round++) {
    const { body } = await tenant.operator.post(path, provider)
    const authenticationProvider = { providerId: body.id, subjectId: `ada ${round}` }
    const save = () => tenant.operator.post('/v1/users', { authenticationProvider })
    const outcome = await race(save, () => tenant.operator.delete(`${path}/${body.id}`), round)
    expect([
      [201, 409],
      [400, 204],
    ]).toContainEqual(outcome)
    const ofProvider = eq(users.providerId, body.id)
    const [user] = await service.deps.db.read.select({ id: users.id }).from(users).where(ofProvider)
    if (user) await tenant.operator.delete(`/v1/users/${user.id}`)
    if (outcome[1] === 409) await tenant.operator.delete(`${path}/${body.id}`)
  }
})

test('a configuration with a claim source and the deletion of the source: one of the two is refused', async () => {
  const { operator } = await service.addTenant()
  const source = {
    name: 'Register',
    url: 'https://register.example.com',
    authorization: { type: 'api-key', value: 'x' },
  }
  const content = { name: 'C', type: 'C', issuer: { name: 'U' }, claimMappings: { level: { defaultValue: 'B1' } } }
  for (let round = 0; round < rounds; round++) {
    const { body } = await operator.post('/v1/claim-sources', source)
    const save = () =>
      operator.post('/v2/credentials/web-semantic/configurations', { ...content, claimSourceId: body.id })
    expect([
      [201, 409],
      [400, 204],
    ]).toContainEqual(await race(save, () => operator.delete(`/v1/claim-sources/${body.id}`), round))
  }
})

test('two changes of a user: claims and provider are both stored', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const provider = { url: 'https://login.example.com', clientId: 'us', clientSecret: 'kept between us' }
  const { body } = await operator.post('/v1/users/authentication-providers', provider)
  const { body: user } = await operator.post('/v1/users', { claims: {} })
  for (let round = 0; round < rounds; round++) {
    const claims = { round }
    const authenticationProvider = { providerId: body.id, subjectId: `subject ${round}` }
    const change = changing(operator, `/v1/users/${user.id}`)
    expect(await race(change({ claims }), change({ authenticationProvider }), round)).toEqual([200, 200])
    const after = await operator.get(`/v1/users/${user.id}`)
    expect(after.body).toMatchObject({ claims, authenticationProvider })
    expect((await operator.post('/v1/users/search', { claims, authenticationProvider })).body.data).toHaveLength(1)
  }
})

test('a test event and the end of its webhook: no delivery stays pending', async () => {
  const { operator, deps } = service
  const content = { events: ['OpenIdCredentialIssued'], url: 'https://hook.example.com' }
  for (let round = 0; round < rounds; round++) {
    const { body: webhook } = await operator.post('/v1/webhooks', content)
    const send = () => operator.post(`/v1/webhooks/${webhook.id}/test`)
    const isDeleted = round % 4 < 2
    const end = () =>
      isDeleted
        ? operator.delete(`/v1/webhooks/${webhook.id}`)
        : operator.put(`/v1/webhooks/${webhook.id}`, { ...content, disabled: true })
    await race(send, end, round)
    // The job that the deletion leaves.
    if (isDeleted) await removeWebhook(deps, { tenantId: service.id, webhookId: webhook.id }, lastTurn)
    const ofWebhook = eq(deliveries.webhookId, webhook.id)
    const left = isDeleted ? ofWebhook : and(ofWebhook, eq(deliveries.state, 'pending'))
    expect(await deps.db.read.$count(deliveries, left)).toBe(0)
  }
})

test('two rotations of a key: one key signs', async () => {
  const { id, deps } = service
  const signing = and(eq(keys.tenantId, id), eq(keys.purpose, 'webhook'), isNull(keys.retiredAt))
  const rotate = () => service.operator.post('/v1/webhooks/keys/rotate')
  for (let round = 0; round < rounds / 4; round++) {
    await Promise.all([rotate(), rotate()])
    expect(await deps.db.read.$count(keys, signing)).toBe(1)
  }
})

test.each(['offers', 'sessions of authorizations'])(
  'batches that claim the same %s in different orders do not deadlock',
  async (what) => {
    const { deps, id: tenantId } = service
    const both = [configurationId, await webConfiguration(service)]
    const before = await deadlocks()
    for (let round = 0; round < rounds / 6; round++) {
      const batches: IssuanceRef[][] = [[], []]
      for (let offer = 0; offer < 6; offer++) {
        const { id: offerId } = await redeemedOffer(both)
        if (what !== 'offers') await makeOfAuthorization(offerId)
        for (const [place, configurationId] of both.entries())
          batches[place]?.push({ tenantId, issuanceId: await requestCredential(offerId, configurationId) })
      }
      const [one = [], other = []] = batches
      const sign = (items: IssuanceRef[]) => deps.bus.call('signCredentials', { items }, { deadlineMs: 60_000 })
      const signed = await Promise.all([sign(one), sign(other.toReversed())])
      expect(signed.flatMap(({ outcomes }) => outcomes)).toEqual(
        Array.from({ length: 12 }, () => ({ ok: expect.any(String) })),
      )
    }
    expect(await deadlocks()).toBe(before)
  },
)

test.each(['what notes that wallets have their tokens', 'a batch'])(
  '%s and a transaction that counts the same sessions do not deadlock',
  { tags: 'postgres' },
  async (what) => {
    const { deps, id: tenantId } = service
    const [older, newer] = await redeemedInReverse()
    const items: IssuanceRef[] = []
    for (const { id } of [newer, older]) {
      await makeOfAuthorization(id)
      items.push({ tenantId, issuanceId: await requestCredential(id, configurationId) })
    }
    const before = await deadlocks()
    const note = () => deps.db.tx((tx) => markSent(tx, [newer.sessionId, older.sessionId], new Date()))
    const sign = () => deps.bus.call('signCredentials', { items }, { deadlineMs: 60_000 })
    const [held, waitedFor] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const counting = deps.db.tx(async (tx) => {
      await takeCredentials(tx, tenantId, older.sessionId, 1)
      held.resolve()
      await waitedFor.promise
      await takeCredentials(tx, tenantId, newer.sessionId, 1)
    })
    await held.promise
    const other = what === 'a batch' ? sign() : note()
    await eventually(async () => (await waitingForLocks(service)) > 0)
    waitedFor.resolve()
    await Promise.all([counting, other])
    expect(await deadlocks()).toBe(before)
  },
)

test('the second request of a batch for the last credential of a session gets nothing, and the others succeed', async () => {
  const { deps, id: tenantId } = service
  const [one, other] = [await redeemedOffer([configurationId]), await redeemedOffer([configurationId])]
  const twice = [await requestCredential(one.id, configurationId), await requestCredential(one.id, configurationId)]
  const ids = [...twice.sort(), await requestCredential(other.id, configurationId)]
  const items = ids.map((issuanceId) => ({ tenantId, issuanceId }))
  const { outcomes } = await deps.bus.call('signCredentials', { items }, { deadlineMs: 60_000 })

  const denied = { problem: expect.objectContaining({ problem: 'credential_request_denied' }) }
  expect(outcomes).toEqual([{ ok: expect.any(String) }, denied, { ok: expect.any(String) }])
  const rows = await Promise.all(ids.map((id) => issuanceOf(id)))
  expect(rows.map(({ state }) => state)).toEqual(['issued', 'refused', 'issued'])
  expect(rows[1]).toMatchObject({ credentials: null, claims: null })
  const recorded = ids.map((id) => deps.db.read.$count(credentials, eq(credentials.issuanceId, id)))
  expect(await Promise.all(recorded)).toEqual([1, 0, 1])
  const claimed = await deps.db.read.select().from(sessionClaims).where(eq(sessionClaims.sessionId, rows[0]!.sessionId))
  expect(claimed).toMatchObject([{ issuanceId: ids[0] }])
})

test('waiting requests get their credentials sealed, and read large ones from the database', async () => {
  const { deps, id: tenantId } = service
  // With spaces, which base64 does not have: no sealed text contains the name by chance.
  const name = 'Ada Lovelace'
  const claims = [{ given_name: name }, { given_name: name.repeat(2_000) }]
  const ids: string[] = []
  for (const each of claims) {
    const { id: offerId } = await redeemedOffer([configurationId])
    ids.push(await requestCredential(offerId, configurationId, each))
  }
  const items = ids.map((issuanceId) => ({ tenantId, issuanceId }))
  const { outcomes } = await deps.bus.call('signCredentials', { items }, { deadlineMs: 60_000 })

  const [small, large] = outcomes.map((outcome) => 'ok' in outcome && outcome.ok)
  const { credentials: kept } = await issuanceOf(ids[0]!)
  expect(small).toBe(kept)
  expect(openCredentials(deps.secrets, ids[0]!, String(small))).toMatchObject([
    { id: expect.any(String), credential: { credentialSubject: { given_name: name } } },
  ])
  expect(() => openCredentials(deps.secrets, ids[1]!, String(small))).toThrow()
  expect(large).toBe(null)
  const { credentials: sealed } = await issuanceOf(ids[1]!)
  const opened = openCredentials(deps.secrets, ids[1]!, String(sealed))
  expect(opened).toHaveLength(1)
  // What the database keeps of the issuances is neither the credential nor its claims.
  const rows = [await issuanceOf(ids[0]!), await issuanceOf(ids[1]!)]
  for (const clear of [/Ada Lovelace/, /"proof\\*":/, /credentialSubject\\*"/]) {
    expect(JSON.stringify(opened)).toMatch(clear)
    for (const row of rows) expect(JSON.stringify(row)).not.toMatch(clear)
  }
})

async function issuanceOf(id: string) {
  const [row] = await service.deps.db.read.select().from(issuances).where(eq(issuances.id, id))
  return row!
}

async function deadlocks(): Promise<number> {
  if (dialect !== 'postgres') return 0
  await countNow()
  const [row] = await service.deps.db.read
    .select({ count: sql<number>`deadlocks::int` })
    .from(sql`pg_stat_database`)
    .where(sql`datname = current_database()`)
  return row!.count
}

/** Lets the server add up the counts of all sessions that write. Otherwise an idle session keeps its counts for ten seconds. */
async function countNow(): Promise<void> {
  const { promise: allHaveOne, resolve } = Promise.withResolvers<void>()
  let sessionCount = 0
  const onOneSession = () =>
    service.deps.db.tx(async (tx) => {
      await tx.select({ none: sql`pg_stat_force_next_flush()::text` }).from(sql`(SELECT 1) AS one`)
      if (++sessionCount === maxConnections) resolve()
      await allHaveOne
    })
  await Promise.all(Array.from({ length: maxConnections }, onOneSession))
}

interface Redeemed {
  id: string
  sessionId: string
}

/** Two offers, the later of which was redeemed first. */
async function redeemedInReverse(): Promise<[older: Redeemed, newer: Redeemed]> {
  const made = [await newOffer(service, [configurationId]), await newOffer(service, [configurationId])]
  made.sort((left, right) => (left.id < right.id ? 1 : -1))
  const redeemed: Redeemed[] = []
  for (const { id, uri } of made) {
    expect(await (await newWallet(service, service.origin, uri)).redeem()).toMatchObject({ status: 200 })
    const [session] = await service.deps.db.read.select().from(sessions).where(eq(sessions.offerId, id))
    redeemed.push({ id, sessionId: session!.id })
  }
  const [older, newer] = redeemed as [Redeemed, Redeemed]
  expect(older.sessionId < newer.sessionId).toBe(true)
  return [older, newer]
}

/** As if the session of the offer had come from an authorization. */
async function makeOfAuthorization(offerId: string): Promise<void> {
  const [session] = await service.deps.db.read.select().from(sessions).where(eq(sessions.offerId, offerId))
  const { id, tenantId, userId, createdAt, expiresAt } = session!
  const of = { id, tenantId, userId, createdAt, expiresAt, clientId: '', redirectUri: '', state: 'redeemed' as const }
  const asked = { configurationIds: [], detailsRequested: false, codeChallenge: '', requestParameters: {} }
  await service.deps.db.tx(async (tx) => {
    await tx.insert(authorizations).values({ ...of, ...asked })
    await tx.update(sessions).set({ authorizationId: id }).where(eq(sessions.id, id))
  })
}

const redeemedOffer = (configurationIds: string[]) => redeemOffer(service, configurationIds)
const requestCredential = (offerId: string, configurationId: string, claims?: Claims) =>
  requestIssuance(service, { offerId, configurationId, claims })
