import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { base64Of, type CertificateOptions, extension, newCertificate } from '../certificates/certificates.ts'
import type { ApiResponse } from '../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { type Attester, attestClient, type JwtChanges, newAttester, possessionOf } from '../wallets/attestation.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { type HolderKeyPair, newHolderKey, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

let service: SharedService
let attester: Attester
let key: HolderKeyPair
let configurationId: string

const clientId = 'attested-wallet'
const combinedId = 'combined-wallet'

beforeAll(async () => {
  service = await joinService()
  attester = await newAttester()
  key = await newDpopKey()
  configurationId = await compactConfiguration(service)
  for (const [id, dpopRequired] of [
    [clientId, false],
    [combinedId, true],
  ]) {
    const attestation = { required: true, dpopRequired, rootCertificates: [attester.rootPem] }
    const client = { name: 'Wallet', clientId: id, redirectUris: ['https://wallet.example/callback'], attestation }
    expect(await service.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  }
})
afterAll(() => service?.[Symbol.asyncDispose]())

async function codeOf(of: TestTenant = service): Promise<string> {
  const offer = await newOffer(of, [of === service ? configurationId : await compactConfiguration(of)])
  return (await readOffer(offer.uri, of.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
}

function redeem(
  code: string,
  headers: Record<string, string>,
  client = clientId,
  of: TestTenant = service,
): Promise<ApiResponse> {
  const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code, client_id: client })
  return of.anonymous.post('/v1/oauth/token', form, headers)
}

async function headersOf(attestation: JwtChanges = {}, possession: JwtChanges = {}) {
  return {
    'oauth-client-attestation': await attestClient(attester, { clientId, publicJwk: key.publicJwk }, attestation),
    'oauth-client-attestation-pop': await possessionOf(key, service.baseUrl, possession),
  }
}

const now = () => Math.floor(Date.now() / 1000)
const dayMs = 24 * 3_600_000

type Headers = Record<string, string>

const attestedBy = async (other: Attester): Promise<Headers> => ({
  ...(await headersOf()),
  'oauth-client-attestation': await attestClient(other, { clientId, publicJwk: key.publicJwk }),
})

async function underRoot(changes: Partial<CertificateOptions>): Promise<Attester> {
  const leaf = await newCertificate({ name: 'Attester', issuer: attester.root, ...changes })
  return { ...attester, leaf, x5c: [base64Of(leaf)] }
}

const faults: Record<string, () => Promise<Headers>> = {
  'another typ of attestation': () => headersOf({ header: { typ: 'jwt' } }),
  'no chain': () => headersOf({ header: { x5c: undefined } }),
  'an empty chain': () => headersOf({ header: { x5c: [] } }),
  'a chain of nonsense': () => headersOf({ header: { x5c: ['AAAA'] } }),
  'a chain to another root': async () => attestedBy(await newAttester()),
  'a leaf that signed itself': async () => {
    const leaf = await newCertificate({ name: 'Self' })
    return attestedBy({ ...attester, leaf, x5c: [base64Of(leaf)] })
  },
  'an expired leaf': async () => {
    const issuer = attester.root
    const leaf = await newCertificate({ name: 'Old', issuer, notAfter: new Date(Date.now() - dayMs / 2) })
    return attestedBy({ ...attester, leaf, x5c: [base64Of(leaf)] })
  },
  'a leaf of tomorrow': async () => {
    const issuer = attester.root
    const leaf = await newCertificate({ name: 'Early', issuer, notBefore: new Date(Date.now() + dayMs / 2) })
    return attestedBy({ ...attester, leaf, x5c: [base64Of(leaf)] })
  },
  'a leaf that a leaf issued': async () => {
    const leaf = await newCertificate({ name: 'Below', issuer: attester.leaf })
    return attestedBy({ ...attester, leaf, x5c: [base64Of(leaf), ...attester.x5c] })
  },
  'an attester that is an authority': async () => attestedBy(await underRoot({ ca: true })),
  'an attester with a critical extension that is not known': async () =>
    attestedBy(await underRoot({ extensions: [extension('1.3.6.1.4.1.55555.1', true, [5, 0])] })),
  'an attester under more authorities than one allows': async () => {
    const issuer = await newCertificate({ name: 'First', issuer: attester.root, ca: true, pathLength: 0 })
    const below = await newCertificate({ name: 'Second', issuer, ca: true })
    const leaf = await newCertificate({ name: 'Deep', issuer: below })
    return attestedBy({ ...attester, leaf, x5c: [leaf, below, issuer].map(base64Of) })
  },
  'a chain in base64url': async () =>
    attestedBy({ ...attester, x5c: attester.x5c.map((each) => Buffer.from(each, 'base64').toString('base64url')) }),
  'a chain in lines': async () =>
    attestedBy({ ...attester, x5c: attester.x5c.map((each) => each.replace(/.{64}/g, '$&\n')) }),
  'a signature of another key': async () => attestedBy({ ...(await newAttester()), x5c: attester.x5c }),
  'an expired attestation': () => headersOf({ payload: { exp: now() - 1 } }),
  'an attestation without exp': () => headersOf({ payload: { exp: undefined } }),
  'an attestation of tomorrow': () => headersOf({ payload: { iat: now() + 86_400, exp: now() + 90_000 } }),
  'the attestation of another client': () => headersOf({ payload: { sub: 'someone-else' } }),
  'an attestation without sub': () => headersOf({ payload: { sub: undefined } }),
  'an attestation without key': () => headersOf({ payload: { cnf: undefined } }),
  'an attestation of a private key': () => headersOf({ payload: { cnf: { jwk: key.privateJwk } } }),
  'an attestation of a key for EdDSA': async () =>
    headersOf({ payload: { cnf: { jwk: (await newHolderKey('EdDSA')).publicJwk } } }),
  'another typ of proof': () => headersOf({}, { header: { typ: 'jwt' } }),
  'a proof of another key': async () => ({
    ...(await headersOf()),
    'oauth-client-attestation-pop': await possessionOf(await newDpopKey(), service.baseUrl),
  }),
  'a proof for another server': () => headersOf({}, { payload: { aud: 'https://example.org' } }),
  'a proof for this and another server': () =>
    headersOf({}, { payload: { aud: [service.baseUrl, 'https://example.org'] } }),
  'a proof without an audience': () => headersOf({}, { payload: { aud: [] } }),
  'a proof without aud': () => headersOf({}, { payload: { aud: undefined } }),
  'a proof without jti': () => headersOf({}, { payload: { jti: undefined } }),
  'a proof without iat': () => headersOf({}, { payload: { iat: undefined } }),
  'a proof of an hour ago': () => headersOf({}, { payload: { iat: now() - 3600 } }),
  'a proof of in an hour': () => headersOf({}, { payload: { iat: now() + 3600 } }),
  'a proof whose iss is another client': () => headersOf({}, { payload: { iss: 'someone-else' } }),
  'an expired proof': () => headersOf({}, { payload: { exp: now() - 1 } }),
  'two attestations': async () => {
    const headers = await headersOf()
    const one = headers['oauth-client-attestation']
    return { ...headers, 'oauth-client-attestation': `${one}, ${one}` }
  },
}

/** The failed check when an operator tests these attestations. Faults of a proof are not tested. */
const toldOf: Record<string, string[]> = {
  form: [
    ...['another typ of attestation', 'no chain', 'an empty chain', 'an attestation without exp', 'two attestations'],
    ...['an attestation without sub', 'an attestation without key'],
  ],
  chain: [
    ...['a chain of nonsense', 'a chain to another root', 'a leaf that signed itself', 'an expired leaf'],
    ...['a leaf of tomorrow', 'a leaf that a leaf issued', 'an attester that is an authority', 'a chain in lines'],
    ...['an attester with a critical extension that is not known', 'a chain in base64url'],
    'an attester under more authorities than one allows',
  ],
  signature: ['a signature of another key'],
  times: ['an expired attestation', 'an attestation of tomorrow'],
  client: ['the attestation of another client'],
  key: ['an attestation of a private key', 'an attestation of a key for EdDSA'],
}

async function tryIt(
  { 'oauth-client-attestation': clientAttestation }: Headers,
  of: TestTenant = service,
  client = clientId,
) {
  const body = { clientAttestation, clientId: client }
  const answer = await of.operator.post('/v1/openid/client-attestations/test', body)
  expect(answer.status).toBe(200)
  const results = answer.body.checks.map(({ check, result }: Record<string, string>) => `${check} ${result}`)
  return {
    works: answer.body.works,
    failed: answer.body.checks.find(({ result }: { result: string }) => result === 'failed'),
    results,
  }
}

describe('a client is refused, and the code stays usable, with', () => {
  test.each(Object.keys(faults))('%s', async (name) => {
    const code = await codeOf()
    const headers = (await faults[name]?.()) ?? {}
    const tried = await tryIt(headers)
    const refused = await redeem(code, headers)
    expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_client_attestation' } })
    expect(await redeem(code, await headersOf())).toMatchObject({ status: 200 })

    const [check] = Object.entries(toldOf).find(([, names]) => names.includes(name)) ?? []
    expect([tried.works, tried.failed?.check]).toEqual([check === undefined, check])
    if (check) expect(tried.failed.message).toBe(refused.body.error_description)
  })

  test.each(['oauth-client-attestation', 'oauth-client-attestation-pop'] as const)('no header %s', async (name) => {
    const code = await codeOf()
    const { [name]: _, ...rest } = await headersOf()
    expect(await redeem(code, rest as Headers)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(await redeem(code, await headersOf())).toMatchObject({ status: 200 })
  })
})

describe('a client is accepted with', () => {
  const goods: Record<string, () => Promise<Headers>> = {
    'the claims of draft 07': () =>
      headersOf({ payload: { iss: 'https://provider.example' } }, { payload: { iss: clientId } }),
    'the claims of draft 08': () => headersOf(),
    'the host of the endpoint as audience': () => headersOf({}, { payload: { aud: new URL(service.baseUrl).host } }),
    'its name as audience': () => headersOf({}, { payload: { aud: new URL(service.baseUrl).hostname } }),
    'a list of us alone as audience': () => headersOf({}, { payload: { aud: [service.baseUrl] } }),
    'an attestation without iat': () => headersOf({ payload: { iat: undefined } }),
    'the root in its chain': () => attestedBy({ ...attester, x5c: [...attester.x5c, base64Of(attester.root)] }),
  }
  test.each(Object.keys(goods))('%s', async (name) => {
    expect(await redeem(await codeOf(), (await goods[name]?.()) ?? {})).toMatchObject({ status: 200 })
  })
})

test('a proof of possession works once, also in fifty concurrent requests', async () => {
  const headers = await headersOf()
  const codes = await Promise.all(Array.from({ length: 50 }, codeOf))
  const answers = await Promise.all(codes.map((code) => redeem(code, headers)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.error === 'invalid_client_attestation')).toHaveLength(49)
})

describe('if the DPoP proof replaces the proof of possession', () => {
  const url = () => `${service.baseUrl}/v1/oauth/token`
  const attestation = () => attestClient(attester, { clientId: combinedId, publicJwk: key.publicJwk })

  test('the attested key must be the DPoP key', async () => {
    const code = await codeOf()
    const headers = { 'oauth-client-attestation': await attestation() }
    const another = await dpopProof({ key: await newDpopKey(), url: url() })
    expect(await redeem(code, { ...headers, dpop: another }, combinedId)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client_attestation' },
    })
    expect(await redeem(code, headers, combinedId)).toMatchObject({
      status: 400,
      body: { error: 'invalid_dpop_proof' },
    })
    const own = await dpopProof({ key, url: url() })
    expect(await redeem(code, { ...headers, dpop: own }, combinedId)).toMatchObject({
      status: 200,
      body: { token_type: 'DPoP' },
    })
  })
})

test('an attested instance can repeat its token request, and a wallet that is only named cannot', async () => {
  const code = await codeOf()
  const first = await redeem(code, await headersOf())
  expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
  const { access_token } = first.body
  expect(await redeem(code, await headersOf())).toMatchObject({ status: 200, body: { access_token } })
  const other = await newDpopKey()
  const ofOther = {
    'oauth-client-attestation': await attestClient(attester, { clientId, publicJwk: other.publicJwk }),
    'oauth-client-attestation-pop': await possessionOf(other, service.baseUrl),
  }
  expect(await redeem(code, ofOther)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await redeem(code, await headersOf())).toMatchObject({ status: 200, body: { access_token } })
})

test('HAIP requires a DPoP proof with a nonce of this server, an attestation, a chain without the root, and an unused code', async () => {
  const tenant = await service.addTenant({ profile: 'haip' })
  const url = `${tenant.baseUrl}/v1/oauth/token`
  const client = {
    name: 'Wallet',
    clientId,
    redirectUris: ['https://wallet.example/callback'],
    attestation: { required: true, rootCertificates: [attester.rootPem] },
  }
  expect(await tenant.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  const offer = await newOffer(tenant, [await compactConfiguration(tenant)])
  const code = (await readOffer(offer.uri, tenant.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
  const form = { grant_type: preAuthorizedGrant, 'pre-authorized_code': code }
  const post = (headers: Headers, extra: Record<string, string> = { client_id: clientId }) =>
    tenant.anonymous.post('/v1/oauth/token', new URLSearchParams({ ...form, ...extra }), headers)
  const attested = async (x5c = attester.x5c) => ({
    'oauth-client-attestation': await attestClient({ ...attester, x5c }, { clientId, publicJwk: key.publicJwk }),
    'oauth-client-attestation-pop': await possessionOf(key, tenant.baseUrl),
  })

  expect(await post(await attested())).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } })
  const asked = await post({ ...(await attested()), dpop: await dpopProof({ key, url }) })
  expect(asked).toMatchObject({ status: 400, body: { error: 'use_dpop_nonce' } })
  const nonce = String(asked.headers['dpop-nonce'])
  const proof = () => dpopProof({ key, url, nonce })
  expect(await post({ dpop: await proof() }, {})).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  const withRoot = await attested([...attester.x5c, base64Of(attester.root)])
  expect(await post({ ...withRoot, dpop: await proof() })).toMatchObject({
    status: 401,
    body: { error: 'invalid_client_attestation' },
  })
  const token = await post({ ...(await attested()), dpop: await proof() })
  expect(token).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
  expect(token.headers['dpop-nonce']).toEqual(expect.any(String))
  // Also from the same key and instance, a second use of a code is refused. The first token stays valid.
  expect(await post({ ...(await attested()), dpop: await proof() })).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  })
  expect(await service.deps.db.read.$count(sessions, eq(sessions.tenantId, tenant.id))).toBe(1)
})

describe('an operator tests an attestation', () => {
  const passed = ['roots', 'form', 'chain', 'signature', 'times', 'client', 'key'].map((check) => `${check} passed`)

  test('which the token endpoint accepts afterwards as before, because nothing of it is stored', async () => {
    const headers = await headersOf()
    for (let time = 0; time < 2; time++)
      expect(await tryIt(headers)).toMatchObject({ works: true, results: [...passed, 'possession unknown'] })
    expect(await redeem(await codeOf(), headers)).toMatchObject({ status: 200 })
    const { body } = await service.operator.get('/v1/events?types=OPENID_CLIENT_ATTESTATION_TEST_SUCCESS')
    expect(JSON.stringify(body)).not.toContain(headers['oauth-client-attestation'].slice(0, 20))
  })

  test('with the applicable roots: those of the wallet, those of providers, or none', async () => {
    const tenant = await service.addTenant()
    const headers = await headersOf()
    const own = { name: 'Own', clientId: 'own', redirectUris: ['https://wallet.example/callback'] }
    await tenant.operator.post('/v1/openid/clients', own)
    // It is not looked at, and a wallet comes without one as well, unless it has to have one.
    expect(await tryIt(headers, tenant)).toMatchObject({ works: true, results: ['roots unknown'] })
    expect(await redeem(await codeOf(tenant), headers, clientId, tenant)).toMatchObject({ status: 200 })
    const strict = await service.addTenant({ profile: 'haip' })
    expect(await tryIt(headers, strict)).toMatchObject({ works: false, results: ['roots failed'] })
    await tenant.operator.post('/v1/openid/wallet-providers', { certificatePem: attester.rootPem })
    expect(await tryIt(headers, tenant)).toMatchObject({ works: true })
    const other = await tryIt(headers, tenant, 'own')
    expect(other.failed).toMatchObject({
      check: 'client',
      message: expect.stringContaining('Its sub is another client'),
    })
    // Without client_id, the client is the one that the attestation names.
    const { body } = await tenant.operator.post('/v1/openid/client-attestations/test', {
      clientAttestation: `\n${headers['oauth-client-attestation']} `,
    })
    expect(body.works).toBe(true)
    expect(body.checks[0].message).toBe(
      'This client is not registered, so the 1 certificate of wallet providers is used',
    )
  })

  test('which has a maximum length, and the response does not repeat a longer one', async () => {
    for (const clientAttestation of ['', 'a-secret'.repeat(3_000), ['a-secret']]) {
      const { status, body } = await service.operator.post('/v1/openid/client-attestations/test', { clientAttestation })
      expect({ status, details: body.details }).toMatchObject({
        status: 400,
        details: [{ param: 'clientAttestation' }],
      })
      expect(JSON.stringify(body)).not.toContain('a-secret')
    }
  })
})
