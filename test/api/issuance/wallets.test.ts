import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { newAttester } from '../../wallets/attestation.ts'

let service: SharedService
let rootPem: string
beforeAll(async () => {
  service = await joinService()
  rootPem = (await newAttester()).rootPem
})
afterAll(() => service?.[Symbol.asyncDispose]())

const path = '/v1/openid/clients'
const wallet = { name: 'Wallet', redirectUris: ['https://wallet.example/callback'] }
const noRules = { required: false, dpopRequired: false, rootCertificates: [] }

const create = (body: Record<string, unknown>, tenant: TestTenant = service) => tenant.operator.post(path, body)

test('a wallet is registered, read, changed and deleted, and its client id does not change', async () => {
  const { status, body } = await create({ ...wallet, clientId: 'my-wallet', unknown: true })
  expect(status).toBe(201)
  expect(body).toEqual({
    ...wallet,
    id: expect.any(String),
    clientId: 'my-wallet',
    attestation: noRules,
    dpopRequired: false,
  })
  const changed = {
    name: 'Wallet 2',
    redirectUris: ['com.example.wallet:/callback', 'http://127.0.0.1/callback'],
    attestation: { required: true, dpopRequired: true, rootCertificates: [rootPem] },
    dpopRequired: true,
  }
  const after = { id: body.id, clientId: 'my-wallet', ...changed }
  expect(await service.operator.put(`${path}/${body.id}`, { ...changed, clientId: 'other' })).toMatchObject({
    status: 200,
  })
  expect(await service.operator.get(`${path}/${body.id}`)).toMatchObject({ status: 200, body: after })
  expect(await service.operator.delete(`${path}/${body.id}`)).toMatchObject({ status: 204 })
  expect(await service.operator.get(`${path}/${body.id}`)).toMatchObject({ status: 404 })
  expect(await service.operator.delete(`${path}/${body.id}`)).toMatchObject({ status: 404 })
})

test('a missing client id is generated, and a client id is unique in its tenant', async () => {
  const { body } = await create(wallet)
  expect(body.clientId).toBe(body.id)
  await create({ ...wallet, clientId: 'taken' })
  expect(await create({ ...wallet, clientId: 'taken' })).toMatchObject({ status: 409, body: { code: 'Conflict' } })
  const tenant = await service.addTenant()
  expect(await create({ ...wallet, clientId: 'taken' }, tenant)).toMatchObject({ status: 201 })
})

test('clients are listed in pages, oldest first', async () => {
  const tenant = await service.addTenant()
  for (const name of ['one', 'two', 'three']) await create({ ...wallet, name }, tenant)
  const first = await tenant.operator.get(`${path}?limit=2`)
  expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual(['one', 'two'])
  const second = await tenant.operator.get(`${path}?limit=2&cursor=${first.body.nextCursor}`)
  expect(second.body.data.map(({ name }: { name: string }) => name)).toEqual(['three'])
  expect(second.body).not.toHaveProperty('nextCursor')
})

const faults: Record<string, { body: Record<string, unknown>; param: string }> = {
  'no name': { body: { name: undefined }, param: 'name' },
  'no redirect URI': { body: { redirectUris: [] }, param: 'redirectUris' },
  'plain http': { body: { redirectUris: ['http://example.org/'] }, param: 'redirectUris.0' },
  'a fragment': { body: { redirectUris: ['https://example.org/#a'] }, param: 'redirectUris.0' },
  'a user': { body: { redirectUris: ['https://a@example.org/'] }, param: 'redirectUris.0' },
  'a script': { body: { redirectUris: ['javascript:alert(1)'] }, param: 'redirectUris.0' },
  'a client id with a space': { body: { clientId: 'a b' }, param: 'clientId' },
  'an invalid certificate': {
    body: { attestation: { rootCertificates: ['nothing'] } },
    param: 'attestation.rootCertificates.0',
  },
  'an attestation without a root': {
    body: { attestation: { required: true } },
    param: 'attestation.rootCertificates',
  },
}

describe('a registration is refused with the name of the field, and not stored, if it has', () => {
  test.each(Object.keys(faults))('%s', async (name) => {
    const { body = {}, param } = faults[name] ?? {}
    const tenant = await service.addTenant()
    const refused = await create({ ...wallet, ...body }, tenant)
    expect(refused).toMatchObject({ status: 400, body: { details: [{ param, location: 'body' }] } })
    expect((await tenant.operator.get(path)).body.data).toEqual([])
  })
})
