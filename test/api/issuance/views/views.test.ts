import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, newOffer, webConfiguration } from '../../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../../harness/harness.ts'

let service: SharedService
let compact: string
let web: string
beforeAll(async () => {
  service = await joinService()
  compact = await compactConfiguration(service)
  web = await webConfiguration(service)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const path = '/v1/views'
const content = (configurations: object = { ids: [web] }) => ({ name: 'iOS', profile: 'standard', configurations })

async function newView(viewPath: string, extra: object = {}, tenant: TestTenant = service) {
  const { status, body } = await tenant.operator.post(path, { ...content(), path: viewPath, ...extra })
  if (status !== 201) throw new Error(`view: ${status} ${JSON.stringify(body)}`)
  return body as { id: string; issuer: string }
}

const metadataOf = (viewPath: string) =>
  service.anonymous.get(`/.well-known/openid-credential-issuer/views/${viewPath}`)

test('a view is created, read, listed, changed and deleted, and its path does not change', async () => {
  const created = await service.operator.post(path, { ...content(), path: 'crud', displayName: 'Campus' })
  expect(created).toMatchObject({ status: 201 })
  const { id } = created.body
  const issuer = `${service.baseUrl}/views/crud`
  const shown = { ...content(), id, path: 'crud', issuer, displayName: 'Campus', createdAt: expect.any(String) }
  expect(created.body).toEqual(shown)
  expect(await service.operator.get(`${path}/${id}`)).toMatchObject({ status: 200, body: shown })
  expect((await service.operator.get(path)).body.data).toContainEqual(shown)
  const changed = { name: 'Other', profile: 'lenient', configurations: { profiles: ['compact'] } }
  const { status, body } = await service.operator.put(`${path}/${id}`, { ...changed, path: 'other' })
  expect(status).toBe(200)
  expect(body).toEqual({ ...changed, id, path: 'crud', issuer, createdAt: shown.createdAt })
  expect((await metadataOf('crud')).body.credential_configurations_supported).toHaveProperty(compact)
  expect(await service.operator.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
  expect(await service.operator.get(`${path}/${id}`)).toMatchObject({ status: 404 })
})

describe('metadata of a view', () => {
  test('name the view in all addresses of wallets, and only its configurations', async () => {
    const { issuer } = await newView('meta', { displayName: 'Campus' })
    const { status, body } = await metadataOf('meta')
    expect(status).toBe(200)
    expect(Object.keys(body.credential_configurations_supported)).toEqual([web])
    expect(body.credentials_supported.map(({ id }: { id: string }) => id)).toEqual([web])
    expect(body.display).toEqual([{ name: 'Campus' }])
    const addresses = { credential_issuer: '', credential_endpoint: '/v1/openid/credential' }
    for (const [name, end] of Object.entries({ ...addresses, nonce_endpoint: '/v1/openid/nonce' }))
      expect(body[name]).toBe(issuer + end)
    const server = (await service.anonymous.get('/.well-known/oauth-authorization-server/views/meta')).body
    expect(server).toMatchObject({ issuer, token_endpoint: `${issuer}/v1/oauth/token` })
    expect(server.scopes_supported).toEqual([body.credential_configurations_supported[web].scope])
    expect(server.jwks_uri).toBe(`${service.baseUrl}/v1/openid/jwks`)
    const at = '/.well-known/oauth-protected-resource/views/meta/v1/openid/credential'
    expect((await service.anonymous.get(at)).body.resource).toBe(`${issuer}/v1/openid/credential`)
  })

  test.each([
    ['/.well-known/openid-credential-issuer/views/older', '/views/older/.well-known/openid-credential-issuer'],
    ['/.well-known/oauth-authorization-server/views/older', '/views/older/.well-known/oauth-authorization-server'],
    ['/.well-known/oauth-authorization-server/views/older', '/views/older/.well-known/openid-configuration'],
    ['/.well-known/oauth-authorization-server/views/older', '/.well-known/openid-configuration/views/older'],
  ])('%s is also at %s', async (address, other) => {
    if ((await metadataOf('older')).status === 404) await newView('older')
    const first = await service.anonymous.get(address)
    expect(first.status).toBe(200)
    // The second request is answered from the cache of the first.
    for (let times = 0; times < 2; times++) expect((await service.anonymous.get(other)).body).toEqual(first.body)
  })

  test('have the protocol profile of the view, and those of the tenant stay as they were', async () => {
    const before = await service.anonymous.get('/.well-known/openid-credential-issuer')
    await newView('lenient', { profile: 'lenient' })
    expect((await metadataOf('lenient')).body).not.toHaveProperty('nonce_endpoint')
    const after = await service.anonymous.get('/.well-known/openid-credential-issuer')
    expect(JSON.stringify(after.body)).toBe(JSON.stringify(before.body))
  })

  test('are signed with the issuer of the view', async () => {
    const { issuer } = await newView('signed')
    const address = '/.well-known/openid-credential-issuer/views/signed'
    const { body } = await service.anonymous.get(address, { accept: 'application/jwt' })
    const payload = JSON.parse(Buffer.from(String(body).split('.')[1] ?? '', 'base64url').toString())
    expect(payload).toMatchObject({ sub: issuer, credential_issuer: issuer })
  })
})

describe('a view is refused', () => {
  test.each<[string, () => object, string, string]>([
    ['without a configuration', () => ({ configurations: { ids: [] } }), 'configurations.ids', 'at least one entry'],
    [
      'with ids and profiles',
      () => ({ configurations: { ids: [web], profiles: ['mobile'] } }),
      'configurations',
      'either',
    ],
    [
      'of profiles without a configuration',
      () => ({ configurations: { profiles: ['mobile'] } }),
      'configurations.profiles',
      'Create one',
    ],
    [
      'with an unknown configuration',
      () => ({ configurations: { ids: [service.id] } }),
      'configurations.ids.0',
      'Not Found',
    ],
    ['with the profile haip and other formats', () => ({ profile: 'haip' }), 'configurations', 'web-semantic'],
    ['with capitals in its path', () => ({ path: 'IOS' }), 'path', 'lower-case'],
    ['with a slash in its path', () => ({ path: 'a/b' }), 'path', 'lower-case'],
  ])('%s', async (_what, wrong, param, message) => {
    const { status, body } = await service.operator.post(path, { ...content(), path: 'wrong', ...wrong() })
    expect(status).toBe(400)
    expect(body.details[0].param).toBe(param)
    expect(body.details[0].msg).toContain(message)
    expect(await metadataOf('wrong')).toMatchObject({ status: 404 })
  })

  test('with the path of another view, but not with that of another tenant', async () => {
    await newView('taken')
    const other = await service.addTenant()
    const configurations = { ids: [await webConfiguration(other)] }
    await newView('taken', { configurations }, other)
    const refused = await service.operator.post(path, { ...content(), path: 'taken' })
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('path') } })
  })

  test('with a configuration of another tenant', async () => {
    const other = await service.addTenant()
    const configurations = { ids: [await webConfiguration(other)] }
    expect(await service.operator.post(path, { ...content(configurations), path: 'foreign' })).toMatchObject({
      status: 400,
    })
  })

  test('above the limit of twenty', async () => {
    const tenant = await service.addTenant()
    const configurations = { ids: [await webConfiguration(tenant)] }
    for (let number = 0; number < 20; number++) await newView(`v${number}`, { configurations }, tenant)
    const refused = await tenant.operator.post(path, { ...content(configurations), path: 'more' })
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('at most 20 views') } })
  })
})

test('the address of a view serves only the endpoints for wallets', async () => {
  await newView('narrow')
  for (const at of [
    '/v1/views',
    '/v1/openid/clients',
    '/console',
    '/.well-known/jwt-vc-issuer',
    '/.well-known/did.json',
    '/health/ready',
    '',
  ]) {
    const { status } = await service.operator.get(`/views/narrow${at}`)
    expect({ at, status }).toEqual({ at, status: 404 })
  }
  expect(await service.anonymous.get('/views/narrow/views/narrow/.well-known/openid-credential-issuer')).toMatchObject({
    status: 404,
  })
})

test('a view that offers need is not deleted, and a deleted one answers 410 until its path is used again', async () => {
  const { id } = await newView('ended')
  const offer = await newOffer(service, [web], { view: id })
  const shared = await service.operator.post('/v1/openid/offers', { credentials: [web], view: id })
  expect(shared.status).toBe(200)
  const refused = await service.operator.delete(`${path}/${id}`)
  expect(refused).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('1 pre-authorized offers, 1 shared') },
  })
  expect(await metadataOf('ended')).toMatchObject({ status: 200 })
  const offers = (await service.operator.get('/v1/openid/offers?limit=1000')).body.data
  const ofView = offers.filter((each: { view?: string }) => each.view === id).map(({ id }: { id: string }) => id)
  expect(ofView).toContain(offer.id)
  for (const each of ofView) await service.operator.delete(`/v1/openid/offers/${each}`)
  expect(await service.operator.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
  expect(await metadataOf('ended')).toMatchObject({
    status: 410,
    body: { message: expect.stringContaining('deleted') },
  })
  expect(await service.anonymous.post('/views/ended/v1/openid/nonce')).toMatchObject({ status: 410 })
  await newView('ended')
  expect(await metadataOf('ended')).toMatchObject({ status: 200 })
})

test('an offer names the view, which must publish all its configurations', async () => {
  const { id, issuer } = await newView('offers')
  const { uri } = await newOffer(service, [web], { view: id })
  expect(JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? '')).toMatchObject({
    credential_issuer: issuer,
  })
  const byReference = await newOffer(service, [web], { view: id, by: 'reference' })
  const reference = new URL(byReference.uri).searchParams.get('credential_offer_uri') ?? ''
  expect(reference.startsWith(`${issuer}/v1/openid/offers/`)).toBe(true)
  const served = await service.anonymous.get(new URL(reference).pathname)
  expect(served).toMatchObject({ status: 200, body: { credential_issuer: issuer } })
  const details = await service.operator.get(`/v1/openid/offers/${byReference.id}/details`)
  expect(details.body).toMatchObject({ view: id, uri: byReference.uri })
  for (const kind of ['', '/pre-authorized']) {
    const wrong = await service.operator.post(`/v1/openid/offers${kind}`, { credentials: [web, compact], view: id })
    expect(wrong).toMatchObject({ status: 400, body: { details: [{ param: 'credentials.1', value: compact }] } })
    const unknown = await service.operator.post(`/v1/openid/offers${kind}`, { credentials: [web], view: service.id })
    expect(unknown).toMatchObject({ status: 400, body: { details: [{ param: 'view', value: service.id }] } })
  }
})
