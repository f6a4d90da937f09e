import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { plusMs } from '../../../shared/clock.ts'
import { type Service, startService } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const pathOf = (profile: string) => `/v2/credentials/${profile}/configurations`
const claimMappings = { given_name: { mapFrom: 'claims.given_name', defaultValue: 'Ann', required: true } }
const newType = () => `Type-${randomUUID()}`
const bodies = {
  compact: () => ({ type: newType(), claimMappings }),
  'compact-semantic': () => ({ type: newType(), claimMappings }),
  'web-semantic': () => ({ name: 'Course', type: 'CourseCredential', issuer: { name: 'University' }, claimMappings }),
}

describe.each(Object.entries(bodies))('%s', (profile, newBody) => {
  test('a configuration is returned as it was written, without absent members', async () => {
    const body = newBody()
    const created = await service.operator.post(pathOf(profile), { ...body, unknown: 'ignored' })
    const defaults = profile === 'web-semantic' ? { persist: false, proofType: 'Ed25519Signature2018' } : {}
    expect(created.status).toBe(201)
    expect(created.body).toEqual({ id: expect.any(String), revocable: false, ...defaults, ...body })
    expect(await service.operator.get(`${pathOf(profile)}/${created.body.id}`)).toMatchObject({
      status: 200,
      body: created.body,
    })
  })

  test('a PUT request replaces the configuration', async () => {
    const { body } = await service.operator.post(pathOf(profile), { ...newBody(), expiresIn: { years: 1, months: 0 } })
    expect(body.expiresIn).toEqual({ years: 1, months: 0 })
    const replacement = { ...newBody(), revocable: true, claimMappings: { family_name: { defaultValue: 'Bee' } } }
    const replaced = await service.operator.put(`${pathOf(profile)}/${body.id}`, replacement)
    expect(replaced).toMatchObject({ status: 200, body: { id: body.id, ...replacement } })
    expect(replaced.body).not.toHaveProperty('expiresIn')
    expect((await service.operator.get(`${pathOf(profile)}/${body.id}`)).body).toEqual(replaced.body)
  })

  test('a deleted configuration is not found', async () => {
    const { body } = await service.operator.post(pathOf(profile), newBody())
    const path = `${pathOf(profile)}/${body.id}`
    expect(await service.operator.delete(path)).toMatchObject({ status: 204, body: undefined })
    for (const answer of [
      await service.operator.get(path),
      await service.operator.put(path, newBody()),
      await service.operator.delete(path),
    ]) {
      expect(answer).toMatchObject({
        status: 404,
        body: { code: 'NotFound', details: [{ param: 'id', location: 'params' }] },
      })
    }
  })

  test('a configuration in a usable offer cannot be deleted until the offer is used or expired', async () => {
    const { body } = await service.operator.post(pathOf(profile), newBody())
    await offer(body.id, 'claimed', 60_000)
    await offer(body.id, 'usable', -1)
    const usable = await service.operator.post(pathOf(profile), newBody())
    await offer(usable.body.id, 'usable', 60_000)
    expect(await service.operator.delete(`${pathOf(profile)}/${usable.body.id}`)).toMatchObject({
      status: 409,
      body: { code: 'Conflict' },
    })
    expect(await service.operator.get(`${pathOf(profile)}/${usable.body.id}`)).toMatchObject({ status: 200 })
    expect(await service.operator.delete(`${pathOf(profile)}/${body.id}`)).toMatchObject({ status: 204 })
  })

  test('the list has pages, is ordered oldest first, and can be filtered by type', async () => {
    const tenant = await service.addTenant()
    const types = ['A', 'B', 'C']
    for (const type of types) await tenant.operator.post(pathOf(profile), { ...newBody(), type })
    const first = await tenant.operator.get(`${pathOf(profile)}?limit=2`)
    const second = await tenant.operator.get(`${pathOf(profile)}?limit=2&cursor=${first.body.nextCursor}`)
    const listed = [...first.body.data, ...second.body.data].map(({ type }) => type)
    expect(listed).toEqual(types)
    expect(second.body).not.toHaveProperty('nextCursor')
    const filtered = await tenant.operator.get(`${pathOf(profile)}?type=B`)
    expect(filtered.body.data).toMatchObject([{ type: 'B' }])
  })

  test.each([
    ['no mappings', { claimMappings: undefined }, 'claimMappings'],
    ['a mapping without a source', { claimMappings: { name: { required: true } } }, 'claimMappings.name'],
    ['a malformed path', { claimMappings: { name: { mapFrom: 'claims..x' } } }, 'claimMappings.name.mapFrom'],
    [
      'a path outside of the user data',
      { claimMappings: { name: { mapFrom: 'process.env' } } },
      'claimMappings.name.mapFrom',
    ],
    [
      'a default that is not a string',
      { claimMappings: { name: { defaultValue: 1 } } },
      'claimMappings.name.defaultValue',
    ],
    ['a duration of zero', { expiresIn: { years: 0 } }, 'expiresIn'],
    ['half a year', { expiresIn: { years: 0.5 } }, 'expiresIn.years'],
    ['a negative duration', { expiresIn: { days: -1, years: 1 } }, 'expiresIn.days'],
    ['a duration of more than 100 years', { expiresIn: { years: 101 } }, 'expiresIn.years'],
    ['null', { expiresIn: null }, 'expiresIn'],
    ['revocable as a string', { revocable: 'yes' }, 'revocable'],
    ['an empty type', { type: '' }, 'type'],
  ])('%s is refused with the name of the field', async (_what, wrong, param) => {
    expect(await service.operator.post(pathOf(profile), { ...newBody(), ...wrong })).toMatchObject({
      status: 400,
      body: { code: 'BadRequest', message: 'Validation Error', details: [{ param, location: 'body' }] },
    })
  })

  test('a claim source that does not exist is refused', async () => {
    const body = { ...newBody(), claimSourceId: randomUUID() }
    expect(await service.operator.post(pathOf(profile), body)).toMatchObject({
      status: 400,
      body: { details: [{ param: 'claimSourceId', msg: 'Resource Not Found', location: 'body' }] },
    })
  })
})

test('one list has the configurations of all profiles with their display names', async () => {
  const tenant = await service.addTenant()
  const made: string[] = []
  const make = async (profile: string, body: object) => {
    const { status, body: created } = await tenant.operator.post(pathOf(profile), body)
    expect(status).toBe(201)
    made.push(created.id)
  }
  await make('compact', { type: 'Badge', claimMappings, revocable: true, expiresIn: { years: 1 } })
  await make('web-semantic', bodies['web-semantic']())
  await make('compact-semantic', { type: 'Card', claimMappings, display: [{ name: 'Karte', locale: 'de' }] })
  const mappings = { 'org.example.1': { since: { mapFrom: 'claims.since' }, until: { mapFrom: 'claims.until' } } }
  const mobile = { type: 'org.example.1', claimMappings: mappings, includeStatus: true }
  await make('mobile', { ...mobile, branding: { name: 'Library card', description: 'For books' } })
  const tree = { name: claimMappings.given_name, address: { members: { city: claimMappings.given_name } } }
  await make('sd-jwt', { vct: 'urn:example:card', name: 'Member card', claimMappings: tree, includeStatus: true })
  const all = '/v2/credentials/configurations'
  const { body } = await tenant.operator.get(all)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(made)
  expect(body.data).toMatchObject([
    { profile: 'compact', name: 'Badge', isRevocable: true, expiresIn: { years: 1 }, claims: 1 },
    { profile: 'web-semantic', name: 'Course', type: 'CourseCredential', isRevocable: false },
    { profile: 'compact-semantic', name: 'Karte', type: 'Card' },
    { profile: 'mobile', name: 'Library card', description: 'For books', isRevocable: true, claims: 2 },
    { profile: 'sd-jwt', name: 'Member card', type: 'urn:example:card', isRevocable: true, claims: 2 },
  ])
  expect((await tenant.operator.get(`${all}?profile=compact-semantic`)).body).toEqual({ data: [body.data[2]] })
  const first = await tenant.operator.get(`${all}?limit=3`)
  const second = await tenant.operator.get(`${all}?limit=3&cursor=${first.body.nextCursor}`)
  expect([...first.body.data, ...second.body.data]).toEqual(body.data)
  expect(second.body).not.toHaveProperty('nextCursor')
})

test('a type is unique over both CWT profiles, on create and on replace', async () => {
  const type = newType()
  const { body } = await service.operator.post(pathOf('compact'), { type, claimMappings })
  const conflict = { status: 409, body: { code: 'Conflict', details: [{ param: 'type', value: type }] } }
  expect(await service.operator.post(pathOf('compact'), { type, claimMappings })).toMatchObject(conflict)
  expect(await service.operator.post(pathOf('compact-semantic'), { type, claimMappings })).toMatchObject(conflict)
  const other = await service.operator.post(pathOf('compact-semantic'), bodies['compact-semantic']())
  const path = `${pathOf('compact-semantic')}/${other.body.id}`
  expect(await service.operator.put(path, { type, claimMappings })).toMatchObject(conflict)
  expect(await service.operator.put(`${pathOf('compact')}/${body.id}`, { type, claimMappings })).toMatchObject({
    status: 200,
  })
  const tenant = await service.addTenant()
  expect(await tenant.operator.post(pathOf('compact'), { type, claimMappings })).toMatchObject({ status: 201 })
})

test('a CWT configuration without a type has its id as type', async () => {
  for (const profile of ['compact', 'compact-semantic']) {
    const { status, body } = await service.operator.post(pathOf(profile), { claimMappings })
    expect({ status, type: body.type }).toEqual({ status: 201, type: body.id })
  }
})

test('one of several concurrent requests gets a type', async () => {
  const body = bodies.compact()
  const answers = await Promise.all(Array.from({ length: 5 }, () => service.operator.post(pathOf('compact'), body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
})

test.each([
  ['compact', 'iss'],
  ['compact', 'exp'],
  ['compact', 'type'],
  ['compact-semantic', 'id'],
  ['web-semantic', 'id'],
  ['web-semantic', 'proof'],
  ['web-semantic', '@context'],
])('a %s claim cannot have the name %s', async (profile, name) => {
  const body = { ...bodies[profile as keyof typeof bodies](), claimMappings: { [name]: { defaultValue: 'x' } } }
  expect(await service.operator.post(pathOf(profile), body)).toMatchObject({
    status: 400,
    body: { details: [{ param: `claimMappings.${name}` }] },
  })
})

test('a web semantic configuration is returned with all display fields', async () => {
  const body = {
    name: 'Course',
    description: 'A finished course',
    type: 'CourseCredential',
    additionalTypes: ['AlumniCredential'],
    contexts: ['https://w3id.org/citizenship/v1'],
    issuer: { name: 'University', logoUrl: 'https://u.example/logo.png', iconUrl: 'https://u.example/icon.png' },
    proofType: 'Ed25519Signature2018',
    credentialBranding: { backgroundColor: '#B00AA0', watermarkImageUrl: 'https://u.example/mark.png' },
    claimMappings: {
      'https://schema.org/name': { mapFrom: "claims['https://schema.org/name']" },
      account: { mapFrom: 'authenticationProvider.subjectId' },
    },
    persist: true,
    revocable: true,
    expiresIn: { months: 1, weeks: 2, seconds: 3 },
  }
  const created = await service.operator.post(pathOf('web-semantic'), body)
  expect(created.body).toEqual({ id: expect.any(String), ...body })
})

test.each([
  [{ contexts: ['https://www.w3.org/2018/credentials/v1', 'https://x.example/v1'] }, 'contexts.1'],
  [{ proofType: 'Ed25519Signature2020' }, 'proofType'],
  [{ credentialBranding: { backgroundColor: 'red' } }, 'credentialBranding.backgroundColor'],
  [{ issuer: { name: 'U', logoUrl: 'http://u.example/logo.png' } }, 'issuer.logoUrl'],
  [{ issuer: {} }, 'issuer.name'],
  [{ name: undefined }, 'name'],
  [{ type: 'Two words' }, 'type'],
  [{ additionalTypes: ['@id'] }, 'additionalTypes.0'],
])('a web semantic configuration with %j is refused', async (wrong, param) => {
  const body = { ...bodies['web-semantic'](), ...wrong }
  expect(await service.operator.post(pathOf('web-semantic'), body)).toMatchObject({
    status: 400,
    body: { details: [{ param }] },
  })
})

test('a configuration is found under its own profile only', async () => {
  const { body } = await service.operator.post(pathOf('compact'), bodies.compact())
  expect(await service.operator.get(`${pathOf('web-semantic')}/${body.id}`)).toMatchObject({ status: 404 })
  expect(await service.operator.delete(`${pathOf('compact-semantic')}/${body.id}`)).toMatchObject({ status: 404 })
})

async function offer(configurationId: string, state: 'usable' | 'claimed', lifetimeMs: number): Promise<void> {
  const { db, clock } = service.deps
  const id = randomUUID()
  const at = clock.now()
  const expiresAt = plusMs(at, lifetimeMs)
  await db.tx(async (tx) => {
    await tx.insert(offers).values({
      id,
      tenantId: service.id,
      userId: randomUUID(),
      state,
      configurationIds: [configurationId],
      claims: {},
      codeHash: id,
      wrongTransactionCodes: 0,
      expiresAt,
      createdAt: at,
    })
  })
}
