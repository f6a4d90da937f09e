import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { type Attester, attestClient, newAttester, possessionOf } from '../wallets/attestation.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { type HolderKeyPair, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

// Challenges of OAuth attestation-based client authentication (draft-ietf-oauth-attestation-based-client-auth, section "Challenges").

let service: Service
let attester: Attester
let key: HolderKeyPair
let configurationId: string
beforeAll(async () => {
  service = await startService()
  attester = await newAttester()
  key = await newDpopKey()
  configurationId = await compactConfiguration(service)
  const provider = { name: 'Wallets', certificatePem: attester.rootPem }
  expect(await service.operator.post('/v1/openid/wallet-providers', provider)).toMatchObject({ status: 201 })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const clientId = 'wallet'
const header = 'oauth-client-attestation-challenge'

async function newChallenge(of: { anonymous: Service['anonymous'] } = service): Promise<string> {
  const { body: metadata } = await of.anonymous.get('/.well-known/oauth-authorization-server')
  const { pathname } = new URL(metadata.challenge_endpoint)
  const { status, body, headers } = await of.anonymous.post(pathname)
  expect([status, headers['cache-control'], Object.keys(body)]).toEqual([200, 'no-store', ['attestation_challenge']])
  return body.attestation_challenge
}

/** Requests a token with headers beside the attestation. */
async function redeem(headers: Record<string, string>) {
  const { uri } = await newOffer(service, [configurationId])
  const code = (await readOffer(uri, service.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
  const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code, client_id: clientId })
  const attestation = await attestClient(attester, { clientId, publicJwk: key.publicJwk })
  return service.anonymous.post('/v1/oauth/token', form, { 'oauth-client-attestation': attestation, ...headers })
}

const withChallenge = async (challenge: unknown) => redeem(await possession(challenge))
const possession = async (challenge: unknown) => ({
  'oauth-client-attestation-pop': await possessionOf(key, service.baseUrl, { payload: { challenge } }),
})

test('a proof with a challenge of the endpoint is accepted, and one without too', async () => {
  expect(await withChallenge(await newChallenge())).toMatchObject({ status: 200 })
  expect(await withChallenge(undefined)).toMatchObject({ status: 200 })
})

test('another challenge is refused, and the response has one that is accepted', async () => {
  const other = await service.addTenant()
  const { c_nonce } = (await service.anonymous.post('/v1/openid/nonce')).body
  for (const challenge of ['made-up', '', c_nonce, await newChallenge(other)]) {
    const refused = await withChallenge(challenge)
    expect(refused, challenge).toMatchObject({ status: 400, body: { error: 'use_attestation_challenge' } })
    expect(await withChallenge(refused.headers[header])).toMatchObject({ status: 200 })
  }
  expect(await withChallenge(7)).toMatchObject({ status: 401, body: { error: 'invalid_client_attestation' } })
})

test('a challenge ends after five minutes, and a proof with it is accepted once', async () => {
  const challenge = await newChallenge()
  const headers = await possession(challenge)
  expect(await redeem(headers)).toMatchObject({ status: 200 })
  expect(await redeem(headers)).toMatchObject({ status: 401, body: { error: 'invalid_client_attestation' } })
  const { clock } = service.deps
  const later = new Date(clock.now().getTime() + 5 * 60_000)
  service.deps.clock = { now: () => later }
  try {
    const iat = Math.floor(later.getTime() / 1000)
    const payload = { challenge, iat, exp: undefined }
    const pop = await possessionOf(key, service.baseUrl, { payload })
    const attestation = await attestClient(
      attester,
      { clientId, publicJwk: key.publicJwk },
      { payload: { exp: iat + 60 } },
    )
    const late = await redeem({ 'oauth-client-attestation-pop': pop, 'oauth-client-attestation': attestation })
    expect(late).toMatchObject({ status: 400, body: { error: 'use_attestation_challenge' } })
  } finally {
    service.deps.clock = clock
  }
})

test('a tenant that requires nonces accepts the challenge as the nonce of the DPoP proof', async () => {
  await service.platform.put(`/v1/tenants/${service.id}`, { profile: 'haip' })
  const url = `${service.baseUrl}/v1/oauth/token`
  const proofWith = (nonce: string) => dpopProof({ key, url, payload: { nonce } })
  expect(await redeem({ dpop: await proofWith(await newChallenge()) })).toMatchObject({ status: 200 })
  expect(await redeem({ dpop: await proofWith('made-up') })).toMatchObject({ body: { error: 'use_dpop_nonce' } })
})

test('scripts of other origins can read the challenge', async () => {
  const { headers } = await service.anonymous.post('/v1/oauth/challenge', undefined, {
    origin: 'https://wallet.example',
  })
  expect(String(headers['access-control-expose-headers'])).toContain('OAuth-Client-Attestation-Challenge')
})
