import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newIaca } from '../certificates/hierarchy.ts'
import { compactConfiguration, newOffer, sdJwtConfiguration, sdJwtMappings } from '../harness/factories.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { sdJwtClaims } from '../harness/issued-sd-jwt.ts'
import { redeemOffer, requestIssuance } from '../harness/requested.ts'
import { startProvider } from '../servers/provider.ts'
import { readSdJwt, verifySdJwt } from '../verifiers/sd-jwt-verifier.ts'
import { newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'
import { newLibraryWallet, resolveEverythingHere } from '../wallets/library-wallet.ts'
import { newHolderKey, newWallet } from '../wallets/wallet.ts'

let service: SharedService
let tenant: TestTenant
let configurationId: string
beforeAll(async () => {
  resolveEverythingHere()
  service = await joinService()
  tenant = await service.addTenant()
  await newIaca(tenant)
  configurationId = await sdJwtConfiguration(tenant, { keyBinding: false, includeStatus: true })
})
afterAll(() => service[Symbol.asyncDispose]())

const configurations = '/v2/credentials/sd-jwt/configurations'
const verifyPath = '/v2/credentials/sd-jwt/verify'

async function redeemed(extra: object = {}) {
  const offer = await newOffer(tenant, [configurationId], { claims: sdJwtClaims, ...extra })
  const wallet = await newWallet(tenant, service.origin, offer.uri)
  await wallet.redeem()
  return { offer, wallet }
}

const recordsOf = async (userId: string) => (await tenant.operator.get(`/v1/users/${userId}/credentials`)).body.data

test('credentials are bound to a key by default', async () => {
  const bound = await sdJwtConfiguration(tenant)
  expect((await tenant.operator.get(`${configurations}/${bound}`)).body.keyBinding).toBe(true)
  const offer = await newOffer(tenant, [bound], { claims: sdJwtClaims })
  const wallet = await newWallet(tenant, service.origin, offer.uri)
  await wallet.redeem()
  const refused = await wallet.requestCredential({ proofs: undefined })
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
})

test('a PUT without keyBinding resets it', async () => {
  const body = { vct: 'urn:example:reset', name: 'Card', claimMappings: sdJwtMappings }
  const created = await tenant.operator.post(configurations, { ...body, keyBinding: false })
  expect(created).toMatchObject({ status: 201, body: { keyBinding: false } })
  const replaced = await tenant.operator.put(`${configurations}/${created.body.id}`, body)
  expect(replaced).toMatchObject({ status: 200, body: { keyBinding: true } })
  expect(replaced.headers['x-reset-fields']).toBe('keyBinding')
})

test('the metadata of a configuration without key binding name no binding method and no proof type', async () => {
  const { body } = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
  const described = body.credential_configurations_supported[configurationId]
  expect(described).toMatchObject({ format: 'dc+sd-jwt', vct: 'urn:example:student-card' })
  expect(described).not.toHaveProperty('cryptographic_binding_methods_supported')
  expect(described).not.toHaveProperty('proof_types_supported')
})

test('a request without proofs gives one credential without a key, and its record, event and timeline tell it', async () => {
  const { offer, wallet } = await redeemed()
  const { status, body } = await wallet.requestCredential({ proofs: undefined })
  expect([status, body.credentials?.length]).toEqual([200, 1])
  const { credential } = body.credentials[0]
  expect(readSdJwt(credential).payload).not.toHaveProperty('cnf')
  expect(await verifySdJwt(credential, tenant)).toMatchObject({ given_name: 'Ada' })

  const [record] = await recordsOf(offer.userId)
  expect(record).toMatchObject({ profile: 'sd-jwt', credentialConfigurationId: configurationId, status: 'valid' })
  expect(record).not.toHaveProperty('devicePublicKey')
  const details = (await tenant.operator.get(`/v2/credentials/issued/${record.id}`)).body
  expect(details).toEqual({ ...record, isRevocable: true, userId: offer.userId })
  const steps = await eventually(async () => {
    const { data } = (await tenant.operator.get(`/v1/openid/offers/${offer.id}/timeline`)).body
    const names = data.map(({ step }: { step: string }) => step)
    return names.includes('credential requested') && names.includes('credential signed') && data
  })
  expect(steps).toContainEqual(
    expect.objectContaining({ step: 'credential signed', reason: 'The credential is not bound to a key' }),
  )
  const { passed } = steps.find(({ step }: { step: string }) => step === 'credential requested')
  expect(passed.slice(-4)).toEqual(['configuration', 'batch_size', 'collected_once', 'claims'])
  await expect
    .poll(async () => (await tenant.operator.get('/v1/events?types=OPENID_CREDENTIAL_SUCCESS')).body.data)
    .toContainEqual(
      expect.objectContaining({ data: expect.objectContaining({ keyBinding: false, userId: offer.userId }) }),
    )
})

test('a repeated request of a pre-authorized session gives the same credential', async () => {
  const { offer, wallet } = await redeemed()
  const first = await wallet.requestCredential({ proofs: undefined })
  const second = await wallet.requestCredential({ proofs: undefined })
  expect(second.body.credentials).toEqual(first.body.credentials)
  expect(await recordsOf(offer.userId)).toHaveLength(1)
})

test('proofs are ignored: they give no key and no second credential', async () => {
  const { wallet } = await redeemed()
  const { status, body } = await wallet.requestCredential({ proofs: { jwt: [await wallet.proof(), 'no proof'] } })
  expect([status, body.credentials?.length]).toEqual([200, 1])
  expect(readSdJwt(body.credentials[0].credential).payload).not.toHaveProperty('cnf')
})

test('each request of an authorization counts as one credential', async () => {
  const limited = await service.addTenant({ maxCredentialsPerSession: 2 })
  await newIaca(limited)
  const claimMappings = { level: sdJwtMappings.level }
  const id = await sdJwtConfiguration(limited, { keyBinding: false, claimMappings })
  await using _provider = await startProvider(limited)
  await registerWallet(limited)
  const wallet = newAuthorizationWallet(limited, limited.baseUrl, id)
  const token = await wallet.redeem((await wallet.authorize()).get('code') ?? '')
  const request = () =>
    limited.anonymous.post(
      '/v1/openid/credential',
      { credential_identifier: token.body.authorization_details[0].credential_identifiers[0] },
      { authorization: `Bearer ${token.body.access_token}` },
    )
  for (let count = 0; count < 2; count++) expect(await request()).toMatchObject({ status: 200 })
  expect(await request()).toMatchObject({
    status: 400,
    body: { error_description: expect.stringContaining('maximum number of credentials') },
  })
})

test('a wallet of @openid4vc/openid4vci collects it', async () => {
  const { uri } = await newOffer(tenant, [configurationId], { claims: sdJwtClaims })
  const wallet = await newLibraryWallet(uri, { copies: 0 })
  const { accessTokenResponse } = await wallet.authorize()
  const { credentialResponse } = await wallet.requestCredentials(accessTokenResponse.access_token)
  const [issued] = credentialResponse.credentials as { credential: string }[]
  expect(await verifySdJwt(issued!.credential, tenant)).not.toHaveProperty('cnf')
})

describe('verification and status', () => {
  test('verify accepts it without key binding, and names the missing key if key binding is expected', async () => {
    const { wallet } = await redeemed()
    const [{ credential }] = (await wallet.requestCredential({ proofs: undefined })).body.credentials
    const verify = async (assertions: object = {}) =>
      (await tenant.operator.post(verifyPath, { payload: credential, ...assertions })).body
    expect(await verify()).toMatchObject({ verified: true, failures: [], claims: { given_name: 'Ada' } })
    const keyBinding = { nonce: 'n', audience: 'https://verifier.example' }
    expect(await verify({ keyBinding })).toMatchObject({ verified: false, failures: [{ check: 'KeyBindingRequired' }] })
  })

  test('its status changes like that of other credentials', async () => {
    const { offer, wallet } = await redeemed()
    const [{ credential }] = (await wallet.requestCredential({ proofs: undefined })).body.credentials
    const [{ id }] = await recordsOf(offer.userId)
    const suspended = await tenant.operator.post(`/v2/credentials/sd-jwt/${id}/status`, { status: 'suspended' })
    expect(suspended).toMatchObject({ status: 201 })
    expect((await tenant.operator.post(verifyPath, { payload: credential })).body.failures).toMatchObject([
      { check: 'Suspended' },
    ])
  })
})

test('an issuance without a key is not signed if its configuration requires one', async () => {
  const id = await compactConfiguration(service)
  const { id: offerId } = await redeemOffer(service, [id])
  const issuanceId = await requestIssuance(service, { offerId, configurationId: id, isUnbound: true })
  const ref = { tenantId: service.id, issuanceId }
  const { outcomes } = await service.deps.bus.call('signCredentials', { items: [ref] }, { deadlineMs: 60_000 })
  expect(outcomes).toEqual([{ problem: expect.objectContaining({ problem: 'credential_request_denied' }) }])
})

describe('settings that contradict it', () => {
  test('required key attestations are refused', async () => {
    const body = { name: 'Card', claimMappings: sdJwtMappings, keyBinding: false, keyAttestationsRequired: {} }
    expect(await tenant.operator.post(configurations, body)).toMatchObject({
      status: 400,
      body: { details: [{ param: 'keyAttestationsRequired' }] },
    })
  })

  test('a direct signature for a key of the holder is refused', async () => {
    const { publicJwk } = await newHolderKey()
    const sign = (holderKey?: object) =>
      tenant.operator.post('/v2/credentials/sd-jwt/sign', {
        ...{ configurationId, claims: sdJwtClaims, ...(holderKey && { holderKey }) },
      })
    expect(await sign(publicJwk)).toMatchObject({
      status: 400,
      body: { details: [{ param: 'holderKey' }] },
    })
    expect(await sign()).toMatchObject({ status: 200 })
  })
})

test('a tenant with the profile haip can issue it, because HAIP 1.0 includes credentials without key binding', async () => {
  const haip = await service.addTenant({ profile: 'haip' })
  await newIaca(haip)
  await sdJwtConfiguration(haip, { keyBinding: false })
  const { body } = await haip.operator.get('/v1/openid/configuration/conformance')
  const rows = new Map(body.requirements.map(({ name, state }: Record<string, string>) => [name, state]))
  expect([rows.get('credential_format'), rows.get('holder_key'), rows.get('key_attestation')]).toEqual([
    'met',
    'notApplicable',
    'notApplicable',
  ])
})
