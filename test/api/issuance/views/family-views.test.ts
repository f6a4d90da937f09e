import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Documents, parts } from '../../../../api/issuance/readers/check.ts'
import { families } from '../../../../api/issuance/readers/families.ts'
import { findReaders, type WalletReader } from '../../../../api/issuance/readers/find-readers.ts'
import { type WalletFamily, walletFamilies } from '../../../../shared/domain/issuance/wallet-families.ts'
import { newIaca } from '../../../certificates/hierarchy.ts'
import { createApi } from '../../../harness/api-client.ts'
import {
  compactConfiguration,
  mdlClaims,
  mdlConfiguration,
  newOffer,
  sdJwtConfiguration,
  semanticConfiguration,
  webConfiguration,
} from '../../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../../harness/harness.ts'
import { sdJwtClaims } from '../../../harness/issued-sd-jwt.ts'
import { newBrowser, startProvider, type TestProvider } from '../../../servers/provider.ts'
import { type Attester, attestKeys, newAttester } from '../../../wallets/attestation.ts'
import { newAuthorizationWallet, redirectUri, registerWallet } from '../../../wallets/authorization-wallet.ts'
import { resolveEverythingHere } from '../../../wallets/library-wallet.ts'
import { makeProof, newHolderKey, newWallet, readOffer } from '../../../wallets/wallet.ts'

/** The configurations of a tenant with all profiles. Two have key attestations. */
const configurationsOf = {
  compact: compactConfiguration,
  semantic: semanticConfiguration,
  web: webConfiguration,
  nested: sdJwtConfiguration,
  mdl: (tenant: TestTenant) => mdlConfiguration(tenant, { keyAttestationsRequired: {} }),
  card: (tenant: TestTenant) => {
    const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }
    const vct = 'urn:example:plain-card'
    return sdJwtConfiguration(tenant, { vct, claimMappings, keyAttestationsRequired: {} })
  },
}
type Name = keyof typeof configurationsOf

/** The configurations that a view for a family can have. Each other configuration fails a check of the family. */
const readable: Record<WalletFamily, Name[]> = {
  'eudi-android': ['mdl', 'card'],
  'eudi-ios': ['nested', 'mdl', 'card'],
  credo: ['web', 'nested', 'mdl', 'card'],
  multipaz: ['nested', 'mdl', 'card'],
  'walt-id': ['mdl', 'card'],
  inji: ['web', 'nested', 'mdl', 'card'],
}

const attested: Name[] = ['mdl', 'card']
/** The sign-in provider does not have the claims that these require. */
const withoutSignIn: Name[] = ['nested', 'mdl']
const claims = { ...mdlClaims, ...sdJwtClaims }

let service: Service
let tenant: TestTenant
let provider: TestProvider
let attester: Attester
const ids = new Map<Name, string>()
const idOf = (name: Name) => ids.get(name) ?? ''

beforeAll(async () => {
  resolveEverythingHere()
  service = await startService({ env: { PUBLIC_SCHEME: 'https' } })
  attester = await newAttester()
  tenant = await service.addTenant({ keyAttestationRoots: [attester.rootPem], createRoot: true, country: 'NZ' })
  await newIaca(tenant)
  provider = await startProvider(tenant)
  await registerWallet(tenant)
  for (const name of Object.keys(configurationsOf) as Name[]) ids.set(name, await configurationsOf[name](tenant))
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

interface View {
  id: string
  path: string
  issuer: string
}

async function newView(family: WalletFamily): Promise<View> {
  const configurations = { ids: readable[family].map(idOf) }
  const view = { name: families[family].name, path: family, profile: 'standard', configurations }
  const { status, body } = await tenant.operator.post('/v1/views', { ...view, walletFamilies: [family] })
  expect(status).toBe(201)
  return body
}

async function metadataOf({ path }: View): Promise<Documents> {
  const at = (name: string) => tenant.anonymous.get(`/.well-known/${name}/views/${path}`)
  const [issuerMetadata, serverMetadata] = [
    await at('openid-credential-issuer'),
    await at('oauth-authorization-server'),
  ]
  expect([issuerMetadata.status, serverMetadata.status]).toEqual([200, 200])
  return { issuerMetadata: issuerMetadata.body, serverMetadata: serverMetadata.body }
}

/** Requests a credential of a configuration with the token of an answer. */
async function credentialAnswerOf({ issuer, path }: View, name: Name, accessToken: string) {
  const api = createApi(`${service.origin}/views/${path}`, tenant.host)
  const nonce = (await api.post('/v1/openid/nonce')).body.c_nonce
  const key = await newHolderKey()
  const attestation = attested.includes(name) && (await attestKeys(attester, { keys: [key], nonce }))
  const header = attestation ? { key_attestation: attestation } : {}
  const proof = await makeProof({ issuer, nonce, key, header })
  const body = { credential_configuration_id: idOf(name), proofs: { jwt: [proof] } }
  return api.post('/v1/openid/credential', body, { authorization: `Bearer ${accessToken}` })
}

/** The documents of a flow that starts with a pre-authorized offer. */
async function documentsOfCode(view: View, name: Name): Promise<Documents> {
  const { uri, transactionCode } = await newOffer(tenant, [idOf(name)], {
    ...{ view: view.id, claims, transactionCodeConfiguration: { description: 'From the letter' } },
  })
  const issuer = { host: tenant.host, baseUrl: view.issuer }
  const wallet = await newWallet(issuer, service.origin, uri)
  const { body: tokenAnswer } = await wallet.redeem({ tx_code: transactionCode ?? '' })
  const { body: credentialAnswer } = await credentialAnswerOf(view, name, tokenAnswer.access_token)
  return { offer: await readOffer(uri, tenant.anonymous), tokenAnswer, credentialAnswer }
}

/** The service of this test says that it has TLS, and has none. */
const withoutTls = (url: string) => url.replace('https:', 'http:')

/** The documents of a flow that starts with a shared offer, at which a person signs in. */
async function documentsOfSignIn(view: View, name: Name): Promise<Documents> {
  const { uri } = (await tenant.operator.post('/v1/openid/offers', { credentials: [idOf(name)], view: view.id })).body
  const offer = await readOffer(uri, tenant.anonymous)
  const wallet = newAuthorizationWallet(tenant, withoutTls(view.issuer), idOf(name))
  const browser = newBrowser(({ protocol, href }) => protocol === 'https:' || href.startsWith(redirectUri))
  let { url } = await browser.signIn(
    wallet.authorizeUrl({ issuer_state: offer.grants.authorization_code.issuer_state }),
  )
  while (url.protocol === 'https:') url = (await browser.signIn(withoutTls(url.href))).url
  const { body: tokenAnswer } = await wallet.redeem(url.searchParams.get('code') ?? '')
  const { body: credentialAnswer } = await credentialAnswerOf(view, name, tokenAnswer.access_token)
  return { offer, tokenAnswer, credentialAnswer }
}

const readerOf = (readers: WalletReader[], family: WalletFamily) =>
  readers.find((reader) => reader.family === family) as WalletReader

describe.each(walletFamilies)('%s', (family) => {
  test('reads all documents of the view that is made for it, and the readers say the same', async () => {
    const view = await newView(family)
    const metadata = await metadataOf(view)
    for (const name of readable[family]) {
      const flows = withoutSignIn.includes(name) ? [documentsOfCode] : [documentsOfCode, documentsOfSignIn]
      for (const documentsOf of flows) {
        const documents = { ...metadata, ...(await documentsOf(view, name)) }
        expect(Object.keys(documents).sort(), name).toEqual([...parts].sort())
        expect(documents).toMatchObject({
          tokenAnswer: { access_token: expect.any(String) },
          credentialAnswer: { credentials: [{}] },
        })
        expect(findReaders(documents, [family]), name).toMatchObject([{ canRead: true, findings: [] }])
      }
    }
    const { body } = await tenant.operator.get('/v1/openid/configuration/readers')
    const ofView = body.views.find(({ id }: View) => id === view.id)
    expect(readerOf(ofView.families, family)).toMatchObject({ canRead: true, findings: [] })
  })

  test('has a finding for each other configuration of the tenant itself, and for none of its view', async () => {
    const { body } = await tenant.operator.get('/v1/openid/configuration/readers')
    const { findings } = readerOf(body.families, family)
    const named = new Set(findings.map(({ configurationId }) => configurationId))
    const others = (Object.keys(configurationsOf) as Name[]).filter((name) => !readable[family].includes(name))
    expect(named).toEqual(new Set(others.map(idOf)))
  })
})
