import { request } from 'node:http'
import { createLocalJWKSet, decodeProtectedHeader, EmbeddedJWK, importX509, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metadataCache } from '../../../api/issuance/metadata/published.ts'
import { crlOf, iacas, newIaca } from '../../certificates/hierarchy.ts'
import { createApi } from '../../harness/api-client.ts'
import { compactConfiguration, newOffer, semanticConfiguration, webConfiguration } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { verifyStrictly } from '../../verifiers/openssl.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: Service
let empty: TestTenant
const ids = { compact: '', semantic: '', web: '' }
beforeAll(async () => {
  service = await startService()
  empty = await service.addTenant()
  ids.compact = await compactConfiguration(service, { type: 'Ticket' })
  ids.semantic = await semanticConfiguration(service, { type: 'Member' })
  ids.web = await webConfiguration(service, {
    additionalTypes: ['AlumniCredential'],
    contexts: ['https://w3id.org/citizenship/v1'],
    credentialBranding: { backgroundColor: '#102030', watermarkImageUrl: 'https://example.org/w.png' },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

const issuerPath = '/.well-known/openid-credential-issuer'
const serverPath = '/.well-known/oauth-authorization-server'
const issuerOf = async (tenant: TestTenant = service) => (await tenant.anonymous.get(issuerPath)).body
const serverOf = async (tenant: TestTenant = service) => (await tenant.anonymous.get(serverPath)).body

/** All arrays of a value, with their paths. */
function arraysIn(value: unknown, path = ''): [path: string, items: unknown[]][] {
  if (typeof value !== 'object' || value === null) return []
  const own: [string, unknown[]][] = Array.isArray(value) ? [[path, value]] : []
  return [...own, ...Object.entries(value).flatMap(([name, item]) => arraysIn(item, `${path}.${name}`))]
}

describe('the issuer metadata', () => {
  test('has the identifier of the issuer byte for byte, and endpoints under it', async () => {
    const { baseUrl } = service
    expect(await issuerOf()).toMatchObject({
      credential_issuer: baseUrl,
      issuer: baseUrl,
      credential_endpoint: `${baseUrl}/v1/openid/credential`,
      nonce_endpoint: `${baseUrl}/v1/openid/nonce`,
      token_endpoint: `${baseUrl}/v1/oauth/token`,
      jwks_uri: `${baseUrl}/v1/openid/jwks`,
      batch_credential_issuance: { batch_size: 20 },
    })
    expect(baseUrl).not.toMatch(/[/?#]$/)
  })

  test('advertises only endpoints and grants that work', async () => {
    const metadata = { ...(await issuerOf()), ...(await serverOf()) }
    const endpoints = Object.entries(metadata).filter(([name]) => /(_endpoint|_uri)$/.test(name))
    expect(endpoints.length).toBeGreaterThan(3)
    for (const [, url] of endpoints) {
      const answer = await service.anonymous.get(new URL(String(url)).pathname)
      expect([200, 400, 405]).toContain(answer.status)
    }
    for (const grant of metadata.grant_types_supported) {
      const answer = await service.anonymous.post('/v1/oauth/token', new URLSearchParams({ grant_type: grant }))
      expect(answer.body.error).toBe('invalid_request')
    }
  })

  test('has no empty array (RFC 8414, section 3.2), also for a tenant without configurations', async () => {
    for (const tenant of [service, empty]) {
      for (const document of [await issuerOf(tenant), await serverOf(tenant)]) {
        for (const [path, items] of arraysIn(document))
          expect({ path, some: items.length > 0 }).toEqual({ path, some: true })
      }
    }
    expect(await issuerOf(empty)).toMatchObject({ credential_configurations_supported: {} })
  })

  test('describes all configurations of the tenant, and no others', async () => {
    const { credential_configurations_supported: configurations } = await issuerOf()
    expect(Object.keys(configurations).sort()).toEqual(Object.values(ids).sort())
    expect(configurations).toMatchObject({
      [ids.compact]: {
        format: 'cwt',
        id: ids.compact,
        scope: 'cwt:Ticket',
        credential_definition: { type: ['Ticket'] },
        credential_signing_alg_values_supported: [-7],
      },
      [ids.semantic]: { format: 'cwt_vc', scope: 'cwt_vc:Member' },
      [ids.web]: {
        format: 'ldp_vc',
        scope: 'ldp_vc:CourseCertificate',
        credential_signing_alg_values_supported: ['Ed25519Signature2018'],
        credential_definition: {
          type: ['VerifiableCredential', 'CourseCertificate', 'AlumniCredential'],
          '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/citizenship/v1'],
        },
        credential_metadata: {
          display: [
            {
              name: 'Course certificate',
              description: 'For those who passed',
              background_color: '#102030',
              background_image: { uri: 'https://example.org/w.png' },
              logo: { uri: 'https://example.org/logo.png' },
            },
          ],
          claims: [
            { path: ['credentialSubject', 'given_name'], mandatory: true, display: [{ name: 'given_name' }] },
            { path: ['credentialSubject', 'level'], mandatory: false },
          ],
        },
      },
    })
    for (const each of Object.values<Record<string, never>>(configurations)) {
      expect('cryptographic_binding_methods_supported' in each).toBe('proof_types_supported' in each)
      expect(each.proof_types_supported).toEqual({ jwt: { proof_signing_alg_values_supported: ['ES256', 'EdDSA'] } })
    }
    expect((await issuerOf()).scopes_supported.sort()).toEqual([
      'cwt:Ticket',
      'cwt_vc:Member',
      'ldp_vc:CourseCertificate',
    ])
    expect((await issuerOf()).credentials_supported).toHaveLength(3)
  })

  test('has a scope for each type, which is one scope token (RFC 6749, section 3.3), and the token response has the same scopes', async () => {
    const tenant = await service.addTenant()
    const configurations = [
      await compactConfiguration(tenant, { type: 'Driving "licence" \\ Führerschein 🚗 100%' }),
      await webConfiguration(tenant),
      await webConfiguration(tenant),
    ]
    const { scopes_supported: scopes } = await issuerOf(tenant)
    // The oldest configuration of a type has the scope of the type. The scopes differ.
    expect(scopes).toEqual([
      'cwt:Driving%20%22licence%22%20%5C%20F%C3%BChrerschein%20%F0%9F%9A%97%20100%25',
      'ldp_vc:CourseCertificate',
      `ldp_vc:CourseCertificate:${configurations[2]}`,
    ])
    const { uri } = await newOffer(tenant, configurations)
    const token = await (await newWallet(tenant, service.origin, uri)).redeem()
    expect(token.body.scope.split(' ').sort()).toEqual(scopes)
  })

  test('has the claims of a compact credential at the top level', async () => {
    const { credential_configurations_supported: configurations } = await issuerOf()
    const paths = configurations[ids.compact].credential_metadata.claims.map(({ path }: { path: string[] }) => path)
    expect(paths).toEqual([['given_name'], ['level']])
  })
})

describe('signed metadata', () => {
  const requestMetadata = (accept?: string, tenant: TestTenant = service) =>
    tenant.anonymous.get(issuerPath, accept === undefined ? {} : { accept })

  test('has the content of the plain metadata, and the key of its signature is in the header, the JWKS and the DID document', async () => {
    const plain = await requestMetadata()
    const signed = await requestMetadata('application/jwt')
    expect(signed).toMatchObject({ status: 200, headers: { 'content-type': 'application/jwt', vary: 'Accept' } })
    const options = {
      typ: 'openidvci-issuer-metadata+jwt',
      issuer: service.baseUrl,
      subject: service.baseUrl,
      maxTokenAge: '10 min',
    }
    const { body: jwks } = await service.anonymous.get('/v1/openid/jwks')
    const { payload, protectedHeader } = await jwtVerify(signed.body, createLocalJWKSet(jwks), options)
    await jwtVerify(signed.body, EmbeddedJWK, options)
    const { body: did } = await service.anonymous.get('/.well-known/did.json')
    const method = did.verificationMethod.find(({ id }: { id: string }) => id === protectedHeader.kid)
    expect(did.assertionMethod).toContain(method.id)
    const jwk = method.publicKeyJwk
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'openidvci-issuer-metadata+jwt', kid: method.id, jwk })
    const { iss, sub, iat, exp, ...content } = payload
    expect(content).toEqual(plain.body)
    expect(Number(exp) - Number(iat)).toBe(86_400)
  })

  test('is returned if the Accept header prefers it; otherwise the response is JSON', async () => {
    const mediaTypes: [accept: string | undefined, mediaType: RegExp][] = [
      [undefined, /json/],
      ['*/*', /json/],
      ['application/*', /json/],
      ['text/html', /json/],
      ['nonsense', /json/],
      ['application/json', /json/],
      ['application/json, application/jwt', /json/],
      ['application/jwt, application/json', /jwt/],
      ['application/jwt;q=0.9,application/json;q=0.9', /jwt/],
      ['application/jwt;q=0.5, application/json', /json/],
      ['application/jwt;q=0', /json/],
      ['application/jwt', /jwt/],
      ['application/jwt, application/json;q=0.9, */*;q=0.1', /jwt/],
    ]
    for (const [accept, mediaType] of mediaTypes) {
      const { status, headers } = await requestMetadata(accept)
      expect([accept, status, headers.vary]).toEqual([accept, 200, 'Accept'])
      expect(headers['content-type']).toMatch(mediaType)
    }
  })

  test('is signed once for concurrent requests, again after a change, and again after some minutes', async () => {
    const tenant = await service.addTenant()
    const all = await Promise.all(Array.from({ length: 20 }, () => requestMetadata('application/jwt', tenant)))
    const [first = '', ...others] = new Set(all.map(({ body }) => body))
    expect(others).toEqual([])
    await compactConfiguration(tenant)
    const { body: changed } = await requestMetadata('application/jwt', tenant)
    expect(changed).not.toBe(first)
    service.clock.advance(301_000)
    // The clock of the machine is still in the same second, for which the cache has a result.
    service.deps.caches.of(metadataCache).clear()
    expect((await requestMetadata('application/jwt', tenant)).body).not.toBe(changed)
    service.clock.advance(-301_000)
  })

  test.each(['standard', 'haip', 'lenient'])(
    'has in the profile %s a chain to the IACA, or the key of the DID',
    async (profile) => {
      const tenant = await service.addTenant({ profile })
      const before = await requestMetadata('application/jwt', tenant)
      expect(decodeProtectedHeader(before.body)).toHaveProperty('jwk')
      const iaca = await newIaca(tenant)
      const { body } = await requestMetadata('application/jwt', tenant)
      const { x5c, ...header } = decodeProtectedHeader(body)
      expect(header).toEqual({ alg: 'ES256', typ: 'openidvci-issuer-metadata+jwt' })
      const [leaf = ''] = x5c ?? []
      const pem = `-----BEGIN CERTIFICATE-----\n${leaf}\n-----END CERTIFICATE-----\n`
      await jwtVerify(body, await importX509(pem, 'ES256'), { issuer: tenant.baseUrl, subject: tenant.baseUrl })
      const crl = await crlOf(service, tenant, iaca.id)
      expect(await verifyStrictly({ leaf: pem, root: iaca.certificatePem, crl })).toBe('leaf.pem: OK\n')
      expect(x5c).toHaveLength(1)
      await tenant.operator.put(`${iacas}/${iaca.id}`, { active: false })
      expect(decodeProtectedHeader((await requestMetadata('application/jwt', tenant)).body)).toHaveProperty('jwk')
    },
  )

  test('is not accepted as a management token', async () => {
    const { body } = await requestMetadata('application/jwt')
    const api = createApi(service.origin, service.host, body)
    expect(await api.get('/v1/users')).toMatchObject({ status: 401 })
  })
})

test('the authorization server metadata agrees with the issuer metadata, and lets anonymous wallets redeem codes', async () => {
  const server = await serverOf()
  expect(server).toMatchObject({
    issuer: service.baseUrl,
    authorization_endpoint: `${service.baseUrl}/v1/oauth/authorize`,
    pushed_authorization_request_endpoint: `${service.baseUrl}/v1/oauth/par`,
    require_pushed_authorization_requests: false,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: ['none', 'attest_jwt_client_auth'],
    dpop_signing_alg_values_supported: ['ES256'],
    'pre-authorized_grant_anonymous_access_supported': true,
  })
  const issuer = await issuerOf()
  for (const name of ['issuer', 'token_endpoint', 'jwks_uri', 'grant_types_supported', 'scopes_supported']) {
    expect(issuer[name]).toEqual(server[name])
  }
})

test('the published keys have no private members, and each has its use and algorithm', async () => {
  const p256 = { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) }
  const { body } = await service.anonymous.get('/v1/openid/jwks')
  expect(body.keys).toEqual([
    { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), use: 'sig', alg: 'EdDSA', kid: expect.any(String) },
    { ...p256, use: 'sig', alg: 'ES256', kid: expect.stringMatching(new RegExp(`^${service.did}#`)) },
  ])
})

test('the DID document has four public keys: three for signatures, one for key agreement', async () => {
  const { body: did } = await service.anonymous.get('/.well-known/did.json')
  expect(did.id).toBe(service.did)
  expect(did.id).toBe(`did:web:${new URL(service.baseUrl).host.replace(':', '%3A')}`)
  expect(did.verificationMethod.map(({ type }: { type: string }) => type)).toEqual([
    'JsonWebKey2020',
    'Ed25519VerificationKey2018',
    'Bls12381G2Key2020',
    'X25519KeyAgreementKey2019',
  ])
  const methodIds = did.verificationMethod.map(({ id, controller }: { id: string; controller: string }) => {
    expect(controller).toBe(did.id)
    expect(id.startsWith(`${did.id}#`)).toBe(true)
    return id
  })
  expect(new Set(methodIds).size).toBe(4)
  const signing = methodIds.slice(0, 3)
  expect(did).toMatchObject({ assertionMethod: signing, authentication: signing, keyAgreement: [methodIds[3]] })
  expect(Object.keys(did.verificationMethod[0].publicKeyJwk).sort()).toEqual(['crv', 'kty', 'x', 'y'])
  expect((await empty.anonymous.get('/.well-known/did.json')).body.id).toBe(empty.did)
})

/** Requests the metadata with the given headers and request target. Returns the issuer that it names. */
function requestIssuer(
  origin: string,
  headers: Record<string, string>,
  path = issuerPath,
): Promise<{ status: number; issuer: string }> {
  return new Promise((resolve, reject) => {
    request(origin, { path, headers }, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, issuer: JSON.parse(body).credential_issuer })
    })
      .on('error', reject)
      .end()
  })
}

describe('the published issuer does not depend on the request:', () => {
  test('by an alias, in upper case, with a query, or with the whole URL', async () => {
    const tenant = await service.addTenant({ aliases: ['issuer.example', 'issuer.example:8443'] })
    const answer = { status: 200, issuer: tenant.baseUrl }
    for (const host of [
      'issuer.example',
      'issuer.example:8443',
      'ISSUER.example',
      tenant.host,
      tenant.host.toUpperCase(),
    ]) {
      expect(await requestIssuer(service.origin, { host })).toEqual(answer)
    }
    expect(await requestIssuer(service.origin, { host: 'issuer.example' }, `${issuerPath}?host=evil.example`)).toEqual(
      answer,
    )
    const absolute = `http://evil.example${issuerPath}`
    expect(await requestIssuer(service.origin, { host: 'issuer.example' }, absolute)).toEqual(answer)
    expect(await requestIssuer(service.origin, { host: 'unknown.example' })).toMatchObject({ status: 404 })
    expect(await requestIssuer(service.origin, { host: 'issuer.example.evil.example' })).toMatchObject({ status: 404 })
  })

  test('with headers of an untrusted proxy', async () => {
    const headers = {
      host: service.host,
      'x-forwarded-host': empty.host,
      'x-forwarded-proto': 'https',
      forwarded: 'host=x',
    }
    expect(await requestIssuer(service.origin, headers)).toEqual({ status: 200, issuer: service.baseUrl })
  })

  test('with a trusted proxy, of which only the host is used', async () => {
    await using proxied = await startService({ roles: ['signing'], env: { TRUSTED_PROXIES: '127.0.0.0/8' } })
    const tenant = await proxied.addTenant({ aliases: ['issuer.example'] })
    const requestMetadata = (forwarded: string) =>
      requestIssuer(proxied.origin, {
        host: 'internal:3000',
        'x-forwarded-host': forwarded,
        'x-forwarded-proto': 'gopher',
      })
    for (const host of [tenant.host, 'issuer.example', 'ISSUER.EXAMPLE', 'issuer.example, internal']) {
      expect(await requestMetadata(host)).toEqual({ status: 200, issuer: tenant.baseUrl })
    }
    expect(await requestMetadata('unknown.example')).toMatchObject({ status: 404 })
    expect(await createApi(proxied.origin, tenant.host).get(issuerPath)).toMatchObject({ status: 200 })
  })
})

test('a configuration has display names for itself and its claims in each language', async () => {
  const display = [
    { name: 'Licence', locale: 'en', logoUrl: 'https://example.org/logo.png', textColor: '#ffffff' },
    { name: 'Führerschein', locale: 'de' },
  ]
  const given_name = {
    mapFrom: 'claims.given_name',
    display: [
      { name: 'Given name', locale: 'en' },
      { name: 'Vorname', locale: 'de' },
    ],
  }
  const { body: made } = await service.operator.post('/v2/credentials/compact/configurations', {
    claimMappings: { given_name },
    display,
  })
  const issuer = await issuerOf()
  expect(issuer.credential_configurations_supported[made.id].credential_metadata).toEqual({
    display: [
      { name: 'Licence', locale: 'en', logo: { uri: 'https://example.org/logo.png' }, text_color: '#ffffff' },
      { name: 'Führerschein', locale: 'de' },
    ],
    claims: [{ path: ['given_name'], mandatory: false, display: given_name.display }],
  })
  const twice = await service.operator.post('/v2/credentials/compact/configurations', {
    claimMappings: { given_name },
    display: [display[0], display[0]],
  })
  expect(twice).toMatchObject({ status: 400, body: { details: [{ param: 'display' }] } })
})
