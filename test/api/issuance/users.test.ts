import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withUserTerms } from '../../../db/repos/issuance/users/user-terms.ts'
import { findUser, persistClaims } from '../../../db/repos/issuance/users/users.ts'
import { newDelivery } from '../../../db/repos/operations/webhooks/deliveries.ts'
import { insertWebhook } from '../../../db/repos/operations/webhooks/webhooks.ts'
import { credentials } from '../../../db/tables/issuance/credentials.ts'
import { issuances } from '../../../db/tables/issuance/issuances.ts'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { sessionClaims } from '../../../db/tables/issuance/session-claims.ts'
import { sessions } from '../../../db/tables/issuance/sessions.ts'
import { userClaimTerms } from '../../../db/tables/issuance/user-claim-terms.ts'
import { deliveries } from '../../../db/tables/operations/deliveries.ts'
import { derivedOrderedId } from '../../../shared/ids.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: Service
let providerId: string

beforeAll(async () => {
  service = await startService()
  const provider = await service.operator.post('/v1/users/authentication-providers', {
    url: 'https://login.example.com',
    clientId: 'trustwright',
    clientSecret: 'a secret of the provider',
  })
  providerId = provider.body.id
})
afterAll(() => service[Symbol.asyncDispose]())

test('a user is created with claims and a subject at the provider, and returned as written', async () => {
  const claims = {
    givenName: 'Ana',
    address: { city: 'Wellington' },
    roles: ['a', 1, null],
    'https://x/y': 1.5,
    empty: {},
  }
  const created = await service.operator.post('/v1/users', {
    claims,
    authenticationProvider: { providerId, subjectId: 'ana' },
    unknown: 'is ignored',
  })
  const view = {
    id: created.body.id,
    claims,
    authenticationProvider: { providerId, url: 'https://login.example.com', subjectId: 'ana' },
  }
  expect(created).toMatchObject({ status: 201 })
  expect(created.body).toStrictEqual(view)
  expect((await service.operator.get(`/v1/users/${created.body.id}`)).body).toStrictEqual(view)
})

test('every field of a user is optional', async () => {
  const created = await service.operator.post('/v1/users', {})
  expect(created.body).toStrictEqual({ id: created.body.id, claims: {} })
  expect(await service.operator.post('/v1/users')).toMatchObject({ status: 201 })
})

test('a user with wrong fields is refused with the name of each', async () => {
  const wrong = [
    [{ claims: ['x'] }, ['claims']],
    [{ claims: 'x', authenticationProvider: { providerId } }, ['claims', 'authenticationProvider.subjectId']],
    [{ authenticationProvider: { providerId, subjectId: '' } }, ['authenticationProvider.subjectId']],
    [{ authenticationProvider: { providerId, subjectId: 'a\u0000b' } }, ['authenticationProvider.subjectId']],
    ['{"claims":{"a":1,"a":2}}', ['claims.a']],
    ['{"claims":{"__proto__":{"admin":true}}}', ['claims.__proto__']],
  ] as const
  for (const [body, params] of wrong) {
    const answer = await service.operator.post('/v1/users', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest', message: 'Validation Error' } })
    expect(answer.body.details.map(({ param }: { param: string }) => param)).toEqual(params)
  }
  expect(await service.operator.post('/v1/users', { claims: { big: 'x'.repeat(100_000) } })).toMatchObject({
    status: 413,
  })
})

test('a provider of another tenant is refused', async () => {
  const elsewhere = await service.addTenant()
  for (const api of [service.operator, elsewhere.operator]) {
    const id = api === service.operator ? randomUUID() : providerId
    expect(await api.post('/v1/users', { authenticationProvider: { providerId: id, subjectId: 'x' } })).toMatchObject({
      status: 400,
      body: {
        details: [
          { msg: 'Resource Not Found', param: 'authenticationProvider.providerId', location: 'body', value: id },
        ],
      },
    })
  }
})

test('a subject of a provider belongs to one user, also after concurrent creations and changes', async () => {
  const authenticationProvider = { providerId, subjectId: 'only one' }
  const created = await Promise.all([1, 2, 3].map(() => service.operator.post('/v1/users', { authenticationProvider })))
  expect(created.map(({ status }) => status).sort()).toEqual([201, 409, 409])

  const other = await service.operator.post('/v1/users', { claims: { kept: true } })
  const refused = await service.operator.put(`/v1/users/${other.body.id}`, { claims: {}, authenticationProvider })
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'Conflict', details: [{ param: 'authenticationProvider.subjectId' }] },
  })
  expect((await service.operator.get(`/v1/users/${other.body.id}`)).body.claims).toEqual({ kept: true })
})

test('an update replaces the claims, and keeps the subject at a provider', async () => {
  const { body: user } = await service.operator.post('/v1/users', { claims: { a: 1, b: 2 } })
  const authenticationProvider = { providerId, subjectId: `subject of ${user.id}` }
  const linked = await service.operator.put(`/v1/users/${user.id}?partial=true`, { authenticationProvider })
  expect(linked).toMatchObject({ status: 200, body: { claims: { a: 1, b: 2 }, authenticationProvider } })
  const changed = await service.operator.put(`/v1/users/${user.id}`, { claims: { c: 3 } })
  expect(changed.body).toStrictEqual({
    id: user.id,
    claims: { c: 3 },
    authenticationProvider: { ...authenticationProvider, url: 'https://login.example.com' },
  })
  expect(
    await service.operator.put(`/v1/users/${user.id}`, {
      authenticationProvider: { providerId: randomUUID(), subjectId: 'x' },
    }),
  ).toMatchObject({ status: 400, body: { details: [{ param: 'authenticationProvider.providerId' }] } })
  expect((await service.operator.get(`/v1/users/${user.id}`)).body).toStrictEqual(changed.body)
})

test('users are listed in pages, oldest first', async () => {
  const tenant = await service.addTenant()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    ids.push((await tenant.operator.post('/v1/users', { claims: { i } })).body.id)
    service.clock.advance(1)
  }
  const pages = await pagesOf<{ id: string }>(tenant.operator, '/v1/users?limit=2')
  expect(pages.map((page) => page.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  expect(await tenant.operator.get('/v1/users?limit=0')).toMatchObject({ status: 400 })
  expect(await tenant.operator.get('/v1/users?cursor=x')).toMatchObject({ status: 400 })
})

test('a user is found in its own tenant only', async () => {
  const { body: user } = await service.operator.post('/v1/users', {})
  const elsewhere = await service.addTenant()
  for (const [method, path] of [
    ['GET', `/v1/users/${user.id}`],
    ['PUT', `/v1/users/${user.id}`],
    ['DELETE', `/v1/users/${user.id}`],
    ['GET', `/v1/users/${user.id}/credentials`],
  ] as const) {
    const answer = await elsewhere.operator.send(method, path, method === 'PUT' ? {} : undefined)
    expect(answer).toMatchObject({ status: 404, body: { code: 'NotFound', details: [{ location: 'params' }] } })
  }
  expect(await service.operator.get('/v1/users/not-a-uuid')).toMatchObject({
    status: 400,
    body: { details: [{ param: 'id', location: 'params' }] },
  })
})

test('only admin, issuer and managed-issuer clients manage users', async () => {
  for (const role of ['issuer', 'managed-issuer']) {
    expect(await (await service.as(role)).get('/v1/users')).toMatchObject({ status: 200 })
  }
  for (const role of ['verifier', 'dts-provider', 'dts-consumer', 'auditor', 'holder']) {
    expect(await (await service.as(role)).get('/v1/users')).toMatchObject({ status: 403, body: undefined })
  }
  expect(await service.anonymous.get('/v1/users')).toMatchObject({ status: 401, body: 'Unauthorized' })
})

test('a user with 5,000 claims is found by the last of them until they are replaced', async () => {
  const claims = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`claim${i}`, i]))
  const created = await service.operator.post('/v1/users', { claims })
  expect(created.status).toBe(201)
  const search = () => service.operator.post('/v1/users/search', { claims: { claim4999: 4999 } })
  expect((await search()).body.data.map(({ id }: { id: string }) => id)).toEqual([created.body.id])
  await service.operator.put(`/v1/users/${created.body.id}`, { claims: { few: true } })
  expect((await search()).body).toEqual({ data: [] })
})

test('persisted claims replace those of the same name, and the user is found by them', async () => {
  const { body: user } = await service.operator.post('/v1/users', { claims: { city: 'Nelson', kept: true } })
  const { db } = service.deps
  const kept = { city: 'Napier', nested: { at: 'login' } }
  await withUserTerms([], (terms) => db.tx((tx) => persistClaims(tx, service.id, user.id, kept, terms)))
  const { claims } = (await findUser(db.read, service.id, user.id))!
  expect(claims).toEqual({ city: 'Napier', kept: true, nested: { at: 'login' } })
  const search = async (wanted: unknown) =>
    (await service.operator.post('/v1/users/search', { claims: wanted })).body.data.length
  expect(await search({ city: 'Napier', nested: { at: 'login' }, kept: true })).toBe(1)
  expect(await search({ city: 'Nelson', kept: true })).toBe(0)
})

test('the records of issued credentials are listed without claim values', async () => {
  const { body: user } = await service.operator.post('/v1/users', {})
  const record = await seedIssuance(user.id)
  const { status, body } = await service.operator.get(`/v1/users/${user.id}/credentials`)
  expect(status).toBe(200)
  expect(body).toStrictEqual({
    data: [
      {
        id: record.id,
        type: 'Membership',
        profile: 'compact',
        offerId: record.offerId,
        sessionId: record.sessionId,
        credentialConfigurationId: record.configurationId,
        devicePublicKey: record.devicePublicKey,
        issuedDate: record.issuedAt.toISOString(),
        validFrom: record.validFrom.toISOString(),
        status: 'valid',
      },
    ],
  })
})

test('issued credentials are listed by configuration, and found by their id, in their own tenant only', async () => {
  const configurationId = await compactConfiguration(service)
  const made: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    const { uri, userId } = await newOffer(service, [configurationId])
    await (await newWallet(service, service.origin, uri)).collect()
    made.push(userId)
    service.clock.advance(1)
  }
  const path = '/v2/credentials/issued'
  const first = (await service.operator.get(`${path}?configurationId=${configurationId}&limit=2`)).body
  expect(first.data).toMatchObject(made.slice(0, 2).map((userId) => ({ userId, status: 'valid' })))
  const rest = `${path}?configurationId=${configurationId}&limit=2&cursor=${first.nextCursor}`
  const second = (await service.operator.get(rest)).body
  expect(second).toEqual({ data: [expect.objectContaining({ userId: made[2] })] })
  const { data: own } = (await service.operator.get(`/v1/users/${made[0]}/credentials`)).body
  const { id } = first.data[0]
  expect((await service.operator.get(`${path}/${id}`)).body).toEqual({ ...own[0], isRevocable: false, userId: made[0] })
  const other = await service.addTenant()
  expect(await other.operator.get(`${path}/${id}`)).toMatchObject({ status: 404 })
  expect((await other.operator.get(`${path}?configurationId=${configurationId}`)).body.data).toEqual([])
})

test('the deletion of a user removes all its data, and deliveries about its credentials end', async () => {
  const { body: user } = await service.operator.post('/v1/users', { claims: { name: 'Gone' } })
  const { body: other } = await service.operator.post('/v1/users', { claims: { name: 'Stays' } })
  const [record, kept] = [await seedIssuance(user.id), await seedIssuance(other.id)]
  expect(await service.operator.delete(`/v1/users/${user.id}`)).toMatchObject({ status: 204, body: undefined })
  expect(await service.operator.delete(`/v1/users/${user.id}`)).toMatchObject({ status: 404 })
  expect(await service.operator.get(`/v1/users/${user.id}`)).toMatchObject({ status: 404 })

  const { read } = service.deps.db
  for (const table of [offers, sessions, issuances, credentials, userClaimTerms]) {
    expect(await read.select().from(table).where(eq(table.userId, user.id))).toEqual([])
    expect(await read.select().from(table).where(eq(table.userId, other.id))).toHaveLength(1)
  }
  const bySession = (id: string) => read.select().from(sessionClaims).where(eq(sessionClaims.sessionId, id))
  expect([await bySession(record.sessionId), await bySession(kept.sessionId)].map(({ length }) => length)).toEqual([
    0, 1,
  ])
  const delivery = async (id: string) => {
    const [row] = await read.select().from(deliveries).where(eq(deliveries.objectId, id))
    return [row?.state, row?.attempts[0]?.answer]
  }
  // The stored response of a receiver may repeat personal data of the event.
  expect(await delivery(record.id)).toEqual(['failed', undefined])
  expect(await delivery(kept.id)).toEqual(['pending', 'Dear Ada'])
})

/** Stores all rows of an issuance: offer, session, issuance, credential record, and a pending delivery. */
async function seedIssuance(userId: string) {
  const [id, offerId, sessionId, issuanceId, configurationId] = Array.from({ length: 5 }, () => randomUUID()) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const at = service.clock.now()
  const own = { tenantId: service.id, userId }
  const expiresAt = new Date(at.getTime() + 3_600_000)
  const devicePublicKey = { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' } as const
  const record = {
    ...own,
    id,
    issuanceId,
    profile: 'compact' as const,
    type: 'Membership',
    offerId,
    sessionId,
    configurationId,
    devicePublicKey,
    status: 'valid' as const,
    issuedAt: at,
    validFrom: at,
    validUntil: null,
    position: 0,
  }
  await service.deps.db.tx(async (tx) => {
    await tx.insert(offers).values({
      ...own,
      id: offerId,
      state: 'claimed',
      configurationIds: [configurationId],
      claims: {},
      codeHash: randomUUID(),
      wrongTransactionCodes: 0,
      expiresAt,
      createdAt: at,
    })
    await tx.insert(sessions).values({
      ...own,
      id: sessionId,
      offerId,
      configurationIds: [configurationId],
      credentialIdentifiers: {},
      tokenHash: randomUUID(),
      expiresAt,
      createdAt: at,
    })
    await tx.insert(sessionClaims).values({ tenantId: service.id, sessionId, configurationId, issuanceId })
    await tx.insert(issuances).values({
      ...own,
      id: issuanceId,
      sessionId,
      offerId,
      configurationId,
      state: 'issued',
      holderKeys: [],
      requestedAt: at,
    })
    await tx.insert(credentials).values(record)
    const webhook = { events: ['OpenIdCredentialIssued' as const], url: 'https://receiver.example' }
    const { id: webhookId } = await insertWebhook(tx, service.id, webhook, at)
    const kind = 'OpenIdCredentialIssued' as const
    const eventId = derivedOrderedId(at, id, kind)
    const subject = { subjectKind: 'issuance', objectId: id } as const
    const event = { tenantId: service.id, webhookId, eventId, kind, ...subject, eventAt: at }
    const attempt = { id: randomUUID(), at: at.toISOString(), status: 500, durationMs: 1, answer: 'Dear Ada' }
    const attempted = { attempts: [attempt], attemptsMade: 1, nextAttemptAt: expiresAt }
    await tx.insert(deliveries).values({ ...newDelivery(event, at), ...attempted })
  })
  return record
}
