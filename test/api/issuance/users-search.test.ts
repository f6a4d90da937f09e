import { setImmediate } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { termBatch, termsOfClaims } from '../../../db/repos/issuance/users/claim-terms.ts'
import { withUserTerms } from '../../../db/repos/issuance/users/user-terms.ts'
import { insertUser, persistClaims } from '../../../db/repos/issuance/users/users.ts'
import { userClaimTerms } from '../../../db/tables/issuance/user-claim-terms.ts'
import { users } from '../../../db/tables/issuance/users.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Creates a tenant with one user per entry. Each user has its own creation time. Equal times would sort by id. */
async function tenantWith(entries: Record<string, unknown>[]): Promise<{ tenant: TestTenant; ids: string[] }> {
  const tenant = await service.addTenant()
  const ids: string[] = []
  for (const claims of entries) {
    ids.push((await tenant.operator.post('/v1/users', { claims })).body.id)
    service.clock.advance(1)
  }
  return { tenant, ids }
}

async function find(tenant: TestTenant, criteria: unknown): Promise<string[]> {
  const { status, body } = await tenant.operator.post('/v1/users/search', criteria)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map(({ id }: { id: string }) => id)
}

test('a search returns the users who have all given claims', async () => {
  const { tenant, ids } = await tenantWith([
    { given_name: 'Ana', address: { city: 'Nelson', zip: '7010' }, roles: ['a', 'b'], age: 30, member: true },
    { given_name: 'Ana', address: { city: 'Napier' }, roles: ['b', 'a'], age: '30', member: null },
    { given_name: 'ana', address: {}, roles: [], nested: { list: [{ x: 1, y: 2 }] } },
    { given_name: 'Ben', address: 'Nelson', 'address/city': 'Nelson', '"address"': { city: 'Nelson' } },
    {},
  ])
  const at = (...places: number[]) => places.map((place) => ids[place])
  const cases: [claims: unknown, found: unknown][] = [
    [{ given_name: 'Ana' }, at(0, 1)],
    [{ given_name: 'Ana', age: 30 }, at(0)],
    [{ age: '30' }, at(1)],
    [{ address: { city: 'Nelson' } }, at(0)],
    [{ address: { city: 'Nelson', zip: '7010' } }, at(0)],
    [{ address: { city: 'Nelson', zip: '7011' } }, []],
    [{ address: {} }, at(0, 1, 2)],
    [{ address: 'Nelson' }, at(3)],
    [{ roles: ['a', 'b'] }, at(0)],
    [{ roles: ['a'] }, []],
    [{ roles: [] }, at(2)],
    [{ nested: { list: [{ y: 2, x: 1 }] } }, at(2)],
    [{ nested: { list: [{ x: 1 }] } }, []],
    [{ member: null }, at(1)],
    [{ member: false }, []],
    [{ unheard: 'of' }, []],
    [{ toString: null }, []],
    [{}, ids],
  ]
  for (const [claims, found] of cases) expect(await find(tenant, { claims }), JSON.stringify(claims)).toEqual(found)
  expect(await find(tenant, {})).toEqual(ids)
  expect((await tenant.operator.post('/v1/users/search')).body.data).toHaveLength(5)
})

test('users are found by provider, by subject, and by both with claims', async () => {
  const { operator } = service
  const provider = await operator.post('/v1/users/authentication-providers', {
    url: 'https://login.example.com',
    clientId: 'trustwright',
    clientSecret: 'a secret of the provider',
  })
  const providerId = provider.body.id
  const ids: string[] = []
  for (const subjectId of ['ana', 'ben']) {
    const body = { claims: { member: true, subjectId }, authenticationProvider: { providerId, subjectId } }
    ids.push((await operator.post('/v1/users', body)).body.id)
    service.clock.advance(1)
  }
  await operator.post('/v1/users', { claims: { member: true } })
  expect(await find(service, { authenticationProvider: { providerId } })).toEqual(ids)
  expect(await find(service, { authenticationProvider: { subjectId: 'ben' } })).toEqual([ids[1]])
  expect(await find(service, { authenticationProvider: { providerId, subjectId: 'ana' } })).toEqual([ids[0]])
  expect(await find(service, { authenticationProvider: { providerId: 'another' } })).toEqual([])
  expect(await find(service, { claims: { member: true }, authenticationProvider: { providerId } })).toEqual(ids)
  expect(await find(service, { claims: { subjectId: 'ben' }, authenticationProvider: { subjectId: 'ana' } })).toEqual(
    [],
  )

  await operator.put(`/v1/users/${ids[1]}`, { authenticationProvider: { providerId, subjectId: 'benjamin' } })
  expect(await find(service, { authenticationProvider: { subjectId: 'ben' } })).toEqual([])
  expect(await find(service, { authenticationProvider: { subjectId: 'benjamin' } })).toEqual([ids[1]])
})

test('pages are ordered oldest first, and a user who is added or deleted between them does not change the other pages', async () => {
  const { tenant, ids } = await tenantWith(Array.from({ length: 7 }, (_, i) => ({ group: 'A', odd: i % 2 === 1 })))
  const page = async (cursor?: string) =>
    (
      await tenant.operator.post('/v1/users/search', {
        claims: { group: 'A' },
        limit: 3,
        ...(cursor ? { cursor } : {}),
      })
    ).body
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
  const first = await page()
  await tenant.operator.delete(`/v1/users/${ids[0]}`)
  await tenant.operator.delete(`/v1/users/${ids[3]}`)
  const added = (await tenant.operator.post('/v1/users', { claims: { group: 'A' } })).body.id
  const second = await page(first.nextCursor)
  const third = await page(second.nextCursor)
  expect(idsOf(first)).toEqual(ids.slice(0, 3))
  expect(idsOf(second)).toEqual(ids.slice(4, 7))
  expect(idsOf(third)).toEqual([added])
  expect(third.nextCursor).toBeUndefined()
})

test('a search finds users of its own tenant only', async () => {
  const { tenant } = await tenantWith([{ secret: 'of one tenant' }])
  const elsewhere = await service.addTenant()
  expect(await find(tenant, { claims: { secret: 'of one tenant' } })).toHaveLength(1)
  expect(await find(elsewhere, { claims: { secret: 'of one tenant' } })).toEqual([])
})

test('a wrong search is refused with the name of the field', async () => {
  const twentyOne = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`c${i}`, { deep: i }]))
  for (const [body, param] of [
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ limit: '5' }, 'limit'],
    [{ cursor: 'x' }, 'cursor'],
    [{ claims: [] }, 'claims'],
    [{ claims: twentyOne }, 'claims'],
    [{ authenticationProvider: { subjectId: 1 } }, 'authenticationProvider.subjectId'],
  ] as const) {
    expect(await service.operator.post('/v1/users/search', body)).toMatchObject({
      status: 400,
      body: { details: [{ param, location: 'body' }] },
    })
  }
})

test('two values with the same term do not cause a wrong match', async () => {
  const { tenant, ids } = await tenantWith([{ name: 'Ana' }, { name: 'Ben' }])
  const { db } = service.deps
  const terms = (await db.read.select().from(userClaimTerms)).filter(({ tenantId }) => tenantId === tenant.id)
  const anas = terms.find(({ userId }) => userId === ids[0])!
  const bens = terms.find(({ userId }) => userId === ids[1])!
  await db.tx((tx) =>
    tx
      .insert(userClaimTerms)
      .values({ ...bens, term: anas.term })
      .returning(),
  )
  expect(await find(tenant, { claims: { name: 'Ana' } })).toEqual([ids[0]])
})

test('a search for common claims that few users combine reads bounded pages, and finds the user', async () => {
  const { tenant, ids } = await tenantWith([{ left: true }, { right: true }])
  const { db } = service.deps
  const terms = (await db.read.select().from(userClaimTerms)).filter(({ tenantId }) => tenantId === tenant.id)
  const [left, right] = ids.map((id) => terms.find(({ userId }) => userId === id)!.term) as [string, string]
  const start = service.clock.now().getTime() + 1
  const row = (ms: number, term: string, userId = `filler ${ms}`) => ({
    tenantId: tenant.id,
    createdAt: new Date(start + ms),
    term,
    userId,
  })
  for (let ms = 0; ms < 5000; ms += 1000) {
    const rows = Array.from({ length: 1000 }, (_, i) => row(ms + i, i % 2 ? left : right))
    await db.tx(async (tx) => void (await tx.insert(userClaimTerms).values(rows)))
    await new Promise((resolve) => setTimeout(resolve)) // Lets the open connections of this process continue.
  }
  await db.tx(async (tx) => {
    const createdAt = new Date(start + 50_000)
    await tx.insert(users).values({ id: 'last', tenantId: tenant.id, claims: { left: true, right: true }, createdAt })
    await tx.insert(userClaimTerms).values([row(50_000, left, 'last'), row(50_000, right, 'last')])
  })

  const userIds: string[] = []
  let pages = 0
  let cursor: string | undefined
  do {
    const criteria = { claims: { left: true, right: true }, ...(cursor ? { cursor } : {}) }
    const { body } = await tenant.operator.post('/v1/users/search', criteria)
    userIds.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor
    pages++
  } while (cursor)
  expect(userIds).toEqual(['last'])
  expect(pages).toBe(3)
})

test('a search can return users without their claims', async () => {
  const { tenant, ids } = await tenantWith([{ given_name: 'Ada', secret: 'canary' }])
  const { body } = await tenant.operator.post('/v1/users/search', { claims: { given_name: 'Ada' }, withClaims: false })
  expect(body.data).toEqual([{ id: ids[0] }])
  expect(JSON.stringify(body)).not.toContain('canary')
})

const ofObjects = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, { a: 1 }]))

/** Counts the passes of the event loop during `work`. */
async function passesDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  let passes = 0
  for (; !isOver; passes++) await setImmediate()
  await work
  return passes
}

test('many claims are indexed in batches, and the event loop runs between them', async () => {
  const tenant = await service.addTenant()
  const claims = ofObjects(4_500)
  const batches = 9_000 / termBatch
  expect(await passesDuring(termsOfClaims(claims))).toBeGreaterThanOrEqual(batches)
  const { db } = service.deps
  const state = { claims, providerId: null, subjectId: null }
  const at = service.clock.now()
  const writing = withUserTerms([state], (terms) => db.tx((tx) => insertUser(tx, tenant.id, { claims }, at, terms)))
  expect(await passesDuring(writing)).toBeGreaterThanOrEqual(2 * batches)
})

test('a user has at most 10,000 values; a user who already has more can keep them', async () => {
  const { operator, id: tenantId } = await service.addTenant()
  const tooMany = {
    status: 400,
    body: { details: [{ param: 'claims', location: 'body', msg: expect.stringMatching(/at most 10,000 values/) }] },
  }
  expect(await operator.post('/v1/users', { claims: ofObjects(5_001) })).toMatchObject(tooMany)
  const { status, body: user } = await operator.post('/v1/users', { claims: ofObjects(5_000) })
  expect(status).toBe(201)
  expect(await operator.post('/v1/users/search', { claims: { n4999: { a: 1 } } })).toMatchObject({
    body: { data: [{ id: user.id }] },
  })
  const path = `/v1/users/${user.id}`
  expect(await operator.put(path, { claims: ofObjects(5_001) })).toMatchObject(tooMany)
  const configuration = await compactConfiguration({ operator })
  const offer = (claims: object) =>
    operator.post('/v1/openid/offers/pre-authorized', {
      ...{ credentials: [configuration], userId: user.id, claims, claimsToPersist: Object.keys(claims) },
    })
  expect(await offer({ given_name: 'Ada' })).toMatchObject(tooMany)
  expect(await offer({ n0: 1 })).toMatchObject({ status: 200 })

  // A user of an earlier version.
  const { db } = service.deps
  await db.tx((tx) =>
    tx
      .update(users)
      .set({ claims: ofObjects(5_200) })
      .where(eq(users.id, user.id)),
  )
  const persist = withUserTerms([], (terms) => db.tx((tx) => persistClaims(tx, tenantId, user.id, { n0: 2 }, terms)))
  expect(await persist).toBe(true)
  expect(await operator.put(path, { claims: ofObjects(5_100) })).toMatchObject({ status: 200 })
  expect(await operator.put(path, { claims: ofObjects(5_101) })).toMatchObject(tooMany)
})
