import { randomUUID, X509Certificate } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canFind, searchedKinds } from '../../../api/operations/search/kinds.ts'
import { matchAll, search } from '../../../api/operations/search/search.ts'
import { routes } from '../../../api/routes.ts'
import { dialect } from '../../../db/columns.ts'
import { bulkIssuances } from '../../../db/tables/issuance/bulk-issuances.ts'
import { webhooks } from '../../../db/tables/operations/webhooks.ts'
import { rightsOf, tenantRoles } from '../../../shared/access/roles.ts'
import { newEcosystemCa } from '../../certificates/hierarchy.ts'
import { plansOf, scansIn } from '../../db/plans.ts'
import { newLinksTenant } from '../../harness/bulk-links.ts'
import {
  activeIaca,
  compactConfiguration,
  mdlConfiguration,
  newOffer,
  webConfiguration,
} from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'
import { readOffer } from '../../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

interface Result {
  kind: string
  id: string
  name?: string
  type?: string
}

async function find(of: Pick<TestTenant, 'operator'>, q: string): Promise<Result[]> {
  const { status, body } = await of.operator.get(`/v1/search?q=${encodeURIComponent(q)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const labelsOf = (results: Result[]) => results.map(({ kind, name, type }) => `${kind} ${name ?? type}`)

test('objects are found by id, label, name, type and serial number', async () => {
  const { operator, id: tenantId } = service
  const user = (await operator.post('/v1/users', { label: 'KD-2001' })).body
  const configurationId = await compactConfiguration(service, { type: 'LibraryCard', display: [{ name: 'Bücherei' }] })
  await webConfiguration(service, { name: 'Library certificate' })
  const offer = await newOffer(service, [configurationId], { label: 'kd-2001 order' })
  const shared = await operator.post('/v1/openid/offers', { credentials: [configurationId], label: 'KD-fair' })
  const { grants } = await readOffer(shared.body.uri, service.anonymous)
  const webhook = (
    await operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url: 'https://hooks.library.example/in' })
  ).body
  const ecosystem = (await operator.post('/v1/ecosystems', { name: 'Libraries of the country' })).body
  const participant = await operator.post(`/v1/ecosystems/${ecosystem.id}/participants`, { name: 'Library Nelson' })
  const client = await operator.post(`/v1/tenants/${tenantId}/clients`, { name: 'Library desk', roles: ['issuer'] })
  const iaca = await activeIaca(service, { commonName: 'Library Root' })

  expect(await find(service, user.id)).toStrictEqual([{ kind: 'user', id: user.id, name: 'KD-2001' }])
  expect(labelsOf(await find(service, 'Kd-20'))).toEqual(['user KD-2001', 'offer kd-2001 order'])
  expect(labelsOf(await find(service, 'kd-2001'))).toEqual(['user KD-2001', 'offer kd-2001 order'])
  expect(await find(service, 'KD-fair')).toMatchObject([{ kind: 'offer', id: grants.authorization_code.issuer_state }])
  expect(await find(service, offer.id)).toMatchObject([{ kind: 'offer', name: 'kd-2001 order' }])
  expect(await find(service, 'bücherei')).toMatchObject([
    { kind: 'configuration', id: configurationId, profile: 'compact' },
  ])
  expect(labelsOf(await find(service, 'library'))).toEqual([
    'configuration Library certificate',
    'configuration Bücherei',
    'certificate Library Root',
    'participant Library Nelson',
    'webhook https://hooks.library.example/in',
    'client Library desk',
  ])
  expect(await find(service, 'LIBRARY nelson')).toMatchObject([
    { kind: 'participant', id: participant.body.id, ecosystemId: ecosystem.id },
  ])
  for (const [kind, id] of [
    ['webhook', webhook.id],
    ['ecosystem', ecosystem.id],
    ['client', client.body.clientId],
    ['certificate', iaca.id],
  ])
    expect(await find(service, id), kind).toMatchObject([{ kind, id }])

  const { serialNumber } = new X509Certificate(iaca.certificatePem)
  const pairs = serialNumber.match(/../g)?.join(':') ?? ''
  for (const q of [serialNumber, serialNumber.toLowerCase(), pairs])
    expect(await find(service, q), q).toMatchObject([{ kind: 'certificate', id: iaca.id, certificateKind: 'iaca' }])

  expect(await find(service, '%')).toEqual([])
  expect(await find(service, "kd' or 1=1 --")).toEqual([])
  expect(await find(service, randomUUID())).toEqual([])
  await operator.delete(`/v1/users/${user.id}`)
  expect(labelsOf(await find(service, 'Kd-20'))).toEqual(['offer kd-2001 order'])
  await operator.delete(`/v1/openid/offers/${grants.authorization_code.issuer_state}`)
  expect(await find(service, grants.authorization_code.issuer_state)).toEqual([])
})

test('the reference of a page leads to its request and its offer', async () => {
  const { operator, anonymous } = service
  const refused = await anonymous.get(`/v1/openid/offers/${randomUUID()}`)
  const configurationId = await compactConfiguration(service)
  const { headers } = await operator.post('/v1/openid/offers/pre-authorized', {
    credentials: [configurationId],
    claims: { given_name: 'Ada' },
  })
  const requestId = String(headers['x-request-id'])
  const searchResults = await eventually(async () => {
    const results = await find(service, requestId)
    return results.length > 0 && results
  })
  expect(searchResults).toMatchObject([
    { kind: 'request', id: requestId, type: 'OPENID_PRE_AUTHORIZED_OFFER_CREATE', offerId: expect.any(String) },
  ])
  expect(refused.status).toBe(404)
})

test('at most 20 objects are found, and one kind does not hide the others', async () => {
  const tenant = await service.addTenant()
  await compactConfiguration(tenant, { display: [{ name: 'Many cards' }] })
  await tenant.operator.post('/v1/ecosystems', { name: 'Many' })
  for (let at = 0; at < 30; at++) await tenant.operator.post('/v1/users', { label: `Many ${at}` })
  const results = await find(tenant, 'many')
  expect(results[0]).toMatchObject({ kind: 'ecosystem', name: 'Many' })
  expect(results.filter(({ kind }) => kind === 'user')).toHaveLength(8)
  expect(results.map(({ kind }) => kind)).toContain('configuration')
  expect(results.length).toBeLessThanOrEqual(20)
})

test('a caller finds objects of its tenant only, and only what its roles can read', async () => {
  const [one, other] = [await service.addTenant(), await service.addTenant()]
  const ids: Record<string, string> = {}
  ids.user = (await one.operator.post('/v1/users', { label: 'Shared text' })).body.id
  ids.ecosystem = (await one.operator.post('/v1/ecosystems', { name: 'Shared text' })).body.id
  ids.client = (
    await one.operator.post(`/v1/tenants/${one.id}/clients`, { name: 'Shared text', roles: ['issuer'] })
  ).body.clientId
  ids.certificate = (await activeIaca(one, { commonName: 'Shared text' })).id
  ids['ecosystem-certificate'] = (await newEcosystemCa(one, { commonName: 'Shared text' })).id
  const kindsFor = async (role: string) => {
    const results = await find({ operator: await one.as(role) }, 'shared text')
    return results.map(({ kind }) => kind).sort()
  }
  expect(await kindsFor('admin')).toEqual(Object.keys(ids).sort())
  for (const role of ['issuer', 'managed-issuer']) expect(await kindsFor(role), role).toEqual(['certificate', 'user'])
  for (const role of ['dts-provider', 'dts-consumer'])
    expect(await kindsFor(role), role).toEqual(['ecosystem', 'ecosystem-certificate'])
  for (const role of ['verifier', 'auditor']) expect(await kindsFor(role), role).toEqual([])
  expect(await (await one.as('holder')).get('/v1/search?q=shared')).toMatchObject({ status: 403 })
  expect(await one.anonymous.get('/v1/search?q=shared')).toMatchObject({ status: 401 })
  for (const q of ['shared text', ...Object.values(ids)]) expect(await find(other, q), q).toEqual([])
  for (const [kind, id] of Object.entries(ids)) {
    const isIssuing = ['user', 'certificate'].includes(kind)
    expect(await find({ operator: await one.as('issuer') }, id), kind).toHaveLength(isIssuing ? 1 : 0)
  }
})

test('removed bulk issuances and listeners are not found', async () => {
  const tenant = await service.addTenant()
  const configurationId = await compactConfiguration(tenant)
  const file = csvFile('number,given_name\n1,Ada\n', 'gone-people.csv')
  const bulk = await uploadTo(tenant.operator, '/v1/bulk-issuances', ['file', file], ...bulkFields(configurationId))
  const hook = { events: ['OpenIdCredentialIssued'], url: 'https://gone.example.org/in' }
  const webhook = await tenant.operator.post('/v1/webhooks', hook)
  const kindsOf = async (q: string) => (await find(tenant, q)).map(({ kind }) => kind)
  expect(await kindsOf('gone')).toEqual(['bulk-issuance', 'webhook'])
  await service.deps.db.tx(async (tx) => {
    await tx.update(bulkIssuances).set({ state: 'removed' }).where(eq(bulkIssuances.tenantId, tenant.id))
    await tx.update(webhooks).set({ leasedUntil: service.clock.now() }).where(eq(webhooks.tenantId, tenant.id))
  })
  for (const q of ['gone', bulk.body.id, webhook.body.id]) expect(await kindsOf(q), q).toEqual([])
})

test('claim links of one person do not hide bulk issuances of files', async () => {
  const { tenant, operator, configurationId, upload, inState } = await newLinksTenant(service)
  const bulkId = await upload(['20417,Ada'])
  await inState(bulkId, 'done')
  const link = { configurationIds: [configurationId], claims: { given_name: 'Bob' }, externalId: '20418' }
  const single = (await operator.post('/v1/claim-links', link)).body.bulkIssuanceId
  const { db } = service.deps
  const [row] = await db.read.select().from(bulkIssuances).where(eq(bulkIssuances.id, single))
  // More than a search compares.
  for (let count = 0; count < 500; count += 50) {
    const copies = Array.from({ length: 50 }, () => ({ ...row!, id: randomUUID() }))
    await db.tx((tx) => tx.insert(bulkIssuances).values(copies))
  }
  expect(await find(tenant, '20417')).toMatchObject([{ kind: 'claim-link', bulkIssuanceId: bulkId }])
  const { fileName } = (await operator.get(`/v1/bulk-issuances/${bulkId}`)).body
  expect(await find(tenant, fileName)).toMatchObject([{ kind: 'bulk-issuance', id: bulkId }])
  expect(await find(tenant, row!.fileName)).toEqual([])
  expect(await find(tenant, single)).toMatchObject([{ kind: 'bulk-issuance', id: single }])
})

test('each kind has the roles of the operation that reads it', () => {
  for (const [name, kind] of Object.entries(searchedKinds)) {
    const route = routes.find((each) => each.operation === kind.operation)
    const access = route?.access
    const readers = access?.kind === 'operators' ? access.roles.filter((role) => role !== 'platform') : []
    const finders = tenantRoles.filter((role) => canFind(rightsOf([role]), kind))
    expect(finders.sort(), name).toEqual([...readers].sort())
  }
})

test('a search has 1 to 200 characters without control characters', async () => {
  for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(201)}`, '?q=a%00b'])
    expect(await service.operator.get(`/v1/search${query}`), query).toMatchObject({ status: 400 })
})

test('a search queries at most four kinds at a time', async () => {
  let [now, most] = [0, 0]
  const kinds = Object.values(searchedKinds).map(({ match }) => match)
  const slow = async () => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setTimeout(resolve, 5))
    now--
    return []
  }
  await matchAll([...new Set(kinds)], slow)
  expect(most).toBe(4)
})

test('indexes find everything, also in a large tenant', async () => {
  await mdlConfiguration(service)
  for (const text of [randomUUID(), 'KD-20', '0A:1B:2C']) {
    const plans = await plansOf(service.deps.config.databaseUrl, (tx) =>
      search(tx, service.id, rightsOf(['admin']), text),
    )
    expect(plans.length).toBeLessThan(35)
    // The kinds of certificates share one read.
    expect(plans.filter((plan) => plan.includes('"serial_number" in')).length).toBe(1)
    // The others read a limited range of an index in its order.
    expect(scansIn(plans).filter((plan) => !/limit (\?|\$\d)/.test(plan))).toEqual([])
    // PostgreSQL sorts the few rows of this test, and any index of the tenant costs as much for them.
    if (dialect === 'postgres') continue
    expect(plans.filter((plan) => plan.includes('TEMP B-TREE'))).toEqual([])
    for (const name of ['users_label', 'offers_label', 'participants_name', 'certificates_serial', 'events_request'])
      expect(plans.join('\n')).toContain(name)
  }
})
