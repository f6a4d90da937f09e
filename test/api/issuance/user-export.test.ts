import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditEvents } from '../../../db/repos/operations/audit/audit.ts'
import { insertEvents } from '../../../db/repos/operations/search/events.ts'
import { claimLinks } from '../../../db/tables/issuance/claim-links.ts'
import { deliveries } from '../../../db/tables/operations/deliveries.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { newLinksTenant } from '../../harness/bulk-links.ts'
import { newOffer, webConfiguration } from '../../harness/factories.ts'
import { eventually, joinService, type SharedService, type TestTenant, tokenOf } from '../../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'
import { type Receiver, startReceiver } from '../../servers/receiver.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: SharedService
let receiver: Receiver
beforeAll(async () => {
  service = await joinService()
  receiver = await startReceiver(() => ({ body: 'thanks for Ada' }))
})
afterAll(async () => {
  for (const each of [service, receiver]) await each?.[Symbol.asyncDispose]()
})

const html = { accept: 'text/html' }
const pathOf = (userId: string) => `/v1/users/${userId}/export`

/** A person with a stored credential, an open offer, and a claim link that was not opened. */
async function newPerson(tenant: TestTenant): Promise<string> {
  const { operator } = tenant
  const webhook = { events: ['OpenIdCredentialIssued'], url: `${receiver.url}/hidden-address` }
  expect(await operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  const mapping = { given_name: { mapFrom: 'claims.given_name' } }
  const configuration = await webConfiguration(tenant, { persist: true, revocable: true, claimMappings: mapping })
  const claims = { family_name: '<script>alert(1)</script>', nicknames: ['Ada & co'] }
  const { body: user } = await operator.post('/v1/users', { claims, label: 'customer 7' })
  const offer = { userId: user.id, claims: { given_name: 'Ada' }, label: 'spring' }
  const wallet = await newWallet(tenant, service.origin, (await newOffer(tenant, [configuration], offer)).uri)
  expect(await wallet.collect()).toMatchObject({ status: 200 })
  await newOffer(tenant, [configuration], offer)
  const file = csvFile(`number,given_name,person,email\n1,Grace,${user.id},grace@example.org\n`)
  const fields = bulkFields(configuration, { mode: 'links', userIdColumn: 'person', keepColumns: 'email' })
  const { body: bulk } = await uploadTo(operator, '/v1/bulk-issuances', ['file', file], ...fields)
  await eventually(async () => (await operator.get(`/v1/bulk-issuances/${bulk.id}`)).body.state === 'done')
  const delivered = eq(deliveries.tenantId, tenant.id)
  await eventually(async () => {
    const [row] = await service.deps.db.read.select({ state: deliveries.state }).from(deliveries).where(delivered)
    return row?.state === 'delivered'
  })
  await eventually(async () => (await operator.get(`/v1/events?objectId=${user.id}`)).body.data.length > 0)
  return user.id
}

test('an export has all data of the person, and neither secrets nor data of others', async () => {
  const tenant = await service.addTenant()
  const userId = await newPerson(tenant)
  const other = (await tenant.operator.post('/v1/users', { claims: { name: 'Another person' } })).body.id
  const { status, headers, body } = await tenant.operator.get(pathOf(userId))
  expect(status).toBe(200)
  expect(headers['content-disposition']).toBe(`attachment; filename="person-${userId}.json"`)
  expect(headers['cache-control']).toBe('no-store')
  const { data, ...about } = body
  expect(about).toEqual({ userId, issuer: tenant.baseUrl, exportedAt: expect.stringMatching(/Z$/) })
  expect(data.person).toMatchObject([{ id: userId, claims: { nicknames: ['Ada & co'] }, label: 'customer 7' }])
  expect(data.offers).toMatchObject([
    { state: 'claimed', claims: { given_name: 'Ada' }, label: 'spring' },
    { state: 'usable', label: 'spring' },
  ])
  expect(data.claimLinks).toMatchObject([{ state: 'open', externalId: '1', claims: { given_name: 'Grace' } }])
  expect(data.bulkRows).toMatchObject([
    { row: 1, state: 'done', externalId: '1', keptCells: { email: 'grace@example.org' } },
  ])
  const [credential] = data.credentials
  expect(credential).toMatchObject({ status: 'valid', type: 'CourseCertificate' })
  const credentialSubject = expect.objectContaining({ given_name: 'Ada' })
  expect(data.issuances).toMatchObject([{ credentials: [{ id: credential.id, credential: { credentialSubject } }] }])
  expect(data.storedCredentials).toMatchObject([{ id: credential.id, credential: { credentialSubject } }])
  expect(data.statusEntries).toMatchObject([{ credentialId: credential.id, status: 'valid' }])
  expect(data.deliveries).toMatchObject([{ objectId: credential.id, attempts: [{ answer: 'thanks for Ada' }] }])
  expect(data.sessions).toMatchObject([{ offerId: data.offers[0].id }])
  expect(data.events.map(({ type }: { type: string }) => type)).toContain('USER_CREATE_SUCCESS')
  for (const list of Object.values(data)) expect(Array.isArray(list)).toBe(true)
  const text = JSON.stringify(body)
  for (const part of [other, 'Another person', 'hidden-address', tenant.clientId]) expect(text).not.toContain(part)
  expect(text).not.toMatch(/hash"|sealed|secret|traceparent/i)
  const rows = await service.deps.db.read.select().from(claimLinks).where(eq(claimLinks.tenantId, tenant.id))
  expect(rows).toHaveLength(1)
})

test('the page has no script and no address of another host, and shows what the JSON has', async () => {
  const tenant = await service.addTenant({ name: 'University of Aston & co' })
  const userId = await newPerson(tenant)
  const { status, headers, body } = await tenant.operator.get(pathOf(userId), html)
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers['content-disposition']).toBe(`attachment; filename="person-${userId}.html"`)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).not.toContain('script-src')
  expect(body).not.toContain('<script')
  expect(body).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
  expect(body).toContain('University of Aston &#38; co')
  expect(body).toMatch(/<dt>Given name<\/dt><dd>Grace<\/dd>/)
  expect(body).toMatch(/<h2 id="signIns">Sign-ins<\/h2>\n<p>Nothing is stored/)
  expect(body.trimEnd()).toMatch(/<\/main>\n<\/body>\n<\/html>$/)
})

test('each export is audited without content, and only for those who may read claims', async () => {
  const { id: tenantId, operator, as, clientId } = await service.addTenant()
  const { body: user } = await operator.post('/v1/users', { claims: { name: 'Ada Canary' } })
  for (const role of ['viewer', 'auditor', 'verifier', 'holder'])
    expect([role, (await (await as(role)).get(pathOf(user.id))).status]).toEqual([role, 403])
  expect(await (await service.addTenant()).operator.get(pathOf(user.id))).toMatchObject({ status: 404 })
  expect(await operator.get(pathOf('b9f2a1f0-0000-4000-8000-000000000000'))).toMatchObject({ status: 404 })
  const exported = async () => {
    const { rows } = await listAuditEvents(service.deps.db.read, tenantId, { types: ['USER_EXPORT_AUDIT'] }, 10)
    return rows
  }
  expect(await exported()).toEqual([])
  expect(await (await as('issuer')).get(pathOf(user.id))).toMatchObject({ status: 200 })
  expect(await operator.get(pathOf(user.id), html)).toMatchObject({ status: 200 })
  const [last, ...others] = await exported()
  expect(last).toMatchObject({ clientId, data: { id: user.id } })
  expect(others).toHaveLength(1)
  expect(JSON.stringify([last, ...others])).not.toContain('Canary')
})

test('exports count as changes in the rate limit of the tenant', async () => {
  const { operator } = await service.addTenant({ limits: { managementWritesPerMinute: 3 } })
  const { body: user } = await operator.post('/v1/users', {})
  for (const _ of [1, 2]) expect(await operator.get(pathOf(user.id))).toMatchObject({ status: 200 })
  expect(await operator.get(pathOf(user.id))).toMatchObject({ status: 429 })
})

test('an export with many events is read in portions without a transaction, and breaks off if the person is erased meanwhile', async () => {
  const tenant = await newLinksTenant(service).then(({ tenant }) => tenant)
  const { body: user } = await tenant.operator.post('/v1/users', {})
  const event = { tenantId: tenant.id, type: 'USER_UPDATE_SUCCESS', category: 'USERS', objectId: user.id }
  const data = { note: 'x'.repeat(10_000) }
  const timestamp = new Date().toISOString()
  for (let batch = 0; batch < 30; batch++) {
    const all = Array.from({ length: 100 }, () => ({
      ...event,
      id: newOrderedId(new Date()),
      requestId: newOrderedId(new Date()),
      timestamp,
      data,
    }))
    await service.deps.db.tx((tx) => insertEvents(tx, all))
  }
  const token = await tokenOf(service.origin, tenant.host, tenant.clientId, tenant.clientSecret)
  const headers = { host: tenant.host, authorization: `Bearer ${token}` }
  const [response] = (await once(get(service.origin + pathOf(user.id), { headers }), 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  await once(response, 'readable')
  expect(await tenant.operator.delete(`/v1/users/${user.id}`)).toMatchObject({ status: 204 })
  await expect(response.toArray()).rejects.toThrow('aborted')
})
