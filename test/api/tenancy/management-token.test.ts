import { createHmac } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { createLocalJWKSet, decodeProtectedHeader, type JWTVerifyResult, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { type ApiResponse, createApi } from '../../harness/api-client.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
let other: TestTenant
beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const dayMs = 86_400_000
const grant_type = 'client_credentials'
const credentialsOf = ({ clientId, clientSecret }: TestTenant) => ({
  client_id: clientId,
  client_secret: clientSecret,
  grant_type,
})
const requestToken = (body: unknown, tenant: TestTenant = service) => tenant.anonymous.post('/oauth/token', body)
const tokenOf = async (tenant: TestTenant = service): Promise<string> =>
  (await requestToken(credentialsOf(tenant), tenant)).body.access_token
const use = (token: string, tenant: TestTenant = service) =>
  createApi(service.origin, tenant.host, token).get(`/v1/tenants/${tenant.id}/clients`)
/** RFC 6750, section 3. */
const wrongToken = /^Bearer error="invalid_token", error_description="[^"\\]{10,}"$/
const expectUnauthorized = (answer: ApiResponse, challenge = wrongToken) =>
  expect(answer).toMatchObject({
    status: 401,
    body: 'Unauthorized',
    headers: { 'www-authenticate': expect.stringMatching(challenge) },
  })

describe('a management token', () => {
  test('is issued for JSON or a form, with or without an audience', async () => {
    const request = credentialsOf(service)
    const bodies = [
      request,
      new URLSearchParams(request),
      { ...request, audience: service.baseUrl },
      new URLSearchParams({ ...request, audience: service.baseUrl }),
      { ...request, scope: 'ignored', audience: `${service.baseUrl}/` },
    ]
    for (const body of bodies) {
      const answer = await requestToken(body)
      expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
      expect(answer.body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 86_400 })
      expect(await use(answer.body.access_token)).toMatchObject({ status: 200 })
    }
  })

  test('is a JWT that the published keys verify, with issuer, subject and roles', async () => {
    const jwks = createLocalJWKSet((await service.anonymous.get('/v1/openid/jwks')).body)
    const verified: JWTVerifyResult = await jwtVerify(await tokenOf(), jwks, {
      typ: 'at+jwt',
      audience: service.baseUrl,
    })
    const { payload, protectedHeader } = verified
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: expect.any(String) })
    expect(payload).toMatchObject({ iss: service.baseUrl, sub: service.clientId, roles: ['admin'] })
    expect(payload.exp! - payload.iat!).toBe(86_400)
  })

  test('is invalid as soon as its key is deleted, even if it was used before', async () => {
    const tenant = await service.addTenant()
    const token = await tokenOf(tenant)
    expect(await use(token, tenant)).toMatchObject({ status: 200 })
    await service.deps.db.tx((tx) =>
      tx.delete(keys).where(and(eq(keys.tenantId, tenant.id), eq(keys.purpose, 'token'))),
    )
    expectUnauthorized(await use(token, tenant))
  })

  test('is valid for a day', async () => {
    const token = await tokenOf()
    service.clock.advance(dayMs - 5000)
    expect(await use(token)).toMatchObject({ status: 200 })
    service.clock.advance(6000)
    expectUnauthorized(await use(token), /expired/)
    expectUnauthorized(await use(token), /expired/)
    service.clock.advance(-dayMs - 1000)
  })

  test('of a deleted client is invalid at once', async () => {
    const clients = `/v1/tenants/${service.id}/clients`
    const { body } = await service.operator.post(clients, { name: 'Short', roles: ['admin'] })
    const request = { client_id: body.clientId, client_secret: body.clientSecret, grant_type }
    const token = (await requestToken(request)).body.access_token
    expect(await use(token)).toMatchObject({ status: 200 })
    await service.operator.delete(`${clients}/${body.clientId}`)
    expectUnauthorized(await use(token))
    expect(await requestToken(request)).toMatchObject({ status: 401 })
  })

  test('is valid only at its own tenant', async () => {
    expectUnauthorized(await use(await tokenOf(other)))
    expectUnauthorized(await use(await tokenOf(), other))
  })

  test('of a tenant is not valid for the platform', async () => {
    const platform = createApi(service.origin, service.deps.config.platformHost, await tokenOf())
    expectUnauthorized(await platform.get('/v1/tenants'))
  })
})

describe('the token endpoint refuses a request with the same message if', () => {
  const refused = {
    error: 'access_denied',
    error_description: expect.stringMatching(/invalid_client.*client_secret.*host/),
  }
  const rows: Record<string, () => Record<string, string>> = {
    'the secret is wrong': () => ({ client_secret: 'wrong' }),
    'the secret is empty': () => ({ client_secret: '' }),
    'the client is unknown': () => ({ client_id: '0b6a3a6c-5c1f-4d24-9d0a-1f0f6f1f2a3b' }),
    'the client id is malformed': () => ({ client_id: "' OR 1=1 --" }),
    'the client is of another tenant': () => ({ client_id: other.clientId, client_secret: other.clientSecret }),
    'the secret is of another client': () => ({ client_secret: other.clientSecret }),
  }
  for (const [name, change] of Object.entries(rows)) {
    test(name, async () => {
      const request = { ...credentialsOf(service), ...change() }
      for (const body of [request, new URLSearchParams(request)]) {
        const answer = await requestToken(body)
        expect(answer).toMatchObject({ status: 401, headers: { 'cache-control': 'no-store' } })
        expect(answer.body).toEqual(refused)
      }
    })
  }

  test('the audience is another one, which only a caller with the right secret learns', async () => {
    const error_description = `The audience must be ${service.baseUrl} or omitted`
    for (const audience of [other.baseUrl, '']) {
      const answer = await requestToken({ ...credentialsOf(service), audience })
      expect(answer).toMatchObject({ status: 401, body: { error: 'access_denied', error_description } })
    }
    const wrong = { ...credentialsOf(service), client_secret: 'wrong', audience: other.baseUrl }
    expect((await requestToken(wrong)).body).toEqual(refused)
  })

  test('the grant type is another one: unsupported_grant_type', async () => {
    expect(await requestToken({ ...credentialsOf(service), grant_type: 'password' })).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type', error_description: 'The grant_type must be client_credentials' },
    })
  })

  test('a parameter is missing, repeated or malformed: invalid_request', async () => {
    const request = credentialsOf(service)
    const { client_secret, ...incomplete } = request
    const bodies = [
      incomplete,
      {},
      '{',
      '[]',
      { ...request, client_id: 7 },
      { ...request, client_id: 'a\u0000b' },
      new URLSearchParams([...Object.entries(request), ['client_id', 'x']]),
    ]
    for (const body of bodies)
      expect(await requestToken(body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const xml = await service.anonymous.post('/oauth/token', '<x/>', { 'content-type': 'text/xml' })
    expect(xml).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })
})

describe('Basic authentication at the token endpoint (RFC 6749, section 2.3.1)', () => {
  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const requestTokenWith = (authorization: string, body: Record<string, string> = {}) =>
    service.anonymous.post('/oauth/token', new URLSearchParams({ grant_type, ...body }), { authorization })

  test('issues a token, with the id and the secret form-encoded or not', async () => {
    const escaped = (text: string) => text.replace(/./g, (each) => `%${each.charCodeAt(0).toString(16)}`)
    const { clientId, clientSecret } = service
    for (const authorization of [basic(clientId, clientSecret), basic(escaped(clientId), escaped(clientSecret))]) {
      const answer = await requestTokenWith(authorization)
      expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
      expect(await use(answer.body.access_token)).toMatchObject({ status: 200 })
    }
    expect(await requestTokenWith(basic(clientId, clientSecret), { client_id: clientId })).toMatchObject({
      status: 200,
    })
  })

  test('with wrong credentials receives a Basic challenge', async () => {
    for (const authorization of [basic(service.clientId, 'wrong'), basic('unknown', service.clientSecret)]) {
      expect(await requestTokenWith(authorization)).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': `Basic realm="${service.baseUrl}"` },
        body: {
          error: 'access_denied',
          error_description: expect.stringMatching(/invalid_client.*client_secret.*host/),
        },
      })
    }
  })

  test.each<[string, () => [string, Record<string, string>?]]>([
    ['without a colon', () => [`Basic ${Buffer.from('nothing').toString('base64')}`]],
    ['with invalid form encoding', () => [basic(service.clientId, '%zz')]],
    ['with U+0000', () => [basic('%00', 'x')]],
    ['with a secret in the body', () => [basic(service.clientId, service.clientSecret), { client_secret: 'x' }]],
    [
      'of another client than the body names',
      () => [basic(service.clientId, service.clientSecret), { client_id: 'x' }],
    ],
  ])('%s is a malformed request', async (_how, newRequest) => {
    const [authorization, body] = newRequest()
    expect(await requestTokenWith(authorization, body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  })
})

describe('the management API answers 401 without details if a token', () => {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())
  /** Returns the token with changed parts, with the old signature or with an HMAC keyed with the public key. */
  const forge =
    (header: Record<string, unknown>, claims: Record<string, unknown> = {}, key?: string) =>
    (token: string): string => {
      const [first, second, signature] = token.split('.')
      const input = `${encode({ ...decode(first), ...header })}.${encode({ ...decode(second), ...claims })}`
      return `${input}.${key === undefined ? signature : createHmac('sha256', key).update(input).digest('base64url')}`
    }
  const rows: Record<string, (token: string) => string> = {
    'is not a JWT': () => 'token',
    'lacks its signature': (token) => token.slice(0, token.lastIndexOf('.') + 1),
    'has another signature': (token) => `${token.slice(0, -10)}${'A'.repeat(10)}`,
    'has a claim changed': forge({}, { roles: ['admin'], sub: 'someone' }),
    'declares that it is not signed': (token) => forge({ alg: 'none' })(token),
    'declares that it is not signed and has no signature': (token) =>
      forge({ alg: 'none' })(token).replace(/[^.]+$/, ''),
    'is an HMAC': forge({ alg: 'HS256' }, {}, 'secret'),
    'is of another type': forge({ typ: 'JWT' }),
    'names a key that does not exist': forge({ kid: 'nothing' }),
    'has an object as key id': forge({ kid: { a: 1 } }),
    'names a key with U+0000': forge({ kid: 'a\u0000b' }),
    'has a number as key id': forge({ kid: 7 }),
    'names no key': forge({ kid: undefined }),
    'contains its own key': forge({ jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' } }),
    'has a header that is not JSON': (token) => token.replace(/^[^.]+/, 'AAAA'),
  }
  for (const [name, change] of Object.entries(rows)) {
    test(name, async () => {
      expectUnauthorized(await use(change(await tokenOf())))
    })
  }

  test('is an HMAC with the public key as the secret', async () => {
    const token = await tokenOf()
    const { kid } = decodeProtectedHeader(token)
    const { keys } = (await service.anonymous.get('/v1/openid/jwks')).body
    const key = keys.find((each: { kid: string }) => each.kid === kid)
    for (const secret of [JSON.stringify(key), key.x, Buffer.from(key.x, 'base64url').toString('latin1')]) {
      expectUnauthorized(await use(forge({ alg: 'HS256' }, {}, secret)(token)))
    }
  })

  test('has another scheme or no scheme', async () => {
    const token = await tokenOf()
    const list = (authorization: string) =>
      service.anonymous.get(`/v1/tenants/${service.id}/clients`, { authorization })
    // RFC 6750, section 3.1: a request without a token of this scheme receives no error code.
    const withoutCode = /^Bearer error_description="[^"\\]*\/oauth\/token\."$/
    for (const other of [`Basic ${token}`, `DPoP ${token}`, token]) expectUnauthorized(await list(other), withoutCode)
    for (const wrong of ['Bearer', `Bearer ${token} x`]) expectUnauthorized(await list(wrong))
    const lower = await service.anonymous.get(`/v1/tenants/${service.id}/clients`, { authorization: `bearer ${token}` })
    expect(lower).toMatchObject({ status: 200 })
  })
})
