import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dpopChallenge } from '../harness/challenges.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { type Attester, attestClient, newAttester } from '../wallets/attestation.ts'
import { redirectUri } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { type LibraryWalletOptions, newLibraryWallet, resolveEverythingHere } from '../wallets/library-wallet.ts'
import type { HolderKeyPair } from '../wallets/wallet.ts'

/** In all grants, against all profiles; nothing here checks an answer that the library would check. */
const profiles = ['standard', 'lenient', 'haip'] as const
type Profile = (typeof profiles)[number]
const clientId = 'library-wallet'

let service: Service
let attester: Attester
let dpopKey: HolderKeyPair
const tenants = new Map<Profile, TestTenant>()
const configurations = new Map<Profile, string>()
const providers: TestProvider[] = []

beforeAll(async () => {
  resolveEverythingHere()
  service = await startService()
  attester = await newAttester()
  dpopKey = await newDpopKey()
  for (const profile of profiles) {
    const tenant = await service.addTenant({ profile, deferredIssuance: 'whenSlow' })
    tenants.set(profile, tenant)
    providers.push(await startProvider(tenant))
    configurations.set(profile, await (profile === 'lenient' ? webConfiguration : compactConfiguration)(tenant))
    const attestation = { required: profile === 'haip', rootCertificates: [attester.rootPem] }
    const client = { name: 'Library', clientId, redirectUris: [redirectUri], attestation }
    expect(await tenant.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  }
})
afterAll(async () => {
  for (const provider of providers) await provider[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const tenantOf = (profile: Profile) => tenants.get(profile) as TestTenant
const configurationOf = (profile: Profile) => configurations.get(profile) ?? ''

async function offerOf(profile: Profile, grant: string): Promise<string> {
  const tenant = tenantOf(profile)
  if (grant === 'pre-authorized code') return (await newOffer(tenant, [configurationOf(profile)])).uri
  return (await tenant.operator.post('/v1/openid/offers', { credentials: [configurationOf(profile)] })).body.uri
}

/** The library wants the `iss` of draft 07. */
const attestation = () =>
  attestClient(attester, { clientId, publicJwk: dpopKey.publicJwk }, { payload: { iss: 'https://provider.example' } })

interface Way {
  profile: Profile
  grant: string
  proofs: string
}

const ways: Way[] = profiles.flatMap((profile) =>
  ['pre-authorized code', 'authorization code'].flatMap((grant) =>
    (profile === 'haip' ? ['DPoP and attestation'] : ['no proofs', 'DPoP', 'DPoP and attestation']).map((proofs) => ({
      profile,
      grant,
      proofs,
    })),
  ),
)

async function optionsOf({ grant, proofs }: Way): Promise<LibraryWalletOptions> {
  return {
    ...(proofs === 'no proofs' && grant === 'pre-authorized code' ? {} : { clientId }),
    ...(proofs === 'no proofs' ? {} : { dpopKey }),
    ...(proofs === 'DPoP and attestation' ? { clientAttestation: await attestation() } : {}),
  }
}

describe('@openid4vc/openid4vci collects', () => {
  test.each(ways)('by $grant with $proofs, profile $profile', async (way) => {
    const wallet = await newLibraryWallet(await offerOf(way.profile, way.grant), await optionsOf(way))
    const { accessTokenResponse } = await wallet.authorize()
    expect(accessTokenResponse.token_type).toBe(way.proofs === 'no proofs' ? 'Bearer' : 'DPoP')
    const { credentialResponse } = await wallet.requestCredentials(accessTokenResponse.access_token)
    expect(credentialResponse.credentials).toHaveLength(1)
    await wallet.client.sendNotification({
      issuerMetadata: wallet.issuerMetadata,
      accessToken: accessTokenResponse.access_token,
      notification: { notificationId: credentialResponse.notification_id ?? '', event: 'credential_accepted' },
      ...(wallet.dpop ? { dpop: wallet.dpop } : {}),
    })
  })

  test.each(profiles)('twenty copies at once, profile %s', async (profile) => {
    const way = { profile, grant: 'authorization code', proofs: 'DPoP and attestation' }
    const wallet = await newLibraryWallet(await offerOf(profile, way.grant), { ...(await optionsOf(way)), copies: 20 })
    const { accessTokenResponse } = await wallet.authorize()
    const { credentialResponse } = await wallet.requestCredentials(accessTokenResponse.access_token)
    expect(credentialResponse.credentials).toHaveLength(20)
  })

  test.each(profiles)('a deferred credential, profile %s', async (profile) => {
    const way = { profile, grant: 'pre-authorized code', proofs: 'DPoP and attestation' }
    const wallet = await newLibraryWallet(await offerOf(profile, way.grant), await optionsOf(way))
    const { accessTokenResponse } = await wallet.authorize()
    await service.workers.stop()
    const { credentialResponse } = await service.withSigningWait(100, () =>
      wallet.requestCredentials(accessTokenResponse.access_token),
    )
    expect(credentialResponse).toMatchObject({ transaction_id: expect.any(String), interval: expect.any(Number) })
    await service.workers.start()
    await eventually(async () => {
      const { deferredCredentialResponse } = await wallet.client.retrieveDeferredCredentials({
        issuerMetadata: wallet.issuerMetadata,
        accessToken: accessTokenResponse.access_token,
        transactionId: credentialResponse.transaction_id ?? '',
        ...(wallet.dpop ? { dpop: wallet.dpop } : {}),
      })
      return deferredCredentialResponse?.credentials?.length === 1
    })
  })
})

test('a HAIP resource answers a proof without its nonce with the next nonce', async () => {
  const way = { profile: 'haip' as const, grant: 'pre-authorized code', proofs: 'DPoP and attestation' }
  const wallet = await newLibraryWallet(await offerOf('haip', way.grant), await optionsOf(way))
  const { accessTokenResponse } = await wallet.authorize()
  const tenant = tenantOf('haip')
  const accessToken = accessTokenResponse.access_token
  const dpop = await dpopProof({ key: dpopKey, url: `${tenant.baseUrl}/v1/openid/credential`, accessToken })
  const refused = await tenant.anonymous.post(
    '/v1/openid/credential',
    {},
    { authorization: `DPoP ${accessToken}`, dpop },
  )
  expect(refused).toMatchObject({ status: 401, body: { error: 'use_dpop_nonce' } })
  expect(refused.headers['dpop-nonce']).toEqual(expect.any(String))
  expect(refused.headers['www-authenticate']).toBe(dpopChallenge(tenant, 'use_dpop_nonce'))
})

test('HAIP accepts only pushed authorization requests', async () => {
  const tenant = tenantOf('haip')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 's',
  })
  const { status, headers } = await tenant.anonymous.get(`/v1/oauth/authorize?${query}`)
  expect(status).toBe(302)
  expect(Object.fromEntries(new URL(String(headers.location)).searchParams)).toMatchObject({
    error: 'invalid_request',
    error_description: 'The request must be pushed',
  })
  const { body } = await tenant.anonymous.get('/.well-known/oauth-authorization-server')
  expect(body).toMatchObject({
    require_pushed_authorization_requests: true,
    'pre-authorized_grant_anonymous_access_supported': false,
    token_endpoint_auth_methods_supported: ['attest_jwt_client_auth'],
  })
})
