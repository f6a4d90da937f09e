import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinService, type SharedService } from '../../harness/harness.ts'

const path = '/v2/presentations/templates'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const dcqlQuery = {
  credentials: [
    {
      id: 'mdl',
      format: 'mso_mdoc',
      meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
      claims: [{ path: ['org.iso.18013.5.1', 'age_over_18'], intent_to_retain: false }],
    },
  ],
}
const least = { name: 'Age', dcqlQuery }
const defaults = { trust: { issuers: 'all' }, status: 'ifPresent', keep: 'nothing', keepFor: { days: 30 } }

test('a template is stored with its query as written, and with defaults for its checks', async () => {
  const { operator } = await service.addTenant()
  const created = await operator.post(path, least)
  expect([created.status, created.body]).toEqual([201, { id: created.body.id, ...least, ...defaults }])
  const ecosystem = (await operator.post('/v1/ecosystems', { name: 'Shops' })).body
  const more = {
    ...{ name: 'Age of majority', purpose: 'To sell alcohol', dcqlQuery },
    trust: { issuers: 'list', ecosystemId: ecosystem.id },
    ...{ status: 'required', maxAgeOfStatus: 3_600, keep: 'claims', keepFor: { days: 7 } },
  }
  const other = (await operator.post(path, more)).body
  expect(other).toEqual({ id: other.id, ...more })
  expect((await operator.get(path)).body).toEqual({ data: [created.body, other] })

  const replaced = await operator.put(`${path}/${created.body.id}`, more)
  expect([replaced.status, replaced.body]).toEqual([200, { id: created.body.id, ...more }])
  expect((await operator.get(`${path}/${created.body.id}`)).body).toEqual(replaced.body)
  expect(await operator.delete(`${path}/${created.body.id}`)).toMatchObject({ status: 204 })
  for (const method of ['get', 'delete'] as const)
    expect(await operator[method](`${path}/${created.body.id}`)).toMatchObject({ status: 404 })
  expect(await operator.put(`${path}/${created.body.id}`, more)).toMatchObject({ status: 404 })
})

test('a query in the form of the reference platform is stored as DCQL', async () => {
  const credentialQuery = [
    { profile: 'mobile', docType: 'org.iso.18013.5.1.mDL', nameSpaces: { 'org.iso.18013.5.1': { age_over_18: {} } } },
  ]
  const { status, body } = await service.operator.post(path, { name: 'Age', credentialQuery })
  const [query] = dcqlQuery.credentials
  const claims = [{ path: ['org.iso.18013.5.1', 'age_over_18'] }]
  expect([status, body.dcqlQuery]).toEqual([201, { credentials: [{ ...query, id: 'mobile-0', claims }] }])
  expect(body).not.toHaveProperty('credentialQuery')
})

test('an ecosystem of another tenant is unknown', async () => {
  const [one, other] = [await service.addTenant(), await service.addTenant()]
  const { id: ecosystemId } = (await other.operator.post('/v1/ecosystems', { name: 'Shops' })).body
  const refused = await one.operator.post(path, { ...least, trust: { issuers: 'list', ecosystemId } })
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'trust.ecosystemId' }] } })
  const template = (await one.operator.post(path, least)).body
  expect(
    await one.operator.put(`${path}/${template.id}`, { ...least, trust: { issuers: 'list', ecosystemId } }),
  ).toMatchObject({ status: 400, body: { details: [{ param: 'trust.ecosystemId', msg: 'Resource Not Found' }] } })
  expect(await other.operator.get(`${path}/${template.id}`)).toMatchObject({ status: 404 })
})

test.each<[string, object, string, string]>([
  ['no name', { dcqlQuery }, 'name', 'Required'],
  ['an empty name', { ...least, name: ' ' }, 'name', 'Must not be empty'],
  ['no query', { name: 'Age' }, 'dcqlQuery', 'Required, or credentialQuery'],
  ['a query without credentials', { name: 'Age', dcqlQuery: {} }, 'dcqlQuery.credentials', 'Required'],
  ['another kind of trust', { ...least, trust: { issuers: 'some' } }, 'trust.issuers', 'Must be all or list'],
  ['a list without an ecosystem', { ...least, trust: { issuers: 'list' } }, 'trust.ecosystemId', 'Required'],
  [
    'an unknown ecosystem',
    { ...least, trust: { issuers: 'list', ecosystemId: randomUUID() } },
    'trust.ecosystemId',
    'Resource Not Found',
  ],
  ['another status', { ...least, status: 'maybe' }, 'status', 'Must be one of required, ifPresent, ignored'],
  ['a status of seconds', { ...least, maxAgeOfStatus: 59 }, 'maxAgeOfStatus', 'Must be at least 60'],
  ['another content', { ...least, keep: 'all' }, 'keep', 'Must be one of nothing, claims, presentation'],
  [
    'an end without a length',
    { ...least, keepFor: { days: 0 } },
    'keepFor',
    'Set at least one of years, months, weeks, days, hours, minutes and seconds above zero',
  ],
])('a template with %s is refused with the name of the field', async (_what, body, param, msg) => {
  const refused = await service.operator.post(path, body)
  expect(refused).toMatchObject({ status: 400, body: { details: [{ msg, param, location: 'body' }] } })
})
