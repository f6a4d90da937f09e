import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiResponse, createApi } from '../harness/api-client.ts'
import { dpopChallenge } from '../harness/challenges.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { type DpopOptions, dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { type HolderKeyPair, makeProof, newHolderKey, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

let service: Service
let configurationId: string
let key: HolderKeyPair

beforeAll(async () => {
  service = await startService()
  configurationId = await compactConfiguration(service)
  key = await newDpopKey()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const tokenUrl = (tenant: TestTenant = service) => `${tenant.baseUrl}/v1/oauth/token`
const credentialUrl = () => `${service.baseUrl}/v1/openid/credential`

async function codeOf(): Promise<string> {
  const offer = await newOffer(service, [configurationId])
  return (await readOffer(offer.uri, service.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
}

function redeem(code: string, dpop?: string): Promise<ApiResponse> {
  const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })
  return service.anonymous.post('/v1/oauth/token', form, dpop === undefined ? {} : { dpop })
}

async function boundToken(): Promise<string> {
  const token = await redeem(await codeOf(), await dpopProof({ key, url: tokenUrl() }))
  expect(token).toMatchObject({ status: 200, body: { token_type: 'DPoP', expires_in: 3600 } })
  return token.body.access_token
}

/** A credential request that is correct except for `headers`. */
async function collect(headers: Record<string, string>): Promise<ApiResponse> {
  const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
  const proof = await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() })
  const body = { credential_configuration_id: configurationId, proofs: { jwt: [proof] } }
  return createApi(service.origin, service.host).post('/v1/openid/credential', body, headers)
}

type Fault = Partial<DpopOptions> | (() => Promise<string>)

const now = () => Math.floor(Date.now() / 1000)

/** A proof that is signed by `alg`, or not at all. */
async function signedBy(alg: string, url: string): Promise<string> {
  const claims = { jti: randomUUID(), htm: 'POST', htu: url, iat: now() }
  if (alg === 'none') {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${part({ typ: 'dpop+jwt', alg, jwk: key.publicJwk })}.${part(claims)}.`
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new SignJWT(claims)
    .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk: publicKey.export({ format: 'jwk' }) as never })
    .sign(privateKey)
}

async function tampered(): Promise<string> {
  const proof = await dpopProof({ key, url: tokenUrl() })
  const [header, payload, signature = ''] = proof.split('.')
  return [header, payload, signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`].join('.')
}

const faults: Record<string, () => Fault> = {
  'no typ': () => ({ header: { typ: undefined } }),
  'another typ': () => ({ header: { typ: 'jwt' } }),
  'no jwk': () => ({ header: { jwk: undefined } }),
  'a private jwk': () => ({ header: { jwk: key.privateJwk } }),
  'a critical extension': () => ({ header: { crit: ['b64'], b64: true } }),
  'alg none': () => () => signedBy('none', tokenUrl()),
  'alg RS256': () => () => signedBy('RS256', tokenUrl()),
  'a wrong signature': () => tampered,
  'a signature of another key': () => async () =>
    dpopProof({ key: { ...(await newDpopKey()), publicJwk: key.publicJwk }, url: tokenUrl() }),
  'no jti': () => ({ payload: { jti: undefined } }),
  'a jti beyond measure': () => ({ payload: { jti: 'a'.repeat(501) } }),
  'no htm': () => ({ payload: { htm: undefined } }),
  'another htm': () => ({ payload: { htm: 'GET' } }),
  'no htu': () => ({ payload: { htu: undefined } }),
  'the htu of another endpoint': () => ({ payload: { htu: credentialUrl() } }),
  'the htu of another host': () => ({ payload: { htu: 'https://example.org/v1/oauth/token' } }),
  'no iat': () => ({ payload: { iat: undefined } }),
  'an iat an hour ago': () => ({ payload: { iat: now() - 3600 } }),
  'an iat in an hour': () => ({ payload: { iat: now() + 3600 } }),
  'an htcd of another payload': () => ({ payload: { htcd: createHash('sha256').update('x').digest('base64') } }),
  'no JWS at all': () => async () => 'proof',
  'a second header that is empty': () => async () => `${await dpopProof({ key, url: tokenUrl() })}, `,
  'a padded signature': () => async () => `${await dpopProof({ key, url: tokenUrl() })}==`,
  'two proofs': () => async () =>
    `${await dpopProof({ key, url: tokenUrl() })}, ${await dpopProof({ key, url: tokenUrl() })}`,
}

describe('the token endpoint refuses a proof and keeps the code for', () => {
  test.each(Object.keys(faults))('%s', async (name) => {
    const fault = faults[name]?.() ?? {}
    const code = await codeOf()
    const proof = typeof fault === 'function' ? await fault() : await dpopProof({ key, url: tokenUrl(), ...fault })
    expect(await redeem(code, proof)).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } })
    expect(await redeem(code)).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
  })
})

const goods: Record<string, () => Partial<DpopOptions>> = {
  'an iat ten seconds ago': () => ({ payload: { iat: now() - 10 } }),
  'an iat in ten seconds': () => ({ payload: { iat: now() + 10 } }),
  'an htu with a query and a fragment': () => ({ payload: { htu: `${tokenUrl()}?a=b#c` } }),
  'an htu in upper case': () => ({ payload: { htu: tokenUrl().replace('http://', 'HTTP://') } }),
  'unknown claims': () => ({ payload: { extra: { deep: [1] } } }),
}

describe('the token endpoint accepts', () => {
  test.each(Object.keys(goods))('%s', async (name) => {
    const proof = await dpopProof({ key, url: tokenUrl(), ...goods[name]?.() })
    expect(await redeem(await codeOf(), proof)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
  })

  test.each(['base64', 'base64url'] as const)('the digest of the payload in %s', async (encoding) => {
    const code = await codeOf()
    const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })
    const htcd = createHash('sha256').update(form.toString()).digest(encoding)
    expect(await redeem(code, await dpopProof({ key, url: tokenUrl(), payload: { htcd } }))).toMatchObject({
      status: 200,
    })
  })
})

test('an htu can contain the default port of the scheme and the host in any case', async () => {
  const tenant = await service.addTenant()
  const { host } = tenant
  const code = await (async () => {
    const offer = await newOffer(tenant, [await compactConfiguration(tenant)])
    return (await readOffer(offer.uri, tenant.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
  })()
  const htu = `HTTP://${host.toUpperCase()}/v1/oauth/token`
  const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })
  const dpop = await dpopProof({ key, url: htu })
  expect(await tenant.anonymous.post('/v1/oauth/token', form, { dpop })).toMatchObject({ status: 200 })
})

test('a proof works once, also in fifty concurrent requests', async () => {
  const proof = await dpopProof({ key, url: tokenUrl() })
  const codes = await Promise.all(Array.from({ length: 50 }, codeOf))
  const answers = await Promise.all(codes.map((code) => redeem(code, proof)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.error === 'invalid_dpop_proof')).toHaveLength(49)
})

test('a bound token collects its credential with a proof of its key', async () => {
  const accessToken = await boundToken()
  const dpop = await dpopProof({ key, url: credentialUrl(), accessToken })
  expect(await collect({ authorization: `dpop ${accessToken}`, dpop })).toMatchObject({ status: 200 })
})

const resourceFaults: Record<
  string,
  { error: string; fault: (accessToken: string) => Promise<Record<string, string>> }
> = {
  'comes as a bearer token': {
    error: 'invalid_token',
    fault: async (token) => ({ authorization: `Bearer ${token}` }),
  },
  'comes as a bearer token, with a proof': {
    error: 'invalid_token',
    fault: async (token) => ({
      authorization: `Bearer ${token}`,
      dpop: await dpopProof({ key, url: credentialUrl(), accessToken: token }),
    }),
  },
  'comes without a proof': {
    error: 'invalid_dpop_proof',
    fault: async (token) => ({ authorization: `DPoP ${token}` }),
  },
  'comes with a proof of another key': {
    error: 'invalid_token',
    fault: async (token) => ({
      authorization: `DPoP ${token}`,
      dpop: await dpopProof({ key: await newDpopKey(), url: credentialUrl(), accessToken: token }),
    }),
  },
  'comes with a proof without ath': {
    error: 'invalid_dpop_proof',
    fault: async (token) => ({ authorization: `DPoP ${token}`, dpop: await dpopProof({ key, url: credentialUrl() }) }),
  },
  'comes with a proof for another token': {
    error: 'invalid_dpop_proof',
    fault: async (token) => ({
      authorization: `DPoP ${token}`,
      dpop: await dpopProof({ key, url: credentialUrl(), accessToken: `${token}x` }),
    }),
  },
  'comes with a proof for the token endpoint': {
    error: 'invalid_dpop_proof',
    fault: async (token) => ({
      authorization: `DPoP ${token}`,
      dpop: await dpopProof({ key, url: tokenUrl(), accessToken: token }),
    }),
  },
}

describe('the credential endpoint refuses a bound token that', () => {
  test.each(Object.keys(resourceFaults))('%s', async (name) => {
    const { error, fault } = resourceFaults[name] ?? { error: '', fault: async () => ({}) }
    const accessToken = await boundToken()
    const refused = await collect(await fault(accessToken))
    expect(refused).toMatchObject({ status: 401, body: { error } })
    expect(refused.headers['www-authenticate']).toBe(dpopChallenge(service, error))
    const dpop = await dpopProof({ key, url: credentialUrl(), accessToken })
    expect(await collect({ authorization: `DPoP ${accessToken}`, dpop })).toMatchObject({ status: 200 })
  })

  test('has the proof of another request', async () => {
    const accessToken = await boundToken()
    const dpop = await dpopProof({ key, url: credentialUrl(), accessToken })
    expect(await collect({ authorization: `DPoP ${accessToken}`, dpop })).toMatchObject({ status: 200 })
    expect(await collect({ authorization: `DPoP ${accessToken}`, dpop })).toMatchObject({
      status: 401,
      body: { error: 'invalid_dpop_proof' },
    })
  })
})

test('the challenge for a wrong or expired token of the DPoP scheme is of this scheme (RFC 9449, section 7.1)', async () => {
  const accessToken = await boundToken()
  const challenge = dpopChallenge(service, 'invalid_token')
  const refused = { status: 401, body: { error: 'invalid_token' }, headers: { 'www-authenticate': challenge } }
  const dpop = await dpopProof({ key, url: credentialUrl(), accessToken })
  for (const wrong of ['DPoP', 'DPoP nonsense', `dpop ${accessToken}x`, `DPoP ${accessToken} ${accessToken}`])
    expect(await collect({ authorization: wrong, dpop })).toMatchObject(refused)
  service.clock.advance(3_601_000)
  expect(await collect({ authorization: `DPoP ${accessToken}`, dpop })).toMatchObject(refused)
  service.clock.advance(-3_601_000)
  expect(await collect({ authorization: `DPoP ${accessToken}`, dpop })).toMatchObject({ status: 200 })
})

test('a bearer token cannot be used with a proof', async () => {
  const { body } = await redeem(await codeOf())
  const dpop = await dpopProof({ key, url: credentialUrl(), accessToken: body.access_token })
  expect(await collect({ authorization: `DPoP ${body.access_token}`, dpop })).toMatchObject({ status: 401 })
})
