import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../api/routes.ts'
import { allows, permissionsFor } from '../../../shared/access/permissions.ts'
import { type Role, rightsOf, tenantRoles } from '../../../shared/access/roles.ts'
import { newLinksTenant } from '../../harness/bulk-links.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { eventually, joinService, type SharedService } from '../../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const rolesOf = ({ access }: (typeof routes)[number]) => (access.kind === 'operators' ? access.roles : [])

test('the help desk calls these operations and no others', () => {
  const operations = routes.filter((route) => rolesOf(route).includes('helpdesk')).map(({ operation }) => operation)
  expect(operations.sort()).toEqual([
    // The own sessions.
    'endConsoleSession',
    'endConsoleSessions',
    'renewBulkLink',
    'renewExpiredBulkLinks',
    'retrieveBulkIssuance',
    'retrieveBulkIssuances',
    'retrieveBulkRows',
    'retrieveConfigurations',
    'retrieveConsoleSession',
    'retrieveConsoleSessions',
    'retrieveIssuedCredential',
    'retrieveIssuedCredentials',
    'retrieveManagedObjects',
    'retrieveOffer',
    'retrieveOfferTimeline',
    'retrieveOffers',
    'retrieveUser',
    'retrieveUserCredentials',
    'retrieveUsers',
    'revokeBulkLink',
    'search',
    'searchUsers',
  ])
})

/** A viewer calls the operations of a list. A client of the platform calls operations of no tenant. */
const byPermission = tenantRoles.filter((role) => role !== 'viewer')

test.each(byPermission)('the permissions of the role %s and its operations are the same', (role: Role) => {
  const allowed = rightsOf([role])
  const differing = routes.filter((route) => {
    const permissions = permissionsFor(route)
    if (route.access.kind !== 'operators' || rolesOf(route).join() === 'platform' || permissions.length === 0)
      return false
    return permissions.some((each) => allows(allowed, each)) !== rolesOf(route).includes(role)
  })
  expect(differing.map(({ operation }) => operation)).toEqual([])
})

test('the help desk finds a person, sees no claims, and cannot ask for them', async () => {
  const tenant = await service.addTenant()
  const helpdesk = await tenant.as('helpdesk')
  const { id } = (await tenant.operator.post('/v1/users', { label: 'KD-1', claims: { given_name: 'Ada' } })).body
  const answers = [
    await helpdesk.get(`/v1/users/${id}`),
    await helpdesk.get('/v1/users'),
    await helpdesk.post('/v1/users/search', { label: 'kd-1', withClaims: true }),
    await helpdesk.get('/v1/search?q=KD-1'),
  ]
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain(id)
    expect(JSON.stringify(body)).not.toContain('Ada')
  }
  expect(answers[0]?.body).toEqual({ id, claims: {}, label: 'KD-1' })
  expect(await helpdesk.post('/v1/users/search', { claims: { given_name: 'Ada' } })).toMatchObject({
    status: 400,
    body: { details: [{ param: 'claims', msg: expect.stringContaining('label') }] },
  })
  expect((await tenant.operator.get(`/v1/users/${id}`)).body.claims).toEqual({ given_name: 'Ada' })
})

test('the help desk sees the state of an offer, and no address with which the credential can be collected', async () => {
  const tenant = await service.addTenant()
  const helpdesk = await tenant.as('helpdesk')
  const { id, uri, page } = await newOffer(tenant, [await compactConfiguration(tenant)], { label: 'KD-2' })
  const details = await helpdesk.get(`/v1/openid/offers/${id}/details`)
  expect(details.body).toMatchObject({ id, state: 'usable', label: 'KD-2' })
  const timeline = await eventually(async () => {
    const answer = await helpdesk.get(`/v1/openid/offers/${id}/timeline`)
    return answer.status === 200 && answer
  })
  const answers = [details, timeline, await helpdesk.get('/v1/openid/offers'), await helpdesk.get('/v1/search?q=KD-2')]
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    for (const secret of [uri, page]) expect(JSON.stringify(body)).not.toContain(secret)
    expect(JSON.stringify(body)).not.toMatch(/"(uri|page|qr)"/)
  }
  expect((await tenant.operator.get(`/v1/openid/offers/${id}/details`)).body).toMatchObject({ uri, page })
})

test('the help desk finds a claim link by its external id, renews it and revokes it', async () => {
  const { tenant, upload, inState } = await newLinksTenant(service)
  const helpdesk = await tenant.as('helpdesk')
  const bulkId = await upload(['20417,Ada', '20418,Bob'])
  await inState(bulkId, 'done')
  const users = (await helpdesk.get('/v1/search?q=20417')).body.data
  expect(users).toEqual([{ kind: 'claim-link', id: expect.any(String), name: '20417', bulkIssuanceId: bulkId }])
  const rows = `/v1/bulk-issuances/${bulkId}/rows`
  const row = (await helpdesk.get(`${rows}?externalId=20417`)).body.data
  expect(row).toMatchObject([{ row: 1, externalId: '20417', state: 'open' }])
  expect((await helpdesk.get(`${rows}?externalId=none`)).body.data).toEqual([])
  expect(await helpdesk.post(`${rows}/1/link`, {})).toMatchObject({ status: 200, body: { row: 1 } })
  expect(await helpdesk.delete(`${rows}/1/link`)).toMatchObject({ status: 204 })
  expect((await helpdesk.get(`${rows}?externalId=20417`)).body.data).toMatchObject([{ state: 'revoked' }])
  for (const path of [`/v1/bulk-issuances/${bulkId}/results`, '/v1/events', '/v1/webhooks'])
    expect([path, (await helpdesk.get(path)).status]).toEqual([path, 403])
  const other = await service.addTenant()
  expect((await (await other.as('helpdesk')).get('/v1/search?q=20417')).body.data).toEqual([])
})

test('the help desk sees which column of a row is wrong, and not what it contains', async () => {
  const tenant = await service.addTenant()
  const helpdesk = await tenant.as('helpdesk')
  const configurationId = await compactConfiguration(tenant)
  const file = csvFile('number,user\n1,Ada Lovelace\n')
  const fields = bulkFields(configurationId, { userIdColumn: 'user' })
  const { id } = (await uploadTo(tenant.operator, '/v1/bulk-issuances', ['file', file], ...fields)).body
  const rowsOf = async (api: typeof helpdesk) =>
    (await api.get(`/v1/bulk-issuances/${id}/rows?state=invalid`)).body.data
  const [full] = await eventually(async () => {
    const rows = await rowsOf(tenant.operator)
    return rows.length > 0 && rows
  })
  expect(full.message).toEqual(expect.any(String))
  const { message: _message, ...rest } = full
  expect(await rowsOf(helpdesk)).toEqual([rest])
})
