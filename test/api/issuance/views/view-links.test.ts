import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newLinksTenant, offerIn } from '../../../harness/bulk-links.ts'
import { compactConfiguration, webConfiguration } from '../../../harness/factories.ts'
import { eventually, joinService, type SharedService } from '../../../harness/harness.ts'
import { csvFile } from '../../../harness/uploads.ts'
import { startProvider } from '../../../servers/provider.ts'
import { newAuthorizationWallet, registerWallet } from '../../../wallets/authorization-wallet.ts'
import { newWallet, readOffer } from '../../../wallets/wallet.ts'

const path = '/v1/claim-links'
let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** A tenant that makes claim links, with a view that publishes its configuration. */
async function newTenant() {
  const own = await newLinksTenant(service)
  const { operator, configurationId } = own
  const content = { name: 'iOS', profile: 'standard', configurations: { ids: [configurationId] } }
  const view = (await operator.post('/v1/views', { ...content, path: 'ios' })).body as { id: string; issuer: string }
  const newLink = (extra: object = {}) =>
    operator.post(path, { configurationIds: [configurationId], claims: { given_name: 'Ada' }, ...extra })
  const deleteView = () => operator.delete(`/v1/views/${view.id}`)
  return { ...own, view, content, newLink, deleteView }
}

type Tenant = Awaited<ReturnType<typeof newTenant>>

const stateOf = async ({ tenant }: Tenant, link: string) =>
  (await tenant.anonymous.get(`${new URL(link).pathname}/state`)).body.state

/** Returns the view that the audit row of a creation names. Waits until analytics have stored the row. */
const auditedView = ({ operator }: Tenant, id: string) =>
  eventually(async () => {
    const { data } = (await operator.get('/v1/events?categories=AUDIT&limit=1000')).body
    const row = data.find(
      ({ type, data }: { type: string; data: { id?: string } }) => /_CREATE_AUDIT$/.test(type) && data.id === id,
    )
    return row?.data.view
  })

/** Collects with the offer of a link through the view. Returns the record of the credential. */
async function collect({ tenant, operator, view, press }: Tenant, link: string) {
  const uri = await press(link)
  expect(await readOffer(uri, tenant.anonymous)).toMatchObject({ credential_issuer: view.issuer })
  const atTenant = await newWallet(tenant, service.origin, uri)
  expect(await atTenant.redeem()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  const wallet = await newWallet({ host: tenant.host, baseUrl: view.issuer }, service.origin, uri)
  expect(await wallet.collect()).toMatchObject({ status: 200 })
  const [record] = (await operator.get('/v2/credentials/issued')).body.data
  return record
}

describe('the offers of a claim link name its view', () => {
  test('for one person', async () => {
    const own = await newTenant()
    const { status, body } = await own.newLink({ view: own.view.id })
    expect(status).toBe(201)
    expect((await own.operator.get(`/v1/bulk-issuances/${body.bulkIssuanceId}`)).body.view).toBe(own.view.id)
    expect(await collect(own, body.link)).toMatchObject({ view: own.view.id })
    expect(await auditedView(own, body.bulkIssuanceId)).toBe(own.view.id)
  })

  test('of a file', async () => {
    const own = await newTenant()
    const id = await own.upload(['1,Ada', '2,Bob'], [['view', own.view.id]])
    expect(await own.inState(id, 'done')).toMatchObject({ view: own.view.id, done: 2 })
    const [first] = await own.links(id)
    expect(await collect(own, first?.link ?? '')).toMatchObject({ view: own.view.id })
    expect(await auditedView(own, id)).toBe(own.view.id)
  })

  test('with a sign-in', async () => {
    await using _provider = await startProvider(service)
    await registerWallet(service)
    const configurationId = await compactConfiguration(service)
    const content = { name: 'iOS', path: 'ios', profile: 'standard', configurations: { ids: [configurationId] } }
    const view = (await service.operator.post('/v1/views', content)).body.id
    const claims = { given_name: 'Ada' }
    const link = { configurationIds: [configurationId], claims, view, signIn: true }
    const { body } = await service.operator.post(path, link)
    const { pathname } = new URL(body.link)
    expect(await service.anonymous.post(pathname)).toMatchObject({ status: 303 })
    const offer = await readOffer(offerIn((await service.anonymous.get(pathname)).body), service.anonymous)
    const { issuer_state } = offer.grants.authorization_code
    const walletAt = (at: string) => newAuthorizationWallet(service, service.origin + at, configurationId)
    const parameters = walletAt('').authorizeUrl({ issuer_state }).searchParams
    expect(await service.anonymous.post('/v1/oauth/par', parameters)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
    const answer = await walletAt('/views/ios').authorize({ issuer_state })
    expect(answer.get('iss')).toBe(`${service.baseUrl}/views/ios`)
    expect(answer.get('code')).toEqual(expect.any(String))
  })

  test('and without a view they name the tenant', async () => {
    const { tenant, operator, press, newLink } = await newTenant()
    const { body } = await newLink()
    expect((await operator.get(`/v1/bulk-issuances/${body.bulkIssuanceId}`)).body).not.toHaveProperty('view')
    expect(await readOffer(await press(body.link), tenant.anonymous)).toMatchObject({
      credential_issuer: tenant.baseUrl,
    })
  })
})

describe('claim links are refused', () => {
  test('with an unknown view, and with a configuration that the view does not publish', async () => {
    const { tenant, operator, configurationId, view, send, newLink } = await newTenant()
    const other = await webConfiguration(tenant)
    const unknown = { status: 400, body: { details: [{ param: 'view', value: tenant.id }] } }
    const unpublished = { status: 400, body: { details: [{ param: 'configurationIds', value: other }] } }
    const file = csvFile('number,given_name\n1,Ada\n')
    expect(await newLink({ view: tenant.id })).toMatchObject(unknown)
    expect(await send(file, [['view', tenant.id]])).toMatchObject(unknown)
    expect(await newLink({ view: view.id, configurationIds: [configurationId, other] })).toMatchObject(unpublished)
    const both: [string, string][] = [
      ['view', view.id],
      ['configurationIds', other],
    ]
    expect(await send(file, both)).toMatchObject(unpublished)
    for (const source of ['file', 'person'])
      expect((await operator.get(`/v1/bulk-issuances?source=${source}`)).body.data).toEqual([])
  })

  test('with the view of another tenant', async () => {
    const [own, other] = [await newTenant(), await newTenant()]
    const refused = { status: 400, body: { details: [{ param: 'view', value: other.view.id }] } }
    expect(await own.newLink({ view: other.view.id })).toMatchObject(refused)
  })

  test('with a view in the mode sign', async () => {
    const { view, send } = await newTenant()
    const sent = await send(csvFile('number,given_name\n1,Ada\n'), [['view', view.id]], { mode: 'sign' })
    expect(sent).toMatchObject({ status: 400, body: { details: [{ param: 'view' }] } })
  })
})

describe('a view is not deleted', () => {
  const used = { status: 409, body: { message: expect.stringContaining('1 bulk issuances') } }

  test('while people can make offers with its claim links, which then cannot be renewed', async () => {
    const own = await newTenant()
    const { body } = await own.newLink({ view: own.view.id })
    const item = `/v1/bulk-issuances/${body.bulkIssuanceId}`
    expect(await own.deleteView()).toMatchObject(used)
    expect(await own.operator.delete(`${item}/rows/1/link`)).toMatchObject({ status: 204 })
    expect(await own.deleteView()).toMatchObject({ status: 204 })
    const missing = {
      status: 409,
      body: { message: expect.stringContaining(`The view ${own.view.id} does not exist`) },
    }
    expect(await own.operator.post(`${item}/rows/1/link`, {})).toMatchObject(missing)
    expect(await own.operator.post(`${item}/renew-expired-links`, {})).toMatchObject(missing)
  })

  test('while a bulk issuance can make claim links for it', async () => {
    const own = await newTenant()
    const { view, upload, inState, post, deleteView } = own
    const fields: [string, string][] = [
      ['view', view.id],
      ['validateOnly', 'true'],
    ]
    const id = await upload(['1,Ada'], fields)
    await inState(id, 'ready')
    expect(await deleteView()).toMatchObject(used)
    expect(await post(id, 'cancel')).toMatchObject({ status: 200 })
    expect(await deleteView()).toMatchObject({ status: 204 })
  })
})

test('a claim link makes no offer of a configuration that its view does not publish any more', async () => {
  const own = await newTenant()
  const { tenant, operator, view, content, newLink } = own
  const { body } = await newLink({ view: view.id })
  expect(await stateOf(own, body.link)).toBe('ready')
  const configurations = { ids: [await webConfiguration(tenant)] }
  expect(await operator.put(`/v1/views/${view.id}`, { ...content, configurations })).toMatchObject({ status: 200 })
  expect(await stateOf(own, body.link)).toBe('revoked')
  expect(await tenant.anonymous.post(new URL(body.link).pathname)).toMatchObject({ status: 303 })
  expect((await operator.get('/v1/openid/offers')).body.data).toEqual([])
  expect(await operator.put(`/v1/views/${view.id}`, content)).toMatchObject({ status: 200 })
  expect(await collect(own, body.link)).toMatchObject({ view: view.id })
})
