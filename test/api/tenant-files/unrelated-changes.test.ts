import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { maxChangesAtOnce } from '../../../api/tenant-files/apply.ts'
import { callingBeforeTransactions } from '../../harness/before-transactions.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Files = Record<string, Record<string, unknown>>
const authorization = { type: 'api-key', value: { $secret: 'KEY' } }
const sourceNamed = (name: string) => ({ name, url: 'https://source.example.org/', authorization })
const type = { $ref: 'ecosystems/nz/types/card' }
const participant = { name: 'Agency', isIssuer: true, issuer: { credentialTypes: [type] } }
const ofEachForm: Files = {
  'claim-sources/register': sourceNamed('Register'),
  'configurations/compact/licence': { type: 'Licence', claimMappings: { level: { defaultValue: 'B1' } } },
  'wallets/campus': { name: 'Campus', redirectUris: ['https://wallet.example.org/callback'], clientId: 'campus' },
  'ecosystems/nz/ecosystem': { name: 'New Zealand' },
  'ecosystems/nz/types/card': { profile: 'mobile', type: 'org.example.card', name: 'Card' },
  'ecosystems/nz/participants/agency': participant,
  'webhooks/crm': { events: ['OpenIdCredentialIssued'], url: 'https://crm.example.org/hook' },
}
const bundle = (objects: Files) => ({ format: 1, objects, secrets: { KEY: 'a-key-of-the-register' }, prune: true })

/** Runs `change` before each of the first transactions of an apply. Returns the answer and how many transactions began. */
async function applyAmid({ operator }: TestTenant, objects: Files, change: () => Promise<unknown>) {
  const { basedOn, digest } = (await operator.post('/v1/configuration/plan', bundle(objects))).body
  const { db } = service.deps
  onTestFinished(() => void Object.assign(service.deps, { db }))
  let transactions = 0
  const calling = callingBeforeTransactions(db, async () => {
    service.deps.db = db
    if (transactions++ < 4) await change()
    service.deps.db = calling
  })
  service.deps.db = calling
  const { status, body } = await operator.post('/v1/configuration/apply', { ...bundle(objects), basedOn, digest })
  service.deps.db = db
  return { status, body, transactions }
}

const addWebhook = async ({ operator }: TestTenant) =>
  expect(
    await operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url: 'https://other.example.org/hook' }),
  ).toMatchObject({ status: 201 })

test('changes of other objects before each transaction of an apply do not make it plan again', async () => {
  const tenant = await service.addTenant()
  const many = Object.fromEntries(
    Array.from({ length: maxChangesAtOnce + 1 }, (_, at) => [`claim-sources/a-${at}`, sourceNamed(`A ${at}`)]),
  )
  const created = await applyAmid(tenant, { ...ofEachForm, ...many }, () => addWebhook(tenant))
  expect(created).toMatchObject({ status: 200, transactions: 2 })
  const deleted = await applyAmid(tenant, {}, () => addWebhook(tenant))
  expect(deleted).toMatchObject({ status: 200, transactions: 2 })
  const left = (await tenant.operator.get('/v1/configuration/objects')).body.data
  expect(left).toEqual([])
})

test('a change of a part of an object before the transaction of an apply is named', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  expect(await applyAmid(tenant, ofEachForm, async () => undefined)).toMatchObject({ status: 200 })
  const [ecosystem] = (await operator.get('/v1/ecosystems')).body.data
  const at = `/v1/ecosystems/${ecosystem.id}`
  const [{ id }] = (await operator.get(`${at}/participants`)).body.data
  const [{ id: typeId }] = (await operator.get(`${at}/credentials`)).body.data
  const path = 'ecosystems/nz/participants/agency'
  const applied = await applyAmid(tenant, { ...ofEachForm, [path]: { ...participant, name: 'Office' } }, () =>
    operator.delete(`${at}/participants/${id}/issuer/credentials/${typeId}`),
  )
  expect(applied).toMatchObject({ status: 412, body: { details: [{ param: `basedOn.${path}` }] } })
})

test('an object that was created by hand at the path of a new file before the transaction of an apply is not created twice', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const wallet = { name: 'Campus', redirectUris: ['https://wallet.example.org/callback'] }
  const applied = await applyAmid(tenant, ofEachForm, () => operator.post('/v1/openid/clients', wallet))
  const refused = [{ param: 'objects.wallets/campus', msg: expect.stringContaining('was not made by files') }]
  expect(applied).toMatchObject({ status: 400, body: { details: refused } })
  expect((await operator.get('/v1/configuration/objects')).body.data).toEqual([])
})

test('an object that its owner has once and that was created by hand before the transaction of an apply is not overwritten', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const ecosystem = { 'ecosystems/nz/ecosystem': { name: 'New Zealand' } }
  expect(await applyAmid(tenant, ecosystem, async () => undefined)).toMatchObject({ status: 200 })
  const [{ id }] = (await operator.get('/v1/ecosystems')).body.data
  const list = { vicalProvider: 'Agency' }
  const applied = await applyAmid(tenant, { ...ecosystem, 'ecosystems/nz/vical': list }, async () =>
    expect(await operator.put(`/v1/ecosystems/${id}/vicals/configuration`, list)).toMatchObject({ status: 200 }),
  )
  const refused = [{ param: 'objects.ecosystems/nz/vical', msg: expect.stringContaining('was not made by files') }]
  expect(applied).toMatchObject({ status: 400, body: { details: refused } })
})

test('an apply of other files before the transaction of an apply does not make it plan again', async () => {
  const tenant = await service.addTenant()
  const other = { format: 1, objects: { 'claim-sources/other': sourceNamed('Other') }, secrets: { KEY: 'another-key' } }
  const applied = await applyAmid(tenant, { 'claim-sources/register': sourceNamed('Register') }, async () => {
    const { basedOn } = (await tenant.operator.post('/v1/configuration/plan', other)).body
    expect(await tenant.operator.post('/v1/configuration/apply', { ...other, basedOn })).toMatchObject({ status: 200 })
  })
  expect(applied).toMatchObject({ status: 200, transactions: 1, body: { changes: [{ op: 'create' }] } })
})
