import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newCertificate, pemOf } from '../certificates/certificates.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { type Attester, attestClient, newAttester, possessionOf } from '../wallets/attestation.ts'
import { newAuthorizationWallet } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { newLibraryWallet, resolveEverythingHere } from '../wallets/library-wallet.ts'
import { type HolderKeyPair, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

const path = '/v1/openid/wallet-providers'
/** The library wants it, which later drafts left out. */
const draft07 = { payload: { iss: 'https://provider.example' } }
const clientId = 'wallet-of-a-provider'

let service: SharedService
let provider: TestProvider
let attester: Attester
let key: HolderKeyPair
let configurationId: string
let admitted: string

beforeAll(async () => {
  resolveEverythingHere()
  service = await joinService()
  provider = await startProvider(service)
  attester = await newAttester()
  key = await newDpopKey()
  configurationId = await compactConfiguration(service)
})
beforeEach(async () => {
  const made = await service.operator.post(path, { certificatePem: attester.rootPem })
  if (made.status === 201) admitted = made.body.id
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const attestation = (by: Attester = attester) => attestClient(by, { clientId, publicJwk: key.publicJwk })
const headersOf = async (by?: Attester) => ({
  'oauth-client-attestation': await attestation(by),
  'oauth-client-attestation-pop': await possessionOf(key, service.baseUrl),
})

async function redeem(headers: Record<string, string>, client = clientId) {
  const offer = await readOffer((await newOffer(service, [configurationId])).uri, service.anonymous)
  const code = offer.grants[preAuthorizedGrant]['pre-authorized_code']
  const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code, client_id: client })
  return service.anonymous.post('/v1/oauth/token', form, headers)
}

const dpopOf = (at: string) => dpopProof({ key, url: `${service.baseUrl}${at}` })

/** Pushes, signs in, and redeems the code, each time with an attestation where `headers` gives one. */
async function byCode(headers: () => Promise<Record<string, string>>) {
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  const { searchParams } = wallet.authorizeUrl({ client_id: clientId, redirect_uri: 'http://127.0.0.1:9/callback' })
  const par = await service.anonymous.post('/v1/oauth/par', new URLSearchParams(searchParams), await headers())
  if (par.status !== 201) return { par }
  const only = Object.fromEntries([...searchParams.keys()].map((name) => [name, undefined]))
  const answer = await wallet.authorize({ ...only, client_id: clientId, request_uri: par.body.request_uri })
  const redeemed = { client_id: clientId, redirect_uri: 'http://127.0.0.1:9/callback' }
  return { par, redeem: async () => wallet.redeem(answer.get('code') ?? '', redeemed, await headers()) }
}

describe('an unregistered wallet of a trusted provider', () => {
  test('redeems a code with the proof of possession, or with a DPoP proof of the attested key', async () => {
    expect(await redeem(await headersOf())).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
    const combined = { 'oauth-client-attestation': await attestation(), dpop: await dpopOf('/v1/oauth/token') }
    expect(await redeem(combined)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
    const { body } = await service.anonymous.get('/.well-known/oauth-authorization-server')
    expect(body.token_endpoint_auth_methods_supported).toContain('attest_jwt_client_auth_dpop')
  })

  test('signs a person in by a pushed request, and other unregistered wallets cannot', async () => {
    expect((await byCode(async () => ({}))).par).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const flow = await byCode(headersOf)
    expect(await flow.redeem?.()).toMatchObject({ status: 200 })
    const unproven = await byCode(headersOf)
    await service.operator.delete(`${path}/${admitted}`)
    expect(await unproven.redeem?.()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('collects a credential with the library @openid4vc/openid4vci at a HAIP tenant', async () => {
    const port = new URL(service.origin).port
    const tenant = await service.addTenant({ profile: 'haip', aliases: [`provided.localhost:${port}`] })
    await using _own = await startProvider(tenant)
    expect(await tenant.operator.post(path, { certificatePem: attester.rootPem })).toMatchObject({ status: 201 })
    const id = await compactConfiguration(tenant)
    const { body: offer } = await tenant.operator.post('/v1/openid/offers', { credentials: [id] })
    const clientAttestation = await attestClient(attester, { clientId, publicJwk: key.publicJwk }, draft07)
    const wallet = await newLibraryWallet(offer.uri, { clientId, dpopKey: key, clientAttestation })
    const { accessTokenResponse } = await wallet.authorize()
    const { credentialResponse } = await wallet.requestCredentials(accessTokenResponse.access_token)
    expect(credentialResponse.credentials).toHaveLength(1)
  })
})

describe('the service refuses', () => {
  test('the wallet of another provider, of another client, without proof, and of a removed provider', async () => {
    const unacceptable = { status: 401, body: { error: 'invalid_client_attestation' } }
    expect(await redeem(await headersOf(await newAttester()))).toMatchObject(unacceptable)
    expect(await redeem(await headersOf(), 'another')).toMatchObject(unacceptable)
    expect(await redeem({ 'oauth-client-attestation': await attestation() })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
    const foreign = await dpopProof({ key: await newDpopKey(), url: `${service.baseUrl}/v1/oauth/token` })
    expect(await redeem({ 'oauth-client-attestation': await attestation(), dpop: foreign })).toMatchObject(unacceptable)
  })

  test('a wallet that was registered with its own roots, if another provider attests it', async () => {
    const own = await newAttester()
    const client = {
      name: 'Own',
      clientId: 'own-roots',
      redirectUris: ['https://wallet.example/cb'],
      attestation: { required: true, rootCertificates: [own.rootPem] },
    }
    expect(await service.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
    const headers = {
      'oauth-client-attestation': await attestClient(attester, { clientId: 'own-roots', publicJwk: key.publicJwk }),
      'oauth-client-attestation-pop': await possessionOf(key, service.baseUrl),
    }
    expect(await redeem(headers, 'own-roots')).toMatchObject({ status: 401 })
  })

  test('an invalid certificate, one that is not a CA certificate, and one that exists already', async () => {
    const leaf = pemOf(await newCertificate({ name: 'Leaf', issuer: attester.root }))
    for (const certificatePem of ['nonsense', leaf]) {
      const { status, body } = await service.operator.post(path, { certificatePem })
      expect({ status, param: body.details[0].param }).toEqual({ status: 400, param: 'certificatePem' })
    }
    expect(await service.operator.post(path, { certificatePem: attester.rootPem })).toMatchObject({ status: 409 })
    const { body: list } = await service.operator.get(path)
    expect(list.data.map(({ id }: { id: string }) => id)).toEqual([admitted])
  })
})
