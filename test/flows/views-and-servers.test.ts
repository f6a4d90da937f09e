import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectPreAuthorized, collectSignedIn } from '../../shared/wallet/collect.ts'
import { dataOfText, messageOf, type Send } from '../../shared/wallet/exchange.ts'
import { newKey } from '../../shared/wallet/keys.ts'
import { describeOffer, metadataAddress } from '../../shared/wallet/offer.ts'
import { createApi } from '../harness/api-client.ts'
import {
  compactConfiguration,
  mdlConfiguration,
  newOffer,
  sdJwtConfiguration,
  semanticConfiguration,
  webConfiguration,
} from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { keycloakClaims, startTokenServer, type TokenServer } from '../servers/token-server.ts'
import { type Attester, attestClient, newAttester } from '../wallets/attestation.ts'
import { newAuthorizationWallet, redirectUri } from '../wallets/authorization-wallet.ts'
import { dpopProof, jktOf, newDpopKey } from '../wallets/dpop.ts'
import { addServer, requestWith } from '../wallets/external-wallet.ts'
import { newLibraryWallet, resolveEverythingHere } from '../wallets/library-wallet.ts'
import { newOauth4webapiWallet } from '../wallets/oauth4webapi-wallet.ts'
import { readOffer } from '../wallets/wallet.ts'

/** The views of a tenant with configurations of all profiles. */
const views = {
  ios: { profile: 'standard', configurations: { profiles: ['mobile', 'sd-jwt'] } },
  haip: { profile: 'haip', configurations: { profiles: ['sd-jwt'] } },
  semantic: { profile: 'lenient', configurations: { profiles: ['web-semantic', 'compact-semantic'] } },
} as const
type Name = keyof typeof views
const names = Object.keys(views) as Name[]
const flows = ['pre-authorized code', 'authorization code'] as const
type Flow = (typeof flows)[number]
const clientId = 'library-wallet'

interface View {
  id: string
  issuer: string
  profile: (typeof views)[Name]['profile']
  /** The tenant as seen through the view. */
  seen: TestTenant
  configurationId: string
}

let service: Service
let tenant: TestTenant
let provider: TestProvider
let attester: Attester
const servers: TokenServer[] = []
const madeViews = new Map<Name, View>()
const viewOf = (name: Name) => madeViews.get(name) as View

beforeAll(async () => {
  resolveEverythingHere()
  service = await startService()
  attester = await newAttester()
  tenant = await service.addTenant({ createRoot: true, country: 'NZ' })
  provider = await startProvider(tenant)
  const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }
  for (const create of [compactConfiguration, mdlConfiguration, semanticConfiguration]) await create(tenant)
  const sdJwt = await sdJwtConfiguration(tenant, { claimMappings, scope: 'card' })
  const web = await webConfiguration(tenant, { claimMappings, scope: 'degree' })
  const attestation = { rootCertificates: [attester.rootPem] }
  const client = { name: 'Library', clientId, redirectUris: [redirectUri], attestation }
  expect(await tenant.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  for (const name of names) {
    const { status, body } = await tenant.operator.post('/v1/views', { name, path: name, ...views[name] })
    expect(status).toBe(201)
    const anonymous = createApi(`${service.origin}/views/${name}`, tenant.host)
    const seen = { ...tenant, baseUrl: body.issuer, anonymous }
    const { profile } = views[name]
    madeViews.set(name, { ...body, profile, seen, configurationId: name === 'semantic' ? web : sdJwt })
  }
  for (const name of ['City', 'Land']) {
    const server = await startTokenServer(tenant.baseUrl, () => service.clock.now())
    servers.push(server)
    await addServer(tenant, server, { name, jwtProfile: 'keycloak' })
  }
})
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]()
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

async function offerAt({ id: view, configurationId }: View, flow: Flow): Promise<string> {
  if (flow === 'pre-authorized code') return (await newOffer(tenant, [configurationId], { view })).uri
  return (await tenant.operator.post('/v1/openid/offers', { credentials: [configurationId], view })).body.uri
}

/** Collects one credential with the library @openid4vc/openid4vci, which reads the offer too. */
async function byOpenid4vci(view: View, flow: Flow): Promise<unknown> {
  const dpopKey = await newDpopKey()
  const iss = 'https://provider.example'
  const options = { payload: { iss } }
  const clientAttestation = await attestClient(attester, { clientId, publicJwk: dpopKey.publicJwk }, options)
  const wallet = await newLibraryWallet(await offerAt(view, flow), { clientId, dpopKey, clientAttestation })
  const { issuerMetadata, dpop } = wallet
  expect(issuerMetadata.credentialIssuer.credential_issuer).toBe(view.issuer)
  const { access_token: accessToken } = (await wallet.authorize()).accessTokenResponse
  const { credentials, notification_id: notificationId = '' } = (await wallet.requestCredentials(accessToken))
    .credentialResponse
  const notification = { notificationId, event: 'credential_accepted' } as const
  await wallet.client.sendNotification({ issuerMetadata, accessToken, notification, ...(dpop ? { dpop } : {}) })
  return credentials?.[0]
}

async function byOauth4webapi({ seen, configurationId, profile, id }: View, flow: Flow): Promise<unknown> {
  const target = { tenant: seen, configurationId, profile, attester, offer: { view: id } }
  const wallet = await newOauth4webapiWallet(target, true)
  const isPushed = profile === 'haip'
  const token = await (flow === 'authorization code'
    ? wallet.byAuthorizationCode(isPushed)
    : wallet.byPreAuthorizedCode())
  return Object(await (await wallet.collect(token)).json()).credentials?.[0]
}

const send: Send = async ({ method, url, ...request }) => {
  const { headers, text } = messageOf({ method, url, ...request })
  const response = await fetch(url, { method, headers, ...(text !== '' && { body: text }) })
  return { status: response.status, headers: response.headers, body: dataOfText(await response.text()) }
}

/** Collects with the wallet of the console. It does not attest itself, as the profile haip requires. */
async function byConsole(view: View, flow: Flow): Promise<unknown> {
  const content = await readOffer(await offerAt(view, flow), tenant.anonymous)
  const read = async (document: string) =>
    (await send({ method: 'GET', url: metadataAddress(content.credential_issuer, document) })).body
  const offer = describeOffer(content, await read('openid-credential-issuer'), await read('oauth-authorization-server'))
  const holder = { send, key: await newKey(), offer }
  if (flow === 'pre-authorized code') return collectPreAuthorized(holder, view.configurationId, undefined)
  const wallet = newAuthorizationWallet(view.seen, view.issuer, view.configurationId)
  const issuer_state = offer.authorization?.issuerState
  const code = (await wallet.authorize({ client_id: clientId, issuer_state })).get('code') ?? ''
  return collectSignedIn(holder, view.configurationId, { clientId, redirectUri, code, verifier: wallet.verifier })
}

const drivers = { openid4vci: byOpenid4vci, oauth4webapi: byOauth4webapi, console: byConsole }

const ways = (Object.keys(drivers) as (keyof typeof drivers)[])
  .flatMap((driver) => names.flatMap((name) => flows.map((flow) => ({ driver, name, flow }))))
  .filter(({ driver, name }) => driver !== 'console' || name !== 'haip')

const viewsOfRecords = async (): Promise<(string | undefined)[]> =>
  (await tenant.operator.get('/v2/credentials/issued?limit=1000')).body.data.map(({ view }: { view?: string }) => view)

test.each(ways)('the wallet $driver collects through the view $name by $flow', async ({ driver, name, flow }) => {
  const before = await viewsOfRecords()
  expect(await drivers[driver](viewOf(name), flow)).toBeTruthy()
  const after = await viewsOfRecords()
  expect(after).toHaveLength(before.length + 1)
  const count = (all: (string | undefined)[]) => all.filter((each) => each === viewOf(name).id).length
  expect(count(after)).toBe(count(before) + 1)
})

describe.each(names)('a bound token of each server for the view %s', (name) => {
  test('collects there with its key, and is refused at the other views and the tenant', async () => {
    const own = viewOf(name)
    for (const server of servers) {
      const key = await newDpopKey()
      const claims = { ...keycloakClaims, typ: 'DPoP', aud: [own.issuer, 'account'], scope: 'openid card degree' }
      const token = await server.token({ ...claims, cnf: { jkt: await jktOf(key) } }, { typ: 'JWT' })
      const sendTo = async (seen: TestTenant, configurationId: string, nonce?: string) => {
        const request = { key, url: `${seen.baseUrl}/v1/openid/credential`, accessToken: token }
        const dpop = await dpopProof({ ...request, ...(nonce !== undefined && { nonce }) })
        return requestWith(seen, token, configurationId, { headers: { authorization: `DPoP ${token}`, dpop } })
      }
      // The profile haip answers the first proof with a nonce.
      const collectAt = async (seen: TestTenant, configurationId: string) => {
        const answer = await sendTo(seen, configurationId)
        const nonce = answer.headers['dpop-nonce']
        return nonce && answer.status === 401 ? sendTo(seen, configurationId, String(nonce)) : answer
      }
      const others = names.filter((each) => each !== name).map(viewOf)
      for (const { seen, configurationId } of [...others, { ...own, seen: tenant }])
        expect(await collectAt(seen, configurationId)).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
      expect(await collectAt(own.seen, own.configurationId)).toMatchObject({ status: 200 })
      expect((await viewsOfRecords()).at(-1)).toBe(own.id)
    }
  })
})
