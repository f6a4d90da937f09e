import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metadataCache } from '../../../api/issuance/metadata/published.ts'
import {
  activeIaca,
  compactConfiguration,
  mdlConfiguration,
  newOffer,
  semanticConfiguration,
  webConfiguration,
} from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { startProvider } from '../../servers/provider.ts'
import { newAttester } from '../../wallets/attestation.ts'
import { newAuthorizationWallet, registerWallet } from '../../wallets/authorization-wallet.ts'
import { readOffer } from '../../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const paths = {
  issuer: '/.well-known/openid-credential-issuer',
  server: '/.well-known/oauth-authorization-server',
  openid: '/.well-known/openid-configuration',
}
const read = async (which: keyof typeof paths, tenant: TestTenant = service) =>
  (await tenant.anonymous.get(paths[which])).body

const samples = '../shared/samples/oidf-schemas'

describe('the OpenID suite (needs ../shared/samples) accepts', { tags: 'samples' }, () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)

  /** The faults of a document by its schema, except for members that only `interface.md` describes. */
  function faultsOf(schema: string, document: unknown, unknown: string[]): unknown[] {
    const validate = ajv.compile(JSON.parse(readFileSync(join(samples, `${schema}.json`), 'utf8')))
    validate(document)
    return (validate.errors ?? []).filter(({ params }) => {
      const name = params.additionalProperty ?? params.unevaluatedProperty
      return name === undefined || !unknown.includes(name)
    })
  }

  const oauth = ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri', 'scopes_supported']
  const oauthToo = ['grant_types_supported', 'response_types_supported', 'response_modes_supported']
  const ofIssuer = [...oauth, ...oauthToo, 'code_challenge_methods_supported', 'mdoc_iacas_uri']
  // The schemas do not have the formats of compact and JSON-LD credentials, nor their descriptions.
  const ofConfigurations = [
    'id',
    'credentials_supported',
    'credential_definition',
    'credential_signing_alg_values_supported',
  ]

  test.each(['standard', 'haip', 'lenient'])('the metadata and offers of the profile %s', async (profile) => {
    const attester = await newAttester()
    const tenant = await service.addTenant({
      profile,
      deferredIssuance: 'whenSlow',
      keyAttestationRoots: [attester.rootPem],
      branding: { logoUrl: 'https://example.org/logo.png', names: [{ name: 'Behörde', locale: 'de' }] },
    })
    await activeIaca(tenant)
    const keyAttestationsRequired = { keyStorage: ['iso_18045_high'] }
    const ids = [
      await compactConfiguration(tenant, { display: [{ name: 'Ticket', locale: 'en', textColor: '#ffffff' }] }),
      await semanticConfiguration(tenant),
      await webConfiguration(tenant, { keyAttestationsRequired }),
      await mdlConfiguration(tenant),
    ]
    expect(
      faultsOf('credential_issuer_metadata-1_0', await read('issuer', tenant), [...ofIssuer, ...ofConfigurations]),
    ).toEqual([])
    for (const which of ['server', 'openid'] as const)
      expect(faultsOf('oauth_authorization_server_metadata', await read(which, tenant), [])).toEqual([])

    const transactionCodeConfiguration = { description: 'By post' }
    const own = await newOffer(tenant, ids.slice(0, 2), { transactionCodeConfiguration, by: 'reference' })
    const shared = await tenant.operator.post('/v1/openid/offers', { credentials: ids })
    for (const { uri } of [own, shared.body]) {
      const offer = await readOffer(uri, tenant.anonymous)
      expect(faultsOf('credential_offer-1_0', offer, ['credentials'])).toEqual([])
    }
  })
})

describe('the metadata documents', () => {
  test('are cached for a minute, have an ETag, and contain a change of this process at once', async () => {
    const tenant = await service.addTenant()
    for (const path of Object.values(paths)) {
      const first = await tenant.anonymous.get(path)
      expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=60' } })
      const condition = { 'if-none-match': String(first.headers.etag) }
      expect(await tenant.anonymous.get(path, condition)).toMatchObject({ status: 304 })
      const id = await compactConfiguration(tenant)
      const changed = await tenant.anonymous.get(path, condition)
      expect({ path, status: changed.status }).toEqual({ path, status: 200 })
      await tenant.operator.delete(`/v2/credentials/compact/configurations/${id}`)
      expect((await tenant.anonymous.get(path)).headers.etag).toBe(first.headers.etag)
    }
    const renamed = await service.platform.put(`/v1/tenants/${tenant.id}`, { name: 'Another name' })
    expect(renamed.status).toBe(200)
    expect((await read('issuer', tenant)).display).toEqual([{ name: 'Another name' }])
    const { credential_request_encryption: before } = await read('issuer', tenant)
    expect(await tenant.operator.post('/v1/keys/encryption/rotate')).toMatchObject({ status: 201 })
    const { credential_request_encryption: after } = await read('issuer', tenant)
    expect(after.jwks.keys[0].kid).not.toBe(before.jwks.keys[0].kid)
  })

  test('are built once for all readers, separately for each tenant', async () => {
    const [tenant, other] = [await service.addTenant(), await service.addTenant()]
    await compactConfiguration(tenant, { type: 'Ours' })
    const all = await Promise.all(Array.from({ length: 20 }, () => tenant.anonymous.get(paths.issuer)))
    expect(new Set(all.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(JSON.stringify(await read('issuer', other))).not.toContain('Ours')
    const kept = service.deps.caches.of(metadataCache).peek(tenant.id)
    await tenant.anonymous.get(paths.server)
    expect([undefined, kept]).toContain(service.deps.caches.of(metadataCache).peek(tenant.id))
  })

  test('are the same at both addresses of the authorization server', async () => {
    expect(await read('openid')).toEqual(await read('server'))
  })

  test('have no duplicate members for old wallets in a profile of the final specification', async () => {
    const tenant = await service.addTenant({ profile: 'haip' })
    const id = await compactConfiguration(tenant)
    const issuer = await read('issuer', tenant)
    expect(issuer).not.toHaveProperty('credentials_supported')
    expect(Object.keys(issuer.credential_configurations_supported)).toEqual([id])
  })

  test('have the logo of the tenant and its name in each language', async () => {
    const names = [
      { name: 'Behörde', locale: 'de' },
      { name: 'Autorité', locale: 'fr' },
    ]
    const branding = { logoUrl: 'https://example.org/logo.png', accentColor: '#123456', names }
    const tenant = await service.addTenant({ name: 'Authority', branding })
    const logo = { uri: 'https://example.org/logo.png' }
    const display = [{ name: 'Authority' }, ...names].map((each) => ({ ...each, logo }))
    expect((await read('issuer', tenant)).display).toEqual(display)
    const twice = { branding: { names: [names[0], names[0]] } }
    expect(await service.platform.put(`/v1/tenants/${tenant.id}`, twice)).toMatchObject({
      status: 400,
      body: { details: [{ param: 'branding.names' }] },
    })
  })

  test('accept any attestation as a proof if the configuration has no requirements', async () => {
    const attester = await newAttester()
    const tenant = await service.addTenant({ keyAttestationRoots: [attester.rootPem] })
    const id = await compactConfiguration(tenant)
    const { proof_types_supported: types } = (await read('issuer', tenant)).credential_configurations_supported[id]
    expect(types.attestation.key_attestations_required).toEqual({})
    expect(types.jwt).not.toHaveProperty('key_attestations_required')
  })

  test('advertise the DPoP proof instead of the proof of possession if a wallet is registered for it', async () => {
    const tenant = await service.addTenant()
    const { rootPem } = await newAttester()
    const attestation = { required: true, dpopRequired: true, rootCertificates: [rootPem] }
    const methods = async () => (await read('server', tenant)).token_endpoint_auth_methods_supported
    const client = { name: 'Wallet', redirectUris: ['https://wallet.example/cb'] }
    const made = await tenant.operator.post('/v1/openid/clients', { ...client, attestation })
    expect(await methods()).toContain('attest_jwt_client_auth_dpop')
    const without = { ...client, attestation: { ...attestation, dpopRequired: false } }
    expect(await tenant.operator.put(`/v1/openid/clients/${made.body.id}`, without)).toMatchObject({ status: 200 })
    expect(await methods()).not.toContain('attest_jwt_client_auth_dpop')
  })
})

test('a wallet that requests a scope gets the one configuration of that scope', async () => {
  await registerWallet(service)
  await using _provider = await startProvider(service)
  const [first, second] = [await webConfiguration(service), await webConfiguration(service)]
  const { credential_configurations_supported: configurations } = await read('issuer')
  for (const id of [first, second]) {
    const wallet = newAuthorizationWallet(service, service.origin, id)
    const { scope } = configurations[id]
    const answer = await wallet.authorize({ scope, authorization_details: undefined })
    const token = await wallet.redeem(answer.get('code') ?? '')
    expect(token).toMatchObject({ status: 200, body: { scope } })
  }
})
