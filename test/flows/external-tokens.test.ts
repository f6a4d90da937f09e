import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { keycloakClaims, startTokenServer, type TokenServer } from '../servers/token-server.ts'
import { dpopProof, jktOf, newDpopKey } from '../wallets/dpop.ts'
import { addServer, requestWith, serversPath } from '../wallets/external-wallet.ts'
import { newHolderKey } from '../wallets/wallet.ts'

/** No claim is required. */
const claimMappings = { given_name: { mapFrom: 'claims.given_name' }, level: { defaultValue: 'B1' } }

let service: Service
let tenant: TestTenant
let server: TokenServer
let configurationId: string
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(async () => {
  tenant = await service.addTenant()
  server = await startTokenServer(tenant.baseUrl, () => service.clock.now())
  configurationId = await compactConfiguration(tenant, { scope: 'student_card', claimMappings })
  return () => server[Symbol.asyncDispose]()
})

const card = (claims: Record<string, unknown> = {}) => ({ scope: 'openid student_card', ...claims })
const collect = (token: string, options = {}) => requestWith(tenant, token, configurationId, options)
const usersOf = async () => (await tenant.operator.get('/v1/users')).body.data

test('a token of RFC 9068 collects a credential for its subject', async () => {
  const serverId = await addServer(tenant, server, { claimsToPersist: ['given_name'] })
  const token = await server.token(card({ given_name: 'Ada' }))
  expect(await collect(token)).toMatchObject({ status: 200, body: { credentials: [{}] } })
  expect(await usersOf()).toMatchObject([
    { claims: { given_name: 'Ada' }, authenticationProvider: { providerId: serverId, subjectId: 'ada' } },
  ])
  // The session of the token remains, and with it the person.
  expect(await collect(token)).toMatchObject({ status: 200 })
  expect(await collect(await server.token(card()))).toMatchObject({ status: 200 })
  expect(await usersOf()).toHaveLength(1)
})

test('the same sub of two servers and of this service is several persons', async () => {
  await using other = await startTokenServer(tenant.baseUrl)
  await addServer(tenant, server)
  await addServer(tenant, other, { name: 'Land' })
  await tenant.operator.post('/v1/users', { claims: {}, label: 'ada' })
  for (const each of [server, other, server, other])
    expect(await collect(await each.token(card()))).toMatchObject({ status: 200 })
  const subjects = (await usersOf()).map((user: Record<string, never>) => user.authenticationProvider)
  expect(subjects).toHaveLength(3)
  expect(new Set(subjects.map((subject: { providerId?: string } | undefined) => subject?.providerId)).size).toBe(3)
})

test('the first two requests with a token at the same time create one session and one person', async () => {
  await addServer(tenant, server)
  const token = await server.token(card())
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => collect(token)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(await usersOf()).toHaveLength(1)
  const { body } = await tenant.operator.get('/v2/credentials/issued')
  expect(new Set(body.data.map(({ sessionId }: { sessionId: string }) => sessionId)).size).toBe(1)
})

describe('the configurations of a token', () => {
  test('are those of its scopes, of the scopes of the server, and of its authorization_details', async () => {
    const other = await compactConfiguration(tenant, { scope: 'library_card', claimMappings })
    await addServer(tenant, server, { scopes: { 'urn:library': other } })
    expect(await requestWith(tenant, await server.token(card()), other)).toMatchObject({
      status: 400,
      body: { error: 'unknown_credential_configuration' },
    })
    expect(await requestWith(tenant, await server.token({ scope: 'urn:library' }), other)).toMatchObject({
      status: 200,
    })
    const detail = { type: 'openid_credential', credential_configuration_id: other, credential_identifiers: ['one'] }
    const token = await server.token({ authorization_details: [{ type: 'other' }, detail] })
    const body = { credential_configuration_id: undefined, credential_identifier: 'one' }
    expect(await requestWith(tenant, token, other, { body })).toMatchObject({ status: 200 })
  })
})

test('a user that is deleted ends the session of its token, which is not created again', async () => {
  await addServer(tenant, server)
  const token = await server.token(card())
  await collect(token)
  const [{ id }] = await usersOf()
  expect(await tenant.operator.delete(`/v1/users/${id}`)).toMatchObject({ status: 204 })
  expect(await collect(token)).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
  expect(await usersOf()).toEqual([])
})

test('the tokens of a deleted server are refused, and its users stay', async () => {
  const serverId = await addServer(tenant, server)
  const token = await server.token(card())
  expect(await collect(token)).toMatchObject({ status: 200 })
  await tenant.operator.delete(`${serversPath}/${serverId}`)
  expect(await collect(token)).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
  expect(await usersOf()).toHaveLength(1)
})

test('a token is for the tenant of its audience and its server only', async () => {
  await addServer(tenant, server)
  const token = await server.token(card())
  expect(await collect(token)).toMatchObject({ status: 200 })
  const other = await service.addTenant()
  expect(await requestWith(other, token, configurationId)).toMatchObject({ status: 401 })
  await addServer(other, server)
  expect(await requestWith(other, token, configurationId)).toMatchObject({ status: 401 })
  expect((await other.operator.get('/v1/users')).body.data).toEqual([])
})

test('a batch, and each token, has the limit of the tenant', async () => {
  tenant = await service.addTenant({ maxCredentialsPerSession: 2 })
  await using own = await startTokenServer(tenant.baseUrl)
  configurationId = await compactConfiguration(tenant, { scope: 'student_card', claimMappings })
  await addServer(tenant, own)
  const token = await own.token(card())
  const statuses = [await collect(token), await collect(token), await collect(token)].map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 400])
})

test('a later token of the same wallet and person collects a deferred credential, and no other token does', async () => {
  tenant = await service.addTenant({ deferredIssuance: 'whenSlow' })
  await using own = await startTokenServer(tenant.baseUrl)
  configurationId = await compactConfiguration(tenant, { scope: 'student_card', claimMappings })
  await addServer(tenant, own)
  await service.workers.stop()
  const first = await own.token(card())
  const deferred = await service.withSigningWait(100, () => collect(first)).finally(() => service.workers.start())
  expect(deferred).toMatchObject({ status: 202 })
  const ask = async (token: string) => {
    const body = { transaction_id: deferred.body.transaction_id }
    return tenant.anonymous.post('/v1/openid/deferred-credential', body, { authorization: `Bearer ${token}` })
  }
  for (const claims of [{ sub: 'grace' }, { client_id: 'other' }])
    expect(await ask(await own.token(card(claims)))).toMatchObject({
      status: 400,
      body: { error: 'invalid_transaction_id' },
    })
  const later = await own.token(card())
  const collected = await eventually(async () => {
    const answer = await ask(later)
    return answer.status !== 202 && answer
  })
  expect(collected).toMatchObject({ status: 200, body: { credentials: [{}] } })
})

test('a wallet reports what happened to a credential with its token', async () => {
  await addServer(tenant, server)
  const token = await server.token(card())
  const { body } = await collect(token)
  const notify = (accessToken: string) =>
    tenant.anonymous.post(
      '/v1/openid/notification',
      { notification_id: body.notification_id, event: 'credential_accepted' },
      { authorization: `Bearer ${accessToken}` },
    )
  expect(await notify(await server.token(card({ sub: 'grace' })))).toMatchObject({ status: 400 })
  expect(await notify(token)).toMatchObject({ status: 204 })
})

describe('a token of Keycloak', () => {
  const keycloak = (claims: Record<string, unknown> = {}) => ({
    ...{ ...keycloakClaims, aud: [tenant.baseUrl, 'account'], scope: 'openid student_card profile' },
    ...claims,
  })

  test('is accepted with the JWT profile keycloak', async () => {
    await addServer(tenant, server, { jwtProfile: 'keycloak' })
    expect(await collect(await server.token(keycloak(), { typ: 'JWT' }))).toMatchObject({ status: 200 })
    const [{ id }] = (await tenant.operator.get(serversPath)).body.data
    const settings = { name: 'City', issuer: server.issuer, audience: tenant.baseUrl }
    await tenant.operator.put(`${serversPath}/${id}`, settings)
    expect(await collect(await server.token(keycloak(), { typ: 'JWT' }))).toMatchObject({ status: 401 })
  })

  test.each(['ID', 'Refresh', undefined])('of the type %s is refused', async (typ) => {
    await addServer(tenant, server, { jwtProfile: 'keycloak' })
    expect(await collect(await server.token(keycloak({ typ }), { typ: 'JWT' }))).toMatchObject({ status: 401 })
  })

  test('that is bound to a key collects with DPoP', async () => {
    await addServer(tenant, server, { jwtProfile: 'keycloak' })
    const key = await newDpopKey()
    const token = await server.token(keycloak({ typ: 'DPoP', cnf: { jkt: await jktOf(key) } }), { typ: 'JWT' })
    const proof = await dpopProof({ key, url: `${tenant.baseUrl}/v1/openid/credential`, accessToken: token })
    const headers = { authorization: `DPoP ${token}`, dpop: proof }
    expect(await collect(token, { headers })).toMatchObject({ status: 200 })
  })
})

describe('a refused token', () => {
  const foreign = newHolderKey()
  const minutes = (count: number) => Math.floor(service.clock.now().getTime() / 1000) + count * 60

  /** The claims and the header of each token, with the check that refuses it. */
  const tokens: Record<string, [check: string, claims: () => object | Promise<object>, header?: () => object]> = {
    'for another audience': ['token_audience', () => ({ aud: 'https://other.example' })],
    'without an audience': ['token_form', () => ({ aud: undefined })],
    'of an unknown issuer': ['access_token', () => ({ iss: 'https://other.example' })],
    'without an issuer': ['access_token', () => ({ iss: undefined })],
    'that has expired': ['token_times', () => ({ exp: minutes(-2) })],
    'that is not valid yet': ['token_times', () => ({ nbf: minutes(2) })],
    'from the future': ['token_times', () => ({ iat: minutes(2), exp: minutes(9) })],
    'without an end': ['token_form', () => ({ exp: undefined })],
    'with an end that is a text': ['token_form', () => ({ exp: 'soon' })],
    'without a subject': ['token_subject', () => ({ sub: undefined })],
    'with a subject that is no text': ['token_subject', () => ({ sub: 7 })],
    'without a client': ['token_form', () => ({ client_id: undefined })],
    'without a jti': ['token_form', () => ({ jti: undefined })],
    'of the type of ID tokens': ['token_form', () => ({}), () => ({ typ: 'JWT' })],
    'without a type': ['token_form', () => ({}), () => ({ typ: undefined })],
    'with an unknown key': ['token_signature', () => ({}), () => ({ kid: 'other' })],
    'that is bound to a certificate': ['access_token_key', () => ({ cnf: { 'x5t#S256': 'a' } })],
    'that is bound to a key and sent as a bearer token': [
      'access_token_key',
      async () => ({ cnf: { jkt: await jktOf(await foreign) } }),
    ],
  }

  test.each(Object.entries(tokens))('%s has invalid_token, and its event names the check', async (_, row) => {
    const [check, claims, header = () => ({})] = row
    await addServer(tenant, server)
    const token = await server.token(card({ ...(await claims()) }), header())
    const answer = await collect(token)
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
    expect(JSON.stringify(answer.body)).not.toContain(server.issuer)
    expect(await usersOf()).toEqual([])
    expect(await checkOf(answer.headers['x-request-id'])).toBe(check)
  })

  test('with a changed signature or payload, or of no algorithm, is not verified', async () => {
    await addServer(tenant, server)
    const [header = '', payload = '', signature = ''] = (await server.token(card())).split('.')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = [
      `${header}.${encode({ ...claims, sub: 'grace' })}.${signature}`,
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.${signature}`,
      `${encode({ alg: 'HS256', typ: 'at+jwt', kid: 'key-1' })}.${payload}.${signature}`,
    ]
    for (const token of forged) expect(await collect(token), token).toMatchObject({ status: 401 })
    expect(await usersOf()).toEqual([])
  })

  test('without a scope of a configuration has insufficient_scope', async () => {
    await addServer(tenant, server)
    const answer = await collect(await server.token({ scope: 'openid profile' }))
    expect(answer).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } })
    expect(answer.headers['www-authenticate']).toContain('error="insufficient_scope"')
    expect(await checkOf(answer.headers['x-request-id'])).toBe('token_scope')
  })

  async function checkOf(requestId: unknown): Promise<string> {
    return eventually(async () => {
      const { body } = await tenant.operator.get(`/v1/events?requestIds=${requestId}`)
      const failed = body.data.find(({ type }: { type: string }) => type === 'OPENID_CREDENTIAL_FAIL')
      return failed?.data.error.check
    })
  }
})

describe('with DPoP', () => {
  test('a proof is used once, for the token, the address and the key of the token', async () => {
    await addServer(tenant, server)
    const [key, otherKey] = [await newDpopKey(), await newDpopKey()]
    const token = await server.token(card({ cnf: { jkt: await jktOf(key) } }))
    const url = `${tenant.baseUrl}/v1/openid/credential`
    const send = (dpop: string) => collect(token, { headers: { authorization: `DPoP ${token}`, dpop } })
    const wrong = [
      await dpopProof({ key, url, accessToken: 'other' }),
      await dpopProof({ key, url: `${url}/other`, accessToken: token }),
      await dpopProof({ key, url, accessToken: token, payload: { ath: undefined } }),
    ]
    for (const dpop of wrong)
      expect(await send(dpop)).toMatchObject({ status: 401, body: { error: 'invalid_dpop_proof' } })
    const ofOther = await dpopProof({ key: otherKey, url, accessToken: token })
    expect(await send(ofOther)).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
    expect(await usersOf()).toEqual([])
    const proof = await dpopProof({ key, url, accessToken: token })
    expect(await send(proof)).toMatchObject({ status: 200 })
    expect(await send(proof)).toMatchObject({ status: 401, body: { error: 'invalid_dpop_proof' } })
  })

  test('the profile haip refuses a bearer token of another server', async () => {
    tenant = await service.addTenant({ profile: 'haip' })
    await using own = await startTokenServer(tenant.baseUrl)
    configurationId = await compactConfiguration(tenant, { scope: 'student_card', claimMappings })
    await addServer(tenant, own)
    const answer = await collect(await own.token(card()))
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
    expect(await usersOf()).toEqual([])
  })
})
