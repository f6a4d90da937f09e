import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  compactConfiguration,
  mdlConfiguration,
  newOffer,
  sdJwtConfiguration,
  semanticConfiguration,
  webConfiguration,
} from '../../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../../harness/harness.ts'
import { startProvider, type TestProvider } from '../../../servers/provider.ts'
import { type Attester, attestClient, newAttester } from '../../../wallets/attestation.ts'
import { redirectUri } from '../../../wallets/authorization-wallet.ts'
import { newDpopKey } from '../../../wallets/dpop.ts'
import { newLibraryWallet, resolveEverythingHere } from '../../../wallets/library-wallet.ts'
import type { HolderKeyPair } from '../../../wallets/wallet.ts'

/** The views of a tenant with configurations of all profiles. */
const views = {
  ios: { profile: 'standard', configurations: { profiles: ['mobile', 'sd-jwt'] } },
  haip: { profile: 'haip', configurations: { profiles: ['sd-jwt'] } },
  semantic: { profile: 'lenient', configurations: { profiles: ['web-semantic', 'compact-semantic'] } },
} as const
type Name = keyof typeof views

let service: Service
let tenant: TestTenant
let provider: TestProvider
let attester: Attester
let dpopKey: HolderKeyPair
let configurations: Record<Name, string>
const issuers = new Map<Name, { id: string; issuer: string }>()
const clientId = 'library-wallet'

beforeAll(async () => {
  resolveEverythingHere()
  service = await startService()
  attester = await newAttester()
  dpopKey = await newDpopKey()
  tenant = await service.addTenant({ createRoot: true, country: 'NZ' })
  provider = await startProvider(tenant)
  await compactConfiguration(tenant)
  await mdlConfiguration(tenant)
  await semanticConfiguration(tenant)
  const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }
  const sdJwt = await sdJwtConfiguration(tenant, { claimMappings })
  configurations = { ios: sdJwt, haip: sdJwt, semantic: await webConfiguration(tenant) }
  const attestation = { rootCertificates: [attester.rootPem] }
  const client = { name: 'Library', clientId, redirectUris: [redirectUri], attestation }
  expect(await tenant.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  for (const [name, content] of Object.entries(views)) {
    const { status, body } = await tenant.operator.post('/v1/views', { name, path: name, ...content })
    expect(status).toBe(201)
    issuers.set(name as Name, body)
  }
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

async function offerAt(name: Name, grant: string): Promise<string> {
  const offer = { credentials: [configurations[name]], view: issuers.get(name)?.id }
  if (grant === 'pre-authorized code') return (await newOffer(tenant, offer.credentials, offer)).uri
  return (await tenant.operator.post('/v1/openid/offers', offer)).body.uri
}

const ways = (Object.keys(views) as Name[]).flatMap((name) =>
  ['pre-authorized code', 'authorization code'].map((grant) => ({ name, grant })),
)

describe('@openid4vc/openid4vci collects through a view', () => {
  test.each(ways)('$name by $grant', async ({ name, grant }) => {
    const clientAttestation = await attestClient(
      attester,
      { clientId, publicJwk: dpopKey.publicJwk },
      { payload: { iss: 'https://provider.example' } },
    )
    const wallet = await newLibraryWallet(await offerAt(name, grant), { clientId, dpopKey, clientAttestation })
    expect(wallet.issuerMetadata.credentialIssuer.credential_issuer).toBe(issuers.get(name)?.issuer)
    const { accessTokenResponse } = await wallet.authorize()
    const { credentialResponse } = await wallet.requestCredentials(accessTokenResponse.access_token)
    expect(credentialResponse.credentials).toHaveLength(1)
    await wallet.client.sendNotification({
      issuerMetadata: wallet.issuerMetadata,
      accessToken: accessTokenResponse.access_token,
      notification: { notificationId: credentialResponse.notification_id ?? '', event: 'credential_accepted' },
      ...(wallet.dpop ? { dpop: wallet.dpop } : {}),
    })
  })
})
