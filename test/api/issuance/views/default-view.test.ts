import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteView } from '../../../../db/repos/issuance/views.ts'
import { newLinksTenant } from '../../../harness/bulk-links.ts'
import { newOffer, webConfiguration } from '../../../harness/factories.ts'
import { eventually, type Service, startService } from '../../../harness/harness.ts'
import { waitingForLocks } from '../../../harness/locks.ts'
import { readOffer } from '../../../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

let own: Awaited<ReturnType<typeof newLinksTenant>>
let compact: string
let web: string
/** The views by name, in the order of their creation. */
let views: Record<string, { id: string; issuer: string }>

beforeEach(async () => {
  own = await newLinksTenant(service)
  compact = own.configurationId
  web = await webConfiguration(own.tenant)
  views = {}
  const contents = {
    web: { ids: [web] },
    compact: { profiles: ['compact'] },
    both: { ids: [compact, web] },
  }
  for (const [name, configurations] of Object.entries(contents)) {
    const content = { name, path: name, profile: 'standard', configurations }
    views[name] = (await own.operator.post('/v1/views', content)).body
    // Views of the same millisecond have no order.
    service.clock.advance(1_000)
  }
})

const useFitting = async () =>
  expect(await own.operator.put('/v1/settings', { defaultView: 'fitting' })).toMatchObject({
    status: 200,
    body: { defaultView: 'fitting' },
  })

/** Returns the views that offers of both kinds name in their answers, and their issuers. */
async function offered(credentials: string[], extra: Record<string, unknown> = {}) {
  const shared = (await own.operator.post('/v1/openid/offers', { credentials, ...extra })).body
  const personal = await newOffer(own.tenant, credentials, extra)
  const made = [shared, personal as typeof personal & { view?: string }]
  const contents = await Promise.all(made.map(({ uri }) => readOffer(uri, own.tenant.anonymous)))
  return made.map(({ view }, position) => ({ view, issuer: contents[position].credential_issuer }))
}

const twice = <Value>(value: Value): Value[] => [value, value]
const ofTenant = () => twice({ view: undefined, issuer: own.tenant.baseUrl })
const ofView = (name: string) => twice({ view: views[name]?.id, issuer: views[name]?.issuer })

test('offers without a view are of the tenant itself by default', async () => {
  expect((await own.operator.get('/v1/settings')).body.defaultView).toBe('tenant')
  expect(await offered([web])).toEqual(ofTenant())
})

describe('with the default view fitting', () => {
  beforeEach(useFitting)

  test('an offer gets the oldest view that publishes all its configurations, or is of the tenant', async () => {
    expect(await offered([web])).toEqual(ofView('web'))
    expect(await offered([compact])).toEqual(ofView('compact'))
    expect(await offered([compact, web])).toEqual(ofView('both'))
    await own.operator.delete(`/v1/views/${views.both?.id}`)
    const third = await webConfiguration(own.tenant)
    expect(await offered([third])).toEqual(ofTenant())
    expect(await offered([third, web])).toEqual(ofTenant())
  })

  test('an offer with a view keeps it', async () => {
    expect(await offered([web], { view: views.both?.id })).toEqual(ofView('both'))
  })

  test('an unknown configuration is refused as before', async () => {
    for (const kind of ['', '/pre-authorized'])
      expect(await own.operator.post(`/v1/openid/offers${kind}`, { credentials: [own.tenant.id] })).toMatchObject({
        status: 400,
        body: { details: [{ param: 'credentials.0', value: own.tenant.id }] },
      })
  })

  test('claim links and bulk issuances get such a view too', async () => {
    const link = { configurationIds: [compact], claims: { given_name: 'Ada' } }
    const made = (await own.operator.post('/v1/claim-links', link)).body
    const single = await own.operator.get(`/v1/bulk-issuances/${made.bulkIssuanceId}`)
    expect(single.body.view).toBe(views.compact?.id)
    expect(await readOffer(await own.press(made.link), own.tenant.anonymous)).toMatchObject({
      credential_issuer: views.compact?.issuer,
    })
    expect(await own.inState(await own.upload(['1,Ada']), 'done')).toMatchObject({ view: views.compact?.id })
  })

  test.each([
    ['an offer', '/v1/openid/offers', () => ({ credentials: [compact] })],
    ['a pre-authorized offer', '/v1/openid/offers/pre-authorized', () => ({ credentials: [compact], claims: {} })],
    ['a claim link', '/v1/claim-links', () => ({ configurationIds: [compact], claims: { given_name: 'Ada' } })],
  ])('%s waits for the deletion of its view, and gets the next one', { tags: 'postgres' }, async (_, path, body) => {
    const [deleted, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const deletion = service.deps.db.tx(async (tx) => {
      await deleteView(tx, own.tenant.id, views.compact!.id, new Date())
      deleted.resolve()
      await ended.promise
    })
    await deleted.promise
    const made = own.operator.post(path, body())
    await eventually(async () => (await waitingForLocks(service)) > 0)
    ended.resolve()
    await deletion
    const { status, body: answer } = await made
    expect([path, Math.floor(status / 100)]).toEqual([path, 2])
    const view = answer.view ?? (await own.operator.get(`/v1/bulk-issuances/${answer.bulkIssuanceId}`)).body.view
    expect(view).toBe(views.both?.id)
  })

  test('the views of another tenant are not used', async () => {
    const other = await newLinksTenant(service)
    await other.operator.put('/v1/settings', { defaultView: 'fitting' })
    const { uri } = await newOffer(other.tenant, [other.configurationId])
    expect(await readOffer(uri, other.tenant.anonymous)).toMatchObject({ credential_issuer: other.tenant.baseUrl })
  })
})

test('the platform sets the default view, and a change without it keeps it', async () => {
  const path = `/v1/tenants/${own.tenant.id}`
  expect(await service.platform.put(path, { defaultView: 'fitting' })).toMatchObject({ status: 200 })
  expect(await service.platform.put(path, {})).toMatchObject({ status: 200, body: { defaultView: 'fitting' } })
  expect(await own.operator.put('/v1/settings', {})).toMatchObject({ body: { defaultView: 'fitting' } })
  expect(await own.operator.put('/v1/settings', { defaultView: null })).toMatchObject({
    body: { defaultView: 'tenant' },
  })
  expect(await own.operator.put('/v1/settings', { defaultView: 'ios' })).toMatchObject({
    status: 400,
    body: { details: [{ param: 'defaultView' }] },
  })
})
