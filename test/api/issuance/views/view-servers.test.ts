import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApi } from '../../../harness/api-client.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../../../harness/harness.ts'
import { startTokenServer, type TokenServer } from '../../../servers/token-server.ts'
import { addServer, requestWith, serversPath } from '../../../wallets/external-wallet.ts'
import { preAuthorizedGrant, readOffer } from '../../../wallets/wallet.ts'

const claimMappings = { given_name: { mapFrom: 'claims.given_name' }, level: { defaultValue: 'B1' } }

let service: Service
let tenant: TestTenant
let server: TokenServer
let configurationId: string
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.[Symbol.asyncDispose]())
beforeEach(async () => {
  tenant = await service.addTenant()
  server = await startTokenServer(tenant.baseUrl, () => service.clock.now())
  configurationId = await compactConfiguration(tenant, { scope: 'student_card', claimMappings })
  return () => server[Symbol.asyncDispose]()
})

/** An issuer of the tenant, as its wallets see it. */
interface Issuer {
  id: string | undefined
  issuer: string
  seen: TestTenant
}

async function newView(path: string): Promise<Issuer> {
  const content = { name: path, path, profile: 'standard', configurations: { ids: [configurationId] } }
  const { status, body } = await tenant.operator.post('/v1/views', content)
  if (status !== 201) throw new Error(`view: ${status} ${JSON.stringify(body)}`)
  const anonymous = createApi(`${service.origin}/views/${path}`, tenant.host)
  return { id: body.id, issuer: body.issuer, seen: { ...tenant, anonymous, baseUrl: body.issuer } }
}

const card = (aud: string | string[], claims = {}) => server.token({ aud, scope: 'openid student_card', ...claims })
const collect = ({ seen }: Issuer, token: string, configuration = configurationId) =>
  requestWith(seen, token, configuration)
const itself = (): Issuer => ({ id: undefined, issuer: tenant.baseUrl, seen: tenant })
const refused = { status: 401, body: { error: 'invalid_token' } }

test('the metadata of a view name the view, and then the servers of the tenant', async () => {
  const { seen, issuer } = await newView('one')
  const before = (await seen.anonymous.get('/.well-known/openid-credential-issuer')).body
  expect(before).not.toHaveProperty('authorization_servers')
  await addServer(tenant, server)
  const after = (await seen.anonymous.get('/.well-known/openid-credential-issuer')).body
  expect(after).toEqual({ ...before, authorization_servers: [issuer, server.issuer] })
})

test('an offer names its view, and the server of the tenant or the view itself', async () => {
  const { id: view, issuer } = await newView('one')
  const serverId = await addServer(tenant, server)
  const grantsOf = async (body: object) => {
    const offer = { credentials: [configurationId], view, ...body }
    const { uri } = (await tenant.operator.post('/v1/openid/offers', offer)).body
    const content = await readOffer(uri, tenant.anonymous)
    expect(content.credential_issuer).toBe(issuer)
    return content.grants.authorization_code
  }
  for (const by of ['value', 'reference']) {
    expect(await grantsOf({ by })).toMatchObject({ authorization_server: issuer })
    expect(await grantsOf({ by, authorizationServer: issuer })).toMatchObject({ authorization_server: issuer })
    for (const authorizationServer of [serverId, server.issuer])
      expect(await grantsOf({ by, authorizationServer })).toMatchObject({ authorization_server: server.issuer })
    const { uri } = await newOffer(tenant, [configurationId], { view, by })
    const { grants } = await readOffer(uri, tenant.anonymous)
    expect(grants[preAuthorizedGrant]).toMatchObject({ authorization_server: issuer })
  }
  const ofTenant = { credentials: [configurationId], view, authorizationServer: tenant.baseUrl }
  expect(await tenant.operator.post('/v1/openid/offers', ofTenant)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'authorizationServer' }] },
  })
})

describe('a token of a server', () => {
  test.each([['signed'], ['introspected']])('is for the issuer in its audience only, when it is %s', async (way) => {
    const introspection = { clientId: 'trustwright', clientSecret: 'a-secret' }
    await addServer(tenant, server, way === 'introspected' ? { introspection } : {})
    const issuers = [itself(), await newView('one'), await newView('two')]
    for (const own of issuers) {
      const token = way === 'signed' ? await card(own.issuer) : `opaque-${own.id}`
      server.introspection = { active: true, aud: own.issuer, sub: 'ada', client_id: 'wallet', scope: 'student_card' }
      for (const other of issuers.filter((each) => each !== own))
        expect(await collect(other, token)).toMatchObject(refused)
      expect(await collect(own, token)).toMatchObject({ status: 200 })
      for (const other of issuers.filter((each) => each !== own))
        expect(await collect(other, token)).toMatchObject(refused)
    }
    const records = (await tenant.operator.get('/v2/credentials/issued')).body.data
    expect(records.map(({ view }: { view?: string }) => view)).toEqual(issuers.map(({ id }) => id))
  })

  test('with several audiences is for the issuer at which it is used first', async () => {
    await addServer(tenant, server)
    const issuers = [itself(), await newView('one'), await newView('two')]
    const audience = issuers.map(({ issuer }) => issuer)
    for (const own of issuers) {
      const token = await card(audience)
      expect(await collect(own, token)).toMatchObject({ status: 200 })
      for (const other of issuers.filter((each) => each !== own))
        expect(await collect(other, token)).toMatchObject(refused)
      const first = await card(audience)
      const answers = await Promise.all(issuers.map((each) => collect(each, first)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    }
  })

  test('collects only what the view publishes', async () => {
    const other = await webConfiguration(tenant, { scope: 'degree' })
    await addServer(tenant, server, { scopes: { 'urn:degree': other } })
    const view = await newView('one')
    const detail = { type: 'openid_credential', credential_configuration_id: other }
    for (const claims of [{ scope: 'degree' }, { scope: 'urn:degree' }, { authorization_details: [detail], scope: '' }])
      expect(await collect(view, await card(view.issuer, claims), other)).toMatchObject({
        status: 403,
        body: { error: 'insufficient_scope' },
      })
    const both = await card(view.issuer, { scope: 'student_card degree' })
    expect(await collect(view, both, other)).toMatchObject({ status: 400 })
    expect(await collect(view, both)).toMatchObject({ status: 200 })
  })

  test('does not name the offer of another issuer', async () => {
    await addServer(tenant, server)
    const view = await newView('one')
    const { uri } = (await tenant.operator.post('/v1/openid/offers', { credentials: [configurationId] })).body
    const { issuer_state } = (await readOffer(uri, tenant.anonymous)).grants.authorization_code
    expect(await collect(view, await card(view.issuer, { issuer_state }))).toMatchObject({ status: 200 })
    const [record] = (await tenant.operator.get('/v2/credentials/issued')).body.data
    expect(record).not.toHaveProperty('offerId')
  })
})

test('a deferred credential is collected with a later token for the same view only', async () => {
  tenant = await service.addTenant({ deferredIssuance: 'whenSlow' })
  configurationId = await compactConfiguration(tenant, { scope: 'student_card', claimMappings })
  await addServer(tenant, server)
  const [one, two] = [await newView('one'), await newView('two')]
  await service.workers.stop()
  const first = await card(one.issuer)
  const deferred = await service.withSigningWait(100, () => collect(one, first)).finally(() => service.workers.start())
  expect(deferred).toMatchObject({ status: 202 })
  const ask = async ({ seen, issuer }: Issuer) =>
    seen.anonymous.post(
      '/v1/openid/deferred-credential',
      { transaction_id: deferred.body.transaction_id },
      { authorization: `Bearer ${await card(issuer)}` },
    )
  for (const other of [two, itself()])
    expect(await ask(other)).toMatchObject({ status: 400, body: { error: 'invalid_transaction_id' } })
  await eventually(async () => (await ask(one)).status === 200)
})

test('the audience of a server is not the issuer of a view, which is created before or afterwards', async () => {
  const { issuer } = await newView('one')
  const body = { name: 'City', issuer: server.issuer, audience: issuer }
  expect(await tenant.operator.post(serversPath, body)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'audience', value: issuer }] },
  })
  const id = await addServer(tenant, server)
  expect(await tenant.operator.put(`${serversPath}/${id}`, body)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'audience', value: issuer }] },
  })
  const later = { ...body, audience: `${tenant.baseUrl}/views/later` }
  expect(await tenant.operator.put(`${serversPath}/${id}`, later)).toMatchObject({ status: 200 })
  const content = { name: 'later', path: 'later', profile: 'standard', configurations: { ids: [configurationId] } }
  expect(await tenant.operator.post('/v1/views', content)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'path' }] },
  })
})
