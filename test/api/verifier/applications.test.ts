import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinService, type SharedService } from '../../harness/harness.ts'

const path = '/v2/presentations/applications'
const walletPath = '/v2/presentations/wallet-providers'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const web = { type: 'web', name: 'Shop', domain: 'shop.example.org' }
const ios = { type: 'ios', name: 'Shop', bundleId: 'com.example.shop', teamId: 'A1B2C3D4E5' }
const android = {
  type: 'android',
  name: 'Shop',
  packageName: 'com.example.shop',
  packageSigningCertificateThumbprints: ['ab'.repeat(32)],
}
const hidden = { resultAvailableInFrontChannel: false }

test('applications of each type are stored with their defaults, until they are changed or deleted', async () => {
  const { operator } = await service.addTenant()
  const bodies = [web, ios, android]
  const views = await Promise.all(bodies.map(async (body) => (await operator.post(path, body)).body))
  expect(views).toEqual([
    { id: views[0].id, ...web, additionalDomains: [], ...hidden },
    { id: views[1].id, ...ios, ...hidden },
    { id: views[2].id, ...android, ...hidden },
  ])
  expect((await operator.get(path)).body.data).toHaveLength(3)

  const more = {
    ...{ ...web, name: 'Other shop', additionalDomains: ['www.shop.example.org'] },
    openid4vpConfiguration: {
      redirectUris: ['https://shop.example.org/done', 'https://www.shop.example.org/done'],
      supportedModes: 'sameDevice',
      display: { name: 'Shop', logoUrl: 'https://shop.example.org/logo.png', backgroundColor: '#1f4e79' },
    },
    dcApiConfiguration: { enabled: true },
    resultAvailableInFrontChannel: true,
  }
  const at = `${path}/${views[0].id}`
  expect(await operator.put(at, more)).toMatchObject({ status: 200, body: { id: views[0].id, ...more } })
  expect((await operator.get(at)).body).toEqual({ id: views[0].id, ...more })
  expect(await operator.put(at, ios)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'type', msg: 'Cannot be changed' }] },
  })
  expect(await operator.delete(at)).toMatchObject({ status: 204 })
  for (const method of ['get', 'delete'] as const) expect(await operator[method](at)).toMatchObject({ status: 404 })
  expect(await operator.put(at, web)).toMatchObject({ status: 404 })
})

test('an app can receive people at a scheme of its own', async () => {
  const openid4vpConfiguration = { redirectUris: ['com.example.shop://done'] }
  expect(await service.operator.post(path, { ...ios, openid4vpConfiguration })).toMatchObject({
    status: 201,
    body: { openid4vpConfiguration: { ...openid4vpConfiguration, supportedModes: 'all' } },
  })
})

const at = (...redirectUris: unknown[]) => ({ openid4vpConfiguration: { redirectUris } })

test.each<[string, object, string, string]>([
  ['another type', { ...web, type: 'desktop' }, 'type', 'Must be one of web, ios, android'],
  ['no name', { ...web, name: undefined }, 'name', 'Required'],
  ['no domain', { ...web, domain: undefined }, 'domain', 'Required'],
  [
    'a domain with a scheme',
    { ...web, domain: 'https://shop.example.org' },
    'domain',
    'Must be a domain in lower case without a scheme, a port or a path',
  ],
  [
    'a domain with a port',
    { ...web, additionalDomains: ['shop.example.org:8443'] },
    'additionalDomains.0',
    'Must be a domain in lower case without a scheme, a port or a path',
  ],
  [
    'an address of another website',
    { ...web, ...at('https://shop.example.org/a', 'https://shop.example.org.evil.example/a') },
    'openid4vpConfiguration.redirectUris.1',
    'Must be at the domain or at one of additionalDomains',
  ],
  [
    'an address of another website behind a user name',
    { ...web, ...at('https://shop.example.org@evil.example/a') },
    'openid4vpConfiguration.redirectUris.0',
    'Must be at the domain or at one of additionalDomains',
  ],
  [
    'another mode',
    { ...web, openid4vpConfiguration: { supportedModes: 'sometimes' } },
    'openid4vpConfiguration.supportedModes',
    'Must be one of all, sameDevice, crossDevice',
  ],
  [
    'a colour by name',
    { ...web, openid4vpConfiguration: { display: { backgroundColor: 'red' } } },
    'openid4vpConfiguration.display.backgroundColor',
    'Must be a colour such as #a1b2c3',
  ],
  [
    'a text for a switch',
    { ...web, dcApiConfiguration: { enabled: 'yes' } },
    'dcApiConfiguration.enabled',
    'Must be true or false',
  ],
  ['a short team', { ...ios, teamId: 'A1' }, 'teamId', 'Must be 10 capital letters and digits'],
  [
    'a bundle of one word',
    { ...ios, bundleId: 'shop' },
    'bundleId',
    'Must be a bundle identifier, such as com.example.shop',
  ],
  [
    'a package of one word',
    { ...android, packageName: 'shop' },
    'packageName',
    'Must be the name of a package, such as com.example.shop',
  ],
  [
    'no thumbprint',
    { ...android, packageSigningCertificateThumbprints: [] },
    'packageSigningCertificateThumbprints',
    'Must not be empty',
  ],
  [
    'a thumbprint in capitals',
    { ...android, packageSigningCertificateThumbprints: ['AB'.repeat(32)] },
    'packageSigningCertificateThumbprints.0',
    'Must be a SHA-256 hash in lower-case hex',
  ],
])('an application with %s is refused with the name of the field', async (_what, body, param, msg) => {
  const refused = await service.operator.post(path, body)
  expect(refused).toMatchObject({ status: 400, body: { details: [{ msg, param, location: 'body' }] } })
})

test.each(['javascript:alert(1)', 'http://shop.example.org/a', 'shop://a#b', 'https://'])(
  'the address %s is not one of an app or a website',
  async (url) => {
    for (const application of [web, ios]) {
      const { status, body } = await service.operator.post(path, { ...application, ...at(url) })
      expect([status, body.details[0].param]).toEqual([400, 'openid4vpConfiguration.redirectUris.0'])
    }
  },
)

const wallet = { name: 'Campus wallet', openid4vpConfiguration: { authorizationEndpoint: 'haip-vp://' } }

test('wallet providers are stored until they are changed or deleted', async () => {
  const { operator } = await service.addTenant()
  const { status, body } = await operator.post(walletPath, wallet)
  expect([status, body]).toEqual([201, { id: body.id, ...wallet }])
  const other = {
    name: 'Other',
    openid4vpConfiguration: { authorizationEndpoint: 'https://wallet.example.org/present' },
  }
  expect(await operator.put(`${walletPath}/${body.id}`, other)).toMatchObject({ status: 200, body: other })
  expect((await operator.get(`${walletPath}/${body.id}`)).body).toEqual({ id: body.id, ...other })
  expect((await operator.get(walletPath)).body).toEqual({ data: [{ id: body.id, ...other }] })
  expect(await operator.delete(`${walletPath}/${body.id}`)).toMatchObject({ status: 204 })
  for (const method of ['get', 'delete'] as const)
    expect(await operator[method](`${walletPath}/${body.id}`)).toMatchObject({ status: 404 })
  expect(await operator.put(`${walletPath}/${body.id}`, wallet)).toMatchObject({ status: 404 })
})

test.each<[string, object, string]>([
  ['no name', { ...wallet, name: '' }, 'name'],
  ['no configuration', { name: 'Wallet' }, 'openid4vpConfiguration'],
  ['no address', { ...wallet, openid4vpConfiguration: {} }, 'openid4vpConfiguration.authorizationEndpoint'],
  [
    'a script',
    { ...wallet, openid4vpConfiguration: { authorizationEndpoint: 'javascript://a' } },
    'openid4vpConfiguration.authorizationEndpoint',
  ],
  [
    'an address without TLS',
    { ...wallet, openid4vpConfiguration: { authorizationEndpoint: 'http://wallet.example.org' } },
    'openid4vpConfiguration.authorizationEndpoint',
  ],
])('a wallet provider with %s is refused with the name of the field', async (_what, body, param) => {
  const refused = await service.operator.post(walletPath, body)
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param, location: 'body' }] } })
})

test('a tenant does not reach the applications and wallet providers of another tenant', async () => {
  const [one, other] = [await service.addTenant(), await service.addTenant()]
  for (const [list, body] of [
    [path, web],
    [walletPath, wallet],
  ] as const) {
    const { id } = (await one.operator.post(list, body)).body
    expect(await other.operator.get(`${list}/${id}`)).toMatchObject({ status: 404 })
    expect(await other.operator.put(`${list}/${id}`, body)).toMatchObject({ status: 404 })
    expect(await other.operator.delete(`${list}/${id}`)).toMatchObject({ status: 404 })
    expect((await other.operator.get(list)).body).toEqual({ data: [] })
  }
})
