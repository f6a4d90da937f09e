import { importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { base64Of, newCertificate } from '../certificates/certificates.ts'
import { newIaca } from '../certificates/hierarchy.ts'
import { dpopChallenge } from '../harness/challenges.ts'
import { sdJwtConfiguration } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { verifySdJwt } from '../verifiers/sd-jwt-verifier.ts'
import { type Attester, attestClient, attestKeys, newAttester, possessionOf } from '../wallets/attestation.ts'
import { newAuthorizationWallet, redirectUri } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { type HolderKeyPair, newHolderKey } from '../wallets/wallet.ts'

const clientId = 'haip-wallet'
const vct = 'urn:example:student-card'
const scope = `dc+sd-jwt:${vct}`
const plainVct = 'urn:example:library-card'

let service: Service
let tenant: TestTenant
let provider: TestProvider
let attester: Attester
/** Its certificate is its own root. */
let selfSigned: Attester
let configurationId: string
/** Requires no key attestation. */
let plainId: string
let instance: HolderKeyPair
const keys = await Promise.all(Array.from({ length: 3 }, () => newHolderKey('ES256')))

beforeAll(async () => {
  service = await startService()
  attester = await newAttester()
  const own = await newCertificate({ name: 'Self-signed' })
  selfSigned = { ...attester, leaf: own, x5c: [base64Of(own)] }
  instance = await newDpopKey()
  const settings = { profile: 'haip', publicClients: false, keyAttestationRoots: [attester.rootPem] }
  expect(await service.platform.put(`/v1/tenants/${service.id}`, settings)).toMatchObject({ status: 200 })
  tenant = service
  await newIaca(tenant)
  const client = { name: 'HAIP wallet', clientId, redirectUris: [redirectUri] }
  const attestation = { required: true, rootCertificates: [attester.rootPem] }
  await tenant.operator.post('/v1/openid/clients', { ...client, attestation })
  configurationId = await sdJwtConfiguration(tenant, {
    claimMappings: { level: { defaultValue: '1', type: 'integer' } },
    keyAttestationsRequired: { keyStorage: ['iso_18045_high'] },
    includeStatus: true,
  })
  plainId = await sdJwtConfiguration(tenant, {
    vct: plainVct,
    claimMappings: { level: { defaultValue: '1', type: 'integer' } },
  })
  provider = await startProvider(tenant)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** What a wallet does otherwise than the profile requires. */
interface Deviation {
  isNotPushed?: boolean
  challengeMethod?: string
  scope?: string
  /** The attester of the wallet at the PAR endpoint and at the token endpoint, or none. */
  walletAttester?: Attester | undefined
  hasNoDpop?: boolean
  hasNoDpopNonce?: boolean
  isBearer?: boolean
  keyAttester?: Attester
  /** Collects the credential that requires no key attestation. */
  isPlain?: boolean
  proofs?(nonce: string): Promise<Record<string, string[]>>
}

const now = () => Math.floor(Date.now() / 1000)
const withRoot = ({ root, ...others }: Attester): Attester => {
  return { ...others, root, x5c: [...others.x5c, base64Of(root)] }
}

async function proofOf(key: HolderKeyPair, nonce: string, attestation?: string): Promise<string> {
  const header = { jwk: key.publicJwk, ...(attestation !== undefined && { key_attestation: attestation }) }
  return new SignJWT({ iss: clientId, aud: tenant.baseUrl, iat: now(), nonce })
    .setProtectedHeader({ alg: 'ES256', typ: 'openid4vci-proof+jwt', ...header } as never)
    .sign(await importJWK(key.privateJwk, 'ES256'))
}

async function walletHeaders(by: Attester | undefined): Promise<Record<string, string>> {
  if (!by) return {}
  return {
    'oauth-client-attestation': await attestClient(by, { clientId, publicJwk: instance.publicJwk }),
    'oauth-client-attestation-pop': await possessionOf(instance, tenant.baseUrl),
  }
}

/** Runs the flow until the first refusal. Returns the step with its error, or the credentials. */
async function collect(given: Deviation = {}) {
  const walletAttester = 'walletAttester' in given ? given.walletAttester : attester
  const [id, ownScope] = given.isPlain ? [plainId, `dc+sd-jwt:${plainVct}`] : [configurationId, scope]
  const wallet = newAuthorizationWallet(tenant, service.origin, id)
  const changed = { client_id: clientId, authorization_details: undefined, scope: given.scope ?? ownScope }
  const request = wallet.authorizeUrl({ ...changed, code_challenge_method: given.challengeMethod ?? 'S256' })
  if (given.isNotPushed)
    return { step: 'authorize', error: (await wallet.browser.signIn(request)).url.searchParams.get('error') }

  const parHeaders = await walletHeaders(walletAttester)
  const par = await tenant.anonymous.post('/v1/oauth/par', new URLSearchParams(request.search), parHeaders)
  if (par.status !== 201) return { step: 'par', error: par.body.error }
  const pushed = new URL(request)
  pushed.search = String(new URLSearchParams({ client_id: clientId, request_uri: par.body.request_uri }))
  const { searchParams } = (await wallet.browser.signIn(pushed)).url
  expect(searchParams.get('iss')).toBe(tenant.baseUrl)

  const tokenUrl = `${tenant.baseUrl}/v1/oauth/token`
  const redeem = async (dpop?: string) =>
    wallet.redeem(
      searchParams.get('code') ?? '',
      { client_id: clientId, redirect_uri: redirectUri },
      { ...(await walletHeaders(walletAttester)), ...(dpop !== undefined && { dpop }) },
    )
  const asked = await redeem(given.hasNoDpop ? undefined : await dpopProof({ key: instance, url: tokenUrl }))
  if (given.hasNoDpop || given.hasNoDpopNonce) return { step: 'token', error: asked.body.error }
  const tokenNonce = String(asked.headers['dpop-nonce'])
  const token = await redeem(await dpopProof({ key: instance, url: tokenUrl, nonce: tokenNonce }))
  expect(token, JSON.stringify(token.body)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })

  const accessToken = token.body.access_token
  const issued = await tenant.anonymous.post('/v1/openid/nonce', undefined)
  const nonce = issued.body.c_nonce
  const url = `${tenant.baseUrl}/v1/openid/credential`
  const dpop = await dpopProof({ key: instance, url, accessToken, nonce: String(issued.headers['dpop-nonce']) })
  const headers = given.isBearer
    ? { authorization: `Bearer ${accessToken}` }
    : { authorization: `DPoP ${accessToken}`, dpop }
  const proofs = (await given.proofs?.(nonce)) ?? {
    attestation: [await attestKeys(given.keyAttester ?? attester, { keys: keys, nonce: nonce })],
  }
  const answer = await tenant.anonymous.post(
    '/v1/openid/credential',
    { credential_configuration_id: id, proofs },
    headers,
  )
  if (answer.status !== 200) return { step: 'credential', error: answer.body.error }
  return { step: 'done', credentials: answer.body.credentials as { credential: string }[] }
}

test('a wallet that meets the profile collects a batch of SD-JWT VCs for one key attestation', async () => {
  const { credentials = [], ...refused } = await collect()
  expect(refused).toEqual({ step: 'done' })
  expect(credentials).toHaveLength(keys.length)
  const bound = await Promise.all(credentials.map(({ credential }) => verifySdJwt(credential, tenant)))
  expect(bound.map(({ cnf }) => (cnf as { jwk: { x: string } }).jwk.x)).toEqual(
    keys.map(({ publicJwk }) => publicJwk.x),
  )
})

test('a wallet collects a batch with a proof for each key beside one key attestation', async () => {
  const proofs = async (nonce: string) => {
    const attestation = await attestKeys(attester, { keys: keys, nonce: nonce })
    return { jwt: await Promise.all(keys.map((key) => proofOf(key, nonce, attestation))) }
  }
  const { credentials, ...refused } = await collect({ proofs })
  expect(refused).toEqual({ step: 'done' })
  expect(credentials).toHaveLength(keys.length)
})

test('a wallet collects a batch with proofs without attestation if the configuration requires none', async () => {
  const jwt = (nonce: string) => Promise.all(keys.map((key) => proofOf(key, nonce)))
  const { credentials, ...refused } = await collect({
    isPlain: true,
    proofs: async (nonce) => ({ jwt: await jwt(nonce) }),
  })
  expect(refused).toEqual({ step: 'done' })
  expect(credentials).toHaveLength(keys.length)
})

const deviations: [clause: string, what: string, deviation: () => Deviation, step: string, error: string][] = [
  ['4', 'does not push its request', () => ({ isNotPushed: true }), 'authorize', 'invalid_request'],
  ['4', 'uses the challenge method plain', () => ({ challengeMethod: 'plain' }), 'par', 'invalid_request'],
  ['4', 'sends no DPoP proof', () => ({ hasNoDpop: true }), 'token', 'invalid_dpop_proof'],
  ['4', 'sends no DPoP nonce', () => ({ hasNoDpopNonce: true }), 'token', 'use_dpop_nonce'],
  ['4', 'uses its token as a bearer token', () => ({ isBearer: true }), 'credential', 'invalid_token'],
  ['4.3', 'requests an unknown scope', () => ({ scope: 'unknown' }), 'par', 'invalid_scope'],
  ['4.4.1', 'is not attested', () => ({ walletAttester: undefined }), 'par', 'invalid_client'],
  [
    ...(['4.4.1', 'sends the root of its attestation'] as const),
    ...([() => ({ walletAttester: withRoot(attester) }), 'par', 'invalid_client_attestation'] as const),
  ],
  [
    ...(['4.4.1', 'is attested by a self-signed certificate'] as const),
    ...([() => ({ walletAttester: selfSigned }), 'par', 'invalid_client_attestation'] as const),
  ],
  [
    ...(['4.5.1', 'sends the root of its key attestation'] as const),
    ...([() => ({ keyAttester: withRoot(attester) }), 'credential', 'invalid_proof'] as const),
  ],
  [
    ...(['4.5.1', 'has its keys attested by a self-signed certificate'] as const),
    ...([() => ({ keyAttester: selfSigned }), 'credential', 'invalid_proof'] as const),
  ],
  [
    ...(['4.5.1', 'sends a key without attestation'] as const),
    () => ({ proofs: async (nonce) => ({ jwt: [await proofOf(keys[0]!, nonce)] }) }),
    ...(['credential', 'invalid_proof'] as const),
  ],
  [
    ...(['4.5.1', 'sends a batch with an attestation of one key only'] as const),
    () => ({
      proofs: async (nonce) => {
        const attested = await proofOf(keys[0]!, nonce, await attestKeys(attester, { keys: [keys[0]!], nonce: nonce }))
        return { jwt: [attested, await proofOf(keys[1]!, nonce)] }
      },
    }),
    ...(['credential', 'invalid_proof'] as const),
  ],
  [
    ...(['4.5.1', 'sends a batch with several key attestations'] as const),
    () => ({
      isPlain: true,
      proofs: async (nonce) => ({
        jwt: await Promise.all(
          keys.map(async (key) => proofOf(key, nonce, await attestKeys(attester, { keys: [key], nonce: nonce }))),
        ),
      }),
    }),
    ...(['credential', 'invalid_proof'] as const),
  ],
]

test.each(deviations)(
  'HAIP 1.0, section %s: a wallet that %s is refused',
  async (_clause, _what, deviation, step, error) => {
    const refused = await collect(deviation())
    expect(refused).toMatchObject({ step, error })
  },
)

test('every challenge is of the scheme DPoP, because bearer tokens are not accepted', async () => {
  const challengeFor = async (headers: Record<string, string>) =>
    (await tenant.anonymous.post('/v1/openid/credential', {}, headers)).headers['www-authenticate']
  expect(await challengeFor({})).toBe(dpopChallenge(tenant))
  expect(await challengeFor({ authorization: 'Basic nonsense' })).toBe(dpopChallenge(tenant))
  expect(await challengeFor({ authorization: 'Bearer nonsense' })).toBe(dpopChallenge(tenant, 'invalid_token'))
})
