import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCertificate, pemOf } from '../../certificates/certificates.ts'
import { webConfiguration } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { androidApplication } from '../../wallets/android-device.ts'

const most = 3
const limits = {
  ...{ webhooks: most, clients: most, configurations: most, trustedIssuers: most, holderApplications: most },
  walletProviders: most,
  inboxes: most,
  contexts: most,
  ecosystems: most,
}

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const webhook = { events: ['OpenIdCredentialIssued'], url: 'https://example.org/hook' }
const configuration = { claimMappings: { level: { defaultValue: 'B1' } } }

const wallet = { name: 'Wallet', redirectUris: ['https://example.org/back'] }
const authority = async () => ({ certificatePem: pemOf(await newCertificate({ name: 'CA', ca: true })) })

const dcqlQuery = { credentials: [{ id: 'a', format: 'dc+sd-jwt', meta: { vct_values: ['urn:a'] } }] }
const verifierTemplate = { name: 'Card', dcqlQuery }
const verifierApplication = { type: 'web', name: 'Shop', domain: 'shop.example.org' }
const verifierWallet = { name: 'Wallet', openid4vpConfiguration: { authorizationEndpoint: 'haip-vp://' } }

/** How to create one more of each kind, and how many a new tenant has. */
const kinds: [
  kind: string,
  path: (tenant: TestTenant) => string,
  newBody: () => object | Promise<object>,
  had: number,
][] = [
  ['webhooks', () => '/v1/webhooks', () => webhook, 0],
  ['clients', ({ id }) => `/v1/tenants/${id}/clients`, () => ({ name: 'Another', roles: ['issuer'] }), 1],
  ['registered wallets', () => '/v1/openid/clients', () => wallet, 0],
  ['configurations', () => '/v2/credentials/compact/configurations', () => configuration, 0],
  ['holder applications', () => '/v1/holder/applications', () => androidApplication([]), 0],
  [
    'contexts',
    () => '/v2/credentials/web-semantic/contexts',
    () => ({ url: `https://terms.example/${randomUUID()}`, document: { '@context': {} } }),
    0,
  ],
  ['ecosystems', () => '/v1/ecosystems', () => ({ name: 'Ecosystem' }), 0],
  ['inboxes', () => '/v1/messaging/inboxes', () => ({ name: 'Inbox' }), 0],
  ['trusted issuers', () => '/v2/credentials/mobile/trusted-issuers', authority, 0],
  ['wallet providers', () => '/v1/openid/wallet-providers', authority, 0],
  ['templates of a verifier', () => '/v2/presentations/templates', () => verifierTemplate, 0],
  ['applications of a verifier', () => '/v2/presentations/applications', () => verifierApplication, 0],
  ['wallet providers of a verifier', () => '/v2/presentations/wallet-providers', () => verifierWallet, 0],
]

test.each(kinds)(
  'a tenant cannot exceed its limit of %s, even with concurrent requests',
  async (kind, path, newBody, had) => {
    const tenant = await service.addTenant({ limits })
    const neighbour = await service.addTenant({ limits })
    const at = path(tenant)
    const bodies = await Promise.all(Array.from({ length: most + 5 }, newBody))
    const answers = await Promise.all(bodies.map((each) => tenant.operator.post(at, each)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(most - had)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(5 + had)
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'Conflict', message: `A tenant can have at most ${most} ${kind}. Delete one first.` },
      })
    }
    expect((await tenant.operator.get(at)).body.data).toHaveLength(most)
    // The limit is per tenant.
    expect(await neighbour.operator.post(path(neighbour), await newBody())).toMatchObject({ status: 201 })
  },
)

test('deletion makes room, and configurations of all profiles count together', async () => {
  const tenant = await service.addTenant({ limits: { configurations: 1 } })
  const id = await webConfiguration(tenant)
  const compact = '/v2/credentials/compact/configurations'
  expect(await tenant.operator.post(compact, configuration)).toMatchObject({ status: 409 })
  expect(await tenant.operator.delete(`/v2/credentials/web-semantic/configurations/${id}`)).toMatchObject({
    status: 204,
  })
  expect(await tenant.operator.post(compact, configuration)).toMatchObject({ status: 201 })
})

test('the platform sets the limits of a tenant, and unset limits have their defaults', async () => {
  const tenant = await service.addTenant()
  const path = `/v1/tenants/${tenant.id}`
  expect(await service.platform.get(path)).toMatchObject({ status: 200, body: { limits: {} } })
  expect(await service.platform.put(path, { limits: { webhooks: 1, anonymousPerMinute: 0 } })).toMatchObject({
    status: 200,
    body: { limits: { webhooks: 1, anonymousPerMinute: 0 } },
  })
  expect(await tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  expect(await tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 409 })
  expect(await service.platform.put(path, { limits: {} })).toMatchObject({ body: { limits: {} } })
  expect(await tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  for (const wrong of [
    { webhooks: -1 },
    { clients: 1.5 },
    { issuancesPerMinute: '7' },
    { registrationsPerDay: 0 },
    [],
  ]) {
    expect(await service.platform.put(path, { limits: wrong })).toMatchObject({ status: 400 })
  }
})

test('the default limit of webhooks is 100', async () => {
  const tenant = await service.addTenant()
  for (let n = 0; n < 100; n++) {
    expect(await tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  }
  expect(await tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 409 })
})
