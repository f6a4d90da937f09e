import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClientSecret } from '../../../api/issuance/sign-in-provider/client-secret.ts'
import { findAuthenticationProvider } from '../../../db/repos/issuance/sign-in-providers.ts'
import { findUser } from '../../../db/repos/issuance/users/users.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { startProvider } from '../../servers/provider.ts'
import { startReceiver } from '../../servers/receiver.ts'

const path = '/v1/users/authentication-providers'
const minimal = {
  url: 'https://login.example.com/realm',
  clientId: 'trustwright',
  clientSecret: 'kept secret between us',
}

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('a provider is created, returned with a masked secret, replaced and deleted', async () => {
  const { operator, baseUrl } = await service.addTenant()
  const created = await operator.post(path, minimal)
  const view = {
    id: created.body.id,
    url: minimal.url,
    redirectUrl: `${baseUrl}/v1/oauth/authentication/callback`,
    scope: ['openid'],
    clientId: 'trustwright',
    clientSecret: '********en us',
    tokenEndpointAuthMethod: 'client_secret_basic',
    assertionAudience: 'issuer',
    staticRequestParameters: {},
    forwardedRequestParameters: [],
    claimsToPersist: [],
  }
  expect(created.status).toBe(201)
  // The provider does not exist: the response has a warning, and the provider is stored.
  const warnings = [expect.stringMatching(/^People cannot sign in yet: OpenID Connect Discovery at url failed \(/)]
  expect(created.body).toStrictEqual({ ...view, warnings })
  expect((await operator.get(`${path}/${view.id}`)).body).toStrictEqual(view)
  expect((await operator.get(path)).body).toStrictEqual({ data: [view] })

  const content = {
    url: 'https://other.example.com',
    scope: ['profile', 'openid', 'email'],
    clientId: 'another',
    tokenEndpointAuthMethod: 'client_secret_post',
    staticRequestParameters: { prompt: 'login', max_age: 60 },
    forwardedRequestParameters: ['login_hint'],
    claimsToPersist: ['given_name'],
  }
  const updated = await operator.put(`${path}/${view.id}`, { ...content, clientSecret: 'a new secret' })
  expect(updated.status).toBe(200)
  expect(updated.body).toStrictEqual({ ...view, ...content, clientSecret: '********' })

  expect(await operator.delete(`${path}/${view.id}`)).toMatchObject({ status: 204, body: undefined })
  expect(await operator.delete(`${path}/${view.id}`)).toMatchObject({ status: 404 })
  expect(await operator.get(`${path}/${view.id}`)).toMatchObject({ status: 404, body: { code: 'NotFound' } })
})

test('the response to a new provider has a warning if its discovery fails, with the reason', async () => {
  const tenant = await service.addTenant()
  await using provider = await startProvider(tenant)
  let status = 500
  await using elsewhere = await startReceiver(() => ({ status }))
  await tenant.operator.delete(`${path}/${provider.providerId}`)
  const warningsAt = async (url: string) => {
    const { status, body } = await tenant.operator.post(path, { ...minimal, url })
    expect(status).toBe(201)
    await tenant.operator.delete(`${path}/${body.id}`)
    return body.warnings
  }
  const warningOf = (why: string) => [`People cannot sign in yet: OpenID Connect Discovery at url failed (${why})`]
  expect(await warningsAt(provider.url)).toBeUndefined()
  expect(await warningsAt(elsewhere.url)).toEqual(warningOf('status 500'))
  status = 200
  expect(await warningsAt(elsewhere.url)).toEqual(warningOf('the response is not a provider configuration'))
  const sameHost = provider.url.replace('127.0.0.1', 'localhost')
  const other = 'the provider configuration has another issuer. Copy the exact value of its member issuer'
  expect(await warningsAt(sameHost)).toEqual(warningOf(other))
  expect(await warningsAt('http://127.0.0.1:1')).toEqual(warningOf('The connection failed'))
})

test('the secret is stored encrypted, and does not change if it is omitted or sent as its mask', async () => {
  const { operator, id: tenantId } = await service.addTenant()
  const { body: provider } = await operator.post(path, minimal)
  const stored = async () => (await findAuthenticationProvider(service.deps.db.read, tenantId, provider.id))!
  const { clientSecret: _, ...rest } = minimal
  expect(JSON.stringify(await stored())).not.toContain(minimal.clientSecret)
  for (const body of [rest, provider, { ...rest, clientSecret: provider.clientSecret }]) {
    expect(await operator.put(`${path}/${provider.id}`, body)).toMatchObject({ status: 200 })
    expect(openClientSecret(service.deps.secrets, await stored())).toBe(minimal.clientSecret)
  }
})

test('a change of origin requires the secret again, and no mask is stored', async () => {
  const { operator, id: tenantId } = await service.addTenant()
  const { body: provider } = await operator.post(path, minimal)
  const stored = async () => {
    const row = (await findAuthenticationProvider(service.deps.db.read, tenantId, provider.id))!
    return { url: row.url, clientSecret: openClientSecret(service.deps.secrets, row) }
  }
  const refused = { status: 400, body: { details: [{ param: 'clientSecret', location: 'body' }] } }
  const elsewhere = ['https://login.example.org/realm', 'https://login.example.com:444/realm', 'http://localhost:4000']
  for (const url of elsewhere) {
    for (const clientSecret of [undefined, provider.clientSecret, '********other']) {
      const answer = await operator.put(`${path}/${provider.id}`, { ...provider, url, clientSecret })
      expect(answer, `${url} ${clientSecret}`).toMatchObject(refused)
      expect(answer.body.details[0]).not.toHaveProperty('value')
    }
  }
  for (const clientSecret of ['********', '********other']) {
    expect(await operator.put(`${path}/${provider.id}`, { ...provider, clientSecret })).toMatchObject(refused)
  }
  expect(await stored()).toEqual({ url: minimal.url, clientSecret: minimal.clientSecret })

  const sameOrigin = { ...provider, url: 'https://login.example.com/another' }
  expect(await operator.put(`${path}/${provider.id}`, sameOrigin)).toMatchObject({ status: 200 })
  expect(await stored()).toEqual({ url: sameOrigin.url, clientSecret: minimal.clientSecret })
  const moved = { ...provider, url: 'https://login.example.org', clientSecret: 'a new secret' }
  expect(await operator.put(`${path}/${provider.id}`, moved)).toMatchObject({ status: 200 })
  expect(await stored()).toEqual({ url: moved.url, clientSecret: moved.clientSecret })

  const { operator: other } = await service.addTenant()
  expect(await other.post(path, { ...minimal, clientSecret: '********en us' })).toMatchObject(refused)
})

test('a concurrent update with the mask does not restore a replaced secret', async () => {
  const { operator, id: tenantId } = await service.addTenant()
  const { body: provider } = await operator.post(path, minimal)
  for (let round = 0; round < 20; round++) {
    const { body: shown } = await operator.get(`${path}/${provider.id}`)
    const clientSecret = `secret of round ${round}`
    await Promise.all([
      operator.put(`${path}/${provider.id}`, { ...shown, clientSecret }),
      operator.put(`${path}/${provider.id}`, { ...shown, scope: ['openid', `round-${round}`] }),
    ])
    const row = (await findAuthenticationProvider(service.deps.db.read, tenantId, provider.id))!
    expect(openClientSecret(service.deps.secrets, row)).toBe(clientSecret)
  }
})

test.each([
  ['short', '********'],
  ['nineteen-characters', '********'],
  ['of-twenty-characters', '********cters'],
])('the secret %s is returned as %s, and that mask does not change it', async (clientSecret, mask) => {
  const { operator, id: tenantId } = await service.addTenant()
  const { body } = await operator.post(path, { ...minimal, clientSecret })
  expect(body.clientSecret).toBe(mask)
  const put = (masked: string) => operator.put(`${path}/${body.id}`, { ...minimal, clientSecret: masked })
  expect(await put(mask)).toMatchObject({ status: 200, body: { clientSecret: mask } })
  // An earlier mask, or the mask of another secret, is refused and never stored.
  const other = mask === '********' ? `********${clientSecret.slice(-5)}` : '********'
  expect(await put(other)).toMatchObject({ status: 400, body: { details: [{ param: 'clientSecret' }] } })
  const row = (await findAuthenticationProvider(service.deps.db.read, tenantId, body.id))!
  expect(openClientSecret(service.deps.secrets, row)).toBe(clientSecret)
})

test('a tenant has one provider, also after concurrent requests', async () => {
  const { operator } = await service.addTenant()
  const answers = await Promise.all([1, 2, 3].map(() => operator.post(path, minimal)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect((await operator.get(path)).body.data).toHaveLength(1)
})

test('a provider with users cannot be deleted', async () => {
  const { operator } = await service.addTenant()
  const { body: provider } = await operator.post(path, minimal)
  const authenticationProvider = { providerId: provider.id, subjectId: 'ana' }
  const { body: user } = await operator.post('/v1/users', { authenticationProvider })
  expect(await operator.delete(`${path}/${provider.id}`)).toMatchObject({ status: 409, body: { code: 'Conflict' } })
  expect(await operator.get(`${path}/${provider.id}`)).toMatchObject({ status: 200 })
  await operator.delete(`/v1/users/${user.id}`)
  expect(await operator.delete(`${path}/${provider.id}`)).toMatchObject({ status: 204 })
})

test('the issuer of a provider cannot change while it has users', async () => {
  const { operator } = await service.addTenant()
  const { warnings: _, ...provider } = (await operator.post(path, minimal)).body
  const change = (changes: object) => operator.put(`${path}/${provider.id}`, { ...provider, ...changes })
  const authenticationProvider = { providerId: provider.id, subjectId: 'ana' }
  const { body: user } = await operator.post('/v1/users', { authenticationProvider })
  const issuers = [
    { url: 'https://login.example.com/another' },
    { url: 'https://login.example.com' },
    { url: 'https://login.example.org/realm', clientSecret: 'a new secret' },
  ]
  for (const changes of issuers) {
    expect(await change(changes), changes.url).toMatchObject({ status: 409, body: { code: 'Conflict' } })
  }
  expect((await operator.get(`${path}/${provider.id}`)).body).toEqual(provider)
  expect(await change({ url: `${minimal.url}/`, clientId: 'another' })).toMatchObject({ status: 200 })
  await operator.delete(`/v1/users/${user.id}`)
  for (const changes of issuers) expect(await change(changes), changes.url).toMatchObject({ status: 200 })
})

test('users that are created during a change of the issuer have the issuer of the provider', async () => {
  const { operator, id: tenantId } = await service.addTenant()
  const { body: provider } = await operator.post(path, minimal)
  for (let round = 0; round < 30; round++) {
    const url = `https://login.example.com/realm-${round}`
    const authenticationProvider = { providerId: provider.id, subjectId: `person-${round}` }
    const [{ body: user }, { status }] = await Promise.all([
      operator.post('/v1/users', { authenticationProvider }),
      operator.put(`${path}/${provider.id}`, { ...provider, url }),
    ])
    expect([200, 409]).toContain(status)
    const stored = await findUser(service.deps.db.read, tenantId, user.id)
    const { body: now } = await operator.get(`${path}/${provider.id}`)
    expect(stored).toMatchObject({ issuer: now.url, providerUrl: now.url })
    await operator.delete(`/v1/users/${user.id}`)
  }
})

test('a provider with wrong fields is refused with the name of each', async () => {
  const wrong = [
    [{ url: undefined, clientId: undefined }, ['url', 'clientId']],
    [{ clientSecret: undefined }, ['clientSecret']],
    [{ url: 'http://login.example.com' }, ['url']],
    [{ url: 'https://10.0.0.1' }, ['url']],
    [{ url: 'https://me:pw@login.example.com' }, ['url']],
    [{ url: 'https://login.example.com?x=1' }, ['url']],
    [{ url: 'https://metadata.internal' }, ['url']],
    [{ url: 'login.example.com' }, ['url']],
    [{ scope: ['profile'] }, ['scope']],
    [{ scope: [] }, ['scope']],
    [{ scope: ['openid', 'a b'] }, ['scope.1']],
    [{ tokenEndpointAuthMethod: 'none' }, ['tokenEndpointAuthMethod']],
    [{ staticRequestParameters: { state: 'x' } }, ['staticRequestParameters.state']],
    [{ staticRequestParameters: { prompt: {} } }, ['staticRequestParameters.prompt']],
    [{ forwardedRequestParameters: ['login_hint', 'redirect_uri'] }, ['forwardedRequestParameters.1']],
    [{ claimsToPersist: [1] }, ['claimsToPersist.0']],
  ] as const
  for (const [fields, params] of wrong) {
    const answer = await service.operator.post(path, { ...minimal, ...fields })
    expect(answer, JSON.stringify(fields)).toMatchObject({ status: 400, body: { message: 'Validation Error' } })
    expect(answer.body.details.map(({ param }: { param: string }) => param)).toEqual(params)
  }
})

test('http URLs are accepted for loopback in development only', async () => {
  const body = { ...minimal, url: 'http://localhost:4000' }
  const { operator } = await service.addTenant()
  expect(await operator.post(path, body)).toMatchObject({ status: 201 })
  await using strict = await startService({ env: { OUTBOUND_ALLOW_LOOPBACK: '0' } })
  expect(await strict.operator.post(path, body)).toMatchObject({ status: 400, body: { details: [{ param: 'url' }] } })
})

test('the test of a provider reports its discovery, its keys and the acceptance of the client', async () => {
  const tenant = await service.addTenant()
  await using provider = await startProvider(tenant)
  const testProvider = () => tenant.operator.post(`${path}/${provider.providerId}/test`)
  const resultsOf = async () => {
    const { body } = await testProvider()
    return {
      works: body.works,
      ...Object.fromEntries(body.checks.map((each: { check: string; result: string }) => [each.check, each.result])),
    }
  }
  expect(await resultsOf()).toMatchObject({ works: true, discovery: 'passed', keys: 'passed', client: 'passed' })
  const { id: _, redirectUrl: __, ...content } = (await tenant.operator.get(`${path}/${provider.providerId}`)).body
  await tenant.operator.put(`${path}/${provider.providerId}`, { ...content, clientSecret: 'another' })
  expect(await resultsOf()).toMatchObject({ works: false, discovery: 'passed', client: 'failed' })
  await tenant.operator.put(`${path}/${provider.providerId}`, { ...minimal, url: 'http://127.0.0.1:9' })
  expect(await testProvider()).toMatchObject({
    status: 200,
    body: { works: false, checks: [{ check: 'discovery', result: 'failed' }] },
  })
})
