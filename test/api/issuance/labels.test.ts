import { afterAll, beforeAll, expect, test } from 'vitest'
import { listUsersByLabel } from '../../../db/repos/issuance/users/users.ts'
import { plansOf, scansIn } from '../../db/plans.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { newWallet, readOffer } from '../../wallets/wallet.ts'

let service: Service
let configurationId: string
beforeAll(async () => {
  service = await startService()
  configurationId = await compactConfiguration(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v1/openid/offers'

test('a user has a label, and a replacement without a label removes it', async () => {
  const { operator } = service
  const { status, body } = await operator.post('/v1/users', { claims: { a: 1 }, label: '  KD-1 ' })
  expect({ status, body }).toStrictEqual({ status: 201, body: { id: body.id, claims: { a: 1 }, label: 'KD-1' } })
  const user = `/v1/users/${body.id}`
  expect((await operator.get(user)).body.label).toBe('KD-1')
  expect((await operator.put(`${user}?partial=true`, { claims: { a: 2 } })).body.label).toBe('KD-1')
  expect((await operator.put(`${user}?partial=true`, { label: 'KD-2' })).body).toMatchObject({
    claims: { a: 2 },
    label: 'KD-2',
  })
  const replaced = await operator.put(user, { claims: {} })
  expect(replaced.body).toStrictEqual({ id: body.id, claims: {} })
  expect(replaced.headers['x-reset-fields']).toContain('label')
})

test('a label has 1 to 100 characters without control characters', async () => {
  for (const label of ['', ' ', 'x'.repeat(101), 'a\u0000b', 'a\nb', 7, null]) {
    const answer = await service.operator.post('/v1/users', { label })
    expect(answer, String(label)).toMatchObject({ status: 400, body: { details: [{ param: 'label' }] } })
    const offered = await service.operator.post(path, { credentials: [configurationId], label })
    expect(offered.status, String(label)).toBe(400)
  }
  expect(await service.operator.post('/v1/users', { label: 'ü'.repeat(100) })).toMatchObject({ status: 201 })
})

test('users are found by label and by id, without their claims', async () => {
  const tenant = await service.addTenant()
  const ids: string[] = []
  for (const [label, claims] of [
    ['KD-7', { a: 1 }],
    ['kd-7', { a: 2 }],
    ['KD-70', {}],
    [undefined, { label: 'KD-7' }],
  ] as const) {
    ids.push((await tenant.operator.post('/v1/users', { claims, ...(label && { label }) })).body.id)
    service.clock.advance(1)
  }
  const find = async (criteria: object) => (await tenant.operator.post('/v1/users/search', criteria)).body
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
  expect(idsOf(await find({ label: 'Kd-7' }))).toEqual(ids.slice(0, 2))
  expect(idsOf(await find({ label: 'KD-7', claims: { a: 2 } }))).toEqual([ids[1]])
  const first = await find({ label: 'KD-7', limit: 1 })
  expect(idsOf(first)).toEqual([ids[0]])
  expect(idsOf(await find({ label: 'KD-7', limit: 1, cursor: first.nextCursor }))).toEqual([ids[1]])
  expect(await find({ ids: [ids[2], ids[3], service.id], withClaims: false })).toStrictEqual({
    data: [{ id: ids[2], label: 'KD-70' }, { id: ids[3] }],
  })
  expect(idsOf(await find({ ids: ids.slice(0, 3), label: 'kd-70' }))).toEqual([ids[2]])
  const others = await service.operator.post('/v1/users/search', { ids, label: 'KD-7' })
  expect(others.body.data).toEqual([])
  expect(await tenant.operator.post('/v1/users/search', { ids: [] })).toMatchObject({ status: 400 })
})

test('an offer of either kind has a label, which neither the wallet nor the credential contains', async () => {
  const { operator, anonymous, origin } = service
  const offer = await newOffer(service, [configurationId], { label: 'KD-offer-1' })
  const shared = await operator.post(path, { credentials: [configurationId], label: 'Fair 2026' })
  expect(shared.status).toBe(200)
  const { grants } = await readOffer(shared.body.uri, anonymous)
  const sharedId = grants.authorization_code.issuer_state
  const labels = async () => {
    const { data } = (await operator.get(`${path}?order=newest`)).body
    return Object.fromEntries(data.map(({ id, label }: { id: string; label?: string }) => [id, label]))
  }
  expect(await labels()).toMatchObject({ [offer.id]: 'KD-offer-1', [sharedId]: 'Fair 2026' })
  expect((await operator.get(`${path}/${offer.id}/details`)).body.label).toBe('KD-offer-1')
  expect(offer.uri + JSON.stringify(await readOffer(offer.uri, anonymous))).not.toContain('KD-offer')
  const collected = await (await newWallet(service, origin, offer.uri)).collect()
  expect(JSON.stringify(collected)).not.toContain('KD-offer')
  const timeline = await operator.get(`${path}/${offer.id}/timeline`)
  expect(JSON.stringify(timeline.body)).not.toContain('KD-offer')

  await operator.delete(`${path}/${sharedId}`)
  expect(Object.keys(await labels())).not.toContain(sharedId)
  expect((await operator.delete(`/v1/users/${offer.userId}`)).status).toBe(204)
  expect(Object.keys(await labels())).not.toContain(offer.id)
})

test('events contain no label', async () => {
  const { operator } = service
  const label = 'KD-secret-reference'
  const { body: user } = await operator.post('/v1/users', { label })
  const offer = await newOffer(service, [configurationId], { label, userId: user.id })
  await operator.put(`/v1/users/${user.id}?partial=true`, { label: `${label}-2` })
  const events = await eventually(async () => {
    const read = JSON.stringify((await operator.get('/v1/events?limit=1000&order=newest')).body)
    return read.includes(offer.id) && read.includes('USER_UPDATE_SUCCESS') && read
  })
  expect(events).not.toContain('KD-secret')
})

test('an index finds users by label', async () => {
  const plans = await plansOf(service.deps.config.databaseUrl, (tx) =>
    listUsersByLabel(tx, service.id, 'KD-7', 10, { at: new Date(0), id: '' }),
  )
  expect(scansIn(plans)).toEqual([])
  expect(plans.join('\n')).toContain('users_label')
})
