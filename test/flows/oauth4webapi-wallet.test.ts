import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { type Attester, newAttester } from '../wallets/attestation.ts'
import { redirectUri } from '../wallets/authorization-wallet.ts'
import { resolveEverythingHere } from '../wallets/library-wallet.ts'
import { newOauth4webapiWallet } from '../wallets/oauth4webapi-wallet.ts'

/** A wallet of oauth4webapi, in all grants, against all profiles: requests and checks of OAuth are the library's. */
const profiles = ['standard', 'lenient', 'haip'] as const
type Profile = (typeof profiles)[number]
const clientId = 'library-wallet'

let service: SharedService
let attester: Attester
const tenants = new Map<Profile, { tenant: TestTenant; configurationId: string }>()
const providers: TestProvider[] = []

beforeAll(async () => {
  resolveEverythingHere()
  service = await joinService()
  attester = await newAttester()
  for (const profile of profiles) {
    const tenant = await service.addTenant({ profile })
    providers.push(await startProvider(tenant))
    tenants.set(profile, { tenant, configurationId: await compactConfiguration(tenant) })
    const attestation = { required: profile === 'haip', rootCertificates: [attester.rootPem] }
    const client = { name: 'Library', clientId, redirectUris: [redirectUri], attestation }
    expect(await tenant.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  }
})
afterAll(async () => {
  for (const provider of providers) await provider[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

function newWallet(profile: Profile, isBound: boolean) {
  const { tenant, configurationId } = tenants.get(profile) ?? { tenant: service, configurationId: '' }
  return newOauth4webapiWallet({ tenant, configurationId, profile, attester }, isBound)
}

const bindings = [
  { profile: 'standard', isBound: false },
  { profile: 'standard', isBound: true },
  { profile: 'lenient', isBound: false },
  { profile: 'lenient', isBound: true },
  { profile: 'haip', isBound: true },
] as const

test.each(bindings)('by pre-authorized code, profile $profile, DPoP: $isBound', async ({ profile, isBound }) => {
  const wallet = await newWallet(profile, isBound)
  const token = await wallet.byPreAuthorizedCode()
  expect(token.token_type).toBe(isBound ? 'dpop' : 'bearer')
  const answer = await wallet.collect(token)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ credentials: [{ credential: expect.any(String) }] })
})

describe('by authorization code', () => {
  const ways = bindings.flatMap((binding) =>
    (binding.profile === 'haip' ? [true] : [true, false]).map((isPushed) => ({ ...binding, isPushed })),
  )
  test.each(ways)('profile $profile, DPoP: $isBound, pushed: $isPushed', async ({ profile, isBound, isPushed }) => {
    const wallet = await newWallet(profile, isBound)
    const token = await wallet.byAuthorizationCode(isPushed)
    expect((await wallet.collect(token)).status).toBe(200)
    expect(token.refresh_token !== undefined).toBe(isBound)
    if (token.refresh_token === undefined) return
    const again = await wallet.refresh(token.refresh_token)
    expect(again.refresh_token).toBe(token.refresh_token)
    // The same credential once more.
    expect((await wallet.collect(again)).status).toBe(200)
  })
})

test.each(bindings)('encrypted both ways, profile $profile, DPoP: $isBound', async ({ profile, isBound }) => {
  const wallet = await newWallet(profile, isBound)
  const { body: metadata } = await wallet.tenant.anonymous.get('/.well-known/openid-credential-issuer')
  const [jwk] = metadata.credential_request_encryption.jwks.keys
  const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
  const encryption = { jwk: { ...(await exportJWK(publicKey)), alg: 'ECDH-ES', kid: 'wallet' }, enc: 'A256GCM' }
  const key = await importJWK(jwk, jwk.alg)
  const seal = (body: object) =>
    new CompactEncrypt(Buffer.from(JSON.stringify({ ...body, credential_response_encryption: encryption })))
      .setProtectedHeader({ alg: jwk.alg, enc: 'A256GCM', kid: jwk.kid })
      .encrypt(key)
  const answer = await wallet.collect(await wallet.byPreAuthorizedCode(), seal)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('application/jwt')
  const { plaintext } = await compactDecrypt(await answer.text(), privateKey)
  expect(JSON.parse(Buffer.from(plaintext).toString()).credentials).toHaveLength(1)
})
