import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { from, newAddress, signIn } from '../harness/limited.ts'
import { newWallet } from '../wallets/wallet.ts'

const anonymous = 10
const wrongSecrets = 5

let service: Service
beforeAll(async () => {
  service = await startService({
    env: {
      TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
      LIMIT_ANONYMOUS_PER_MINUTE: String(anonymous),
      LIMIT_FAILED_SECRETS_PER_MINUTE: String(wrongSecrets),
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

const nonce = ({ anonymous: api }: TestTenant, address: string) =>
  api.post('/v1/openid/nonce', undefined, from(address))
const tooMany = {
  status: 429,
  headers: { 'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) },
  body: { code: 'TooManyRequests', message: 'Too Many Requests' },
}
/** A tenant without the limit of anonymous requests, which these tests would reach. */
const unlimited = () => service.addTenant({ limits: { anonymousPerMinute: 0 } })

test('an address has a limit of requests without a token per minute and tenant', async () => {
  const address = newAddress()
  for (let n = 0; n < anonymous; n++) expect(await nonce(service, address)).toMatchObject({ status: 200 })
  expect(await nonce(service, address)).toMatchObject(tooMany)
  // The limit applies to every operation with one body, including OAuth operations. Browsers receive a page.
  expect(await service.anonymous.post('/v1/oauth/token', new URLSearchParams(), from(address))).toMatchObject(tooMany)
  expect(await service.anonymous.get('/v1/users', from(address))).toMatchObject(tooMany)
  expect(await service.anonymous.get('/v1/oauth/authorize', from(address))).toMatchObject({
    status: 429,
    headers: { ...tooMany.headers, 'content-type': expect.stringContaining('text/html') },
    body: expect.stringContaining('Too many requests at once'),
  })
  // Other addresses, other tenants, tokens and health checks are not affected.
  expect(await nonce(service, newAddress())).toMatchObject({ status: 200 })
  expect(await nonce(await service.addTenant(), address)).toMatchObject({ status: 200 })
  expect(await service.operator.get('/v1/users', from(address))).toMatchObject({ status: 200 })
  expect(await service.anonymous.get('/health/live', from(address))).toMatchObject({ status: 200 })
})

test('the client address is the last one before the trusted proxies, and the first 64 bits of IPv6', async () => {
  const same: [first: string, second: string][] = [
    ['192.0.2.201', '203.0.113.9, 192.0.2.201'], // the client can claim any address
    ['192.0.2.202', '192.0.2.202, 10.1.2.3'],
    ['192.0.2.203', '192.0.2.203:4711, 10.1.2.3, 10.3.2.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
    ['192.0.2.204', '::ffff:192.0.2.204'],
    ['2001:db8:1:3::1', '[2001:db8:1:3::1]:80'],
    ['10.9.9.9', 'nonsense, 10.9.9.9'],
  ]
  for (const [first, second] of same) {
    for (let n = 0; n < anonymous; n++) await nonce(service, first)
    expect(await nonce(service, second), second).toMatchObject(tooMany)
  }
  expect(await nonce(service, '2001:db8:1:4::1')).toMatchObject({ status: 200 })
})

test('X-Forwarded-For is ignored without trusted proxies', async () => {
  await using alone = await startService({ env: { LIMIT_ANONYMOUS_PER_MINUTE: String(anonymous) } })
  for (let n = 0; n < anonymous; n++) await nonce(alone, newAddress())
  expect(await nonce(alone, newAddress())).toMatchObject(tooMany)
})

test('outside production requests are not limited by default', async () => {
  await using open = await startService()
  const answers = await Promise.all(Array.from({ length: 200 }, () => nonce(open, '')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

test('after too many wrong secrets from an address, only wrong ones are refused', async () => {
  const tenant = await unlimited()
  const address = newAddress()
  for (let n = 0; n < wrongSecrets; n++) expect(await signIn(tenant, 'wrong', address)).toMatchObject({ status: 401 })
  expect(await signIn(tenant, 'wrong', address)).toMatchObject(tooMany)
  expect(await tenant.anonymous.get('/v1/users', { ...from(address), ...asWallet('a.b.c') })).toMatchObject(tooMany)
  expect(await signIn(tenant, tenant.clientSecret, address)).toMatchObject({ status: 200 })
  expect(await tenant.operator.get('/v1/users', from(address))).toMatchObject({ status: 200 })
  expect(await signIn(tenant, 'wrong', newAddress())).toMatchObject({ status: 401 })
  expect(await signIn(service, 'wrong', address)).toMatchObject({ status: 401 })
})

const asWallet = (token: string) => ({ authorization: `Bearer ${token}` })
const redeem = ({ anonymous: api }: TestTenant, form: Record<string, string>, address: string) =>
  api.post('/v1/oauth/token', new URLSearchParams(form), from(address))

test.each<[what: string, send: (tenant: TestTenant, address: string) => Promise<{ status: number }>]>([
  [
    'access tokens of wallets',
    ({ anonymous: api }, at) => api.post('/v1/openid/credential', {}, { ...from(at), ...asWallet('no.token') }),
  ],
  [
    'management tokens',
    ({ anonymous: api }, at) => api.get('/v1/users', { ...from(at), ...asWallet('eyJhbGciOiJFZERTQSJ9.e30.AA') }),
  ],
  [
    'authorizations of other kinds',
    ({ anonymous: api }, at) => api.get('/v1/users', { ...from(at), authorization: 'Basic eDp5' }),
  ],
  [
    'pre-authorized codes',
    (tenant, at) =>
      redeem(
        tenant,
        { grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code', 'pre-authorized_code': 'no.code' },
        at,
      ),
  ],
  ['refresh tokens', (tenant, at) => redeem(tenant, { grant_type: 'refresh_token', refresh_token: 'no.token' }, at)],
  [
    'authorization codes',
    (tenant, at) =>
      redeem(
        tenant,
        {
          grant_type: 'authorization_code',
          code: 'no.code',
          client_id: 'some',
          redirect_uri: 'https://a.example/',
          code_verifier: 'v'.repeat(43),
        },
        at,
      ),
  ],
])('wrong %s count as wrong secrets', async (_what, send) => {
  const tenant = await unlimited()
  const address = newAddress()
  for (let n = 0; n < wrongSecrets; n++) expect([400, 401]).toContain((await send(tenant, address)).status)
  await eventually(async () => (await send(tenant, address)).status === 429)
})

test('too many wrong transaction codes from an address block further codes, but wrong secrets do not', async () => {
  const tenant = await unlimited()
  const configuration = await compactConfiguration(tenant)
  const newCode = async () => {
    const { uri, transactionCode } = await newOffer(tenant, [configuration], {
      transactionCodeConfiguration: { inputMode: 'numeric' },
    })
    return { code: codeOf(uri), transactionCode: String(transactionCode) }
  }
  const guess = (code: string, txCode: string, address: string) =>
    redeem(tenant, { grant_type: preAuthorized, 'pre-authorized_code': code, tx_code: txCode }, address)
  const codes = await Promise.all(Array.from({ length: 4 }, newCode))
  const [first, second, third, last] = codes.map(({ code }) => code) as [string, string, string, string]

  const shared = newAddress()
  for (let n = 0; n <= wrongSecrets; n++)
    await redeem(tenant, { grant_type: preAuthorized, 'pre-authorized_code': 'no.code' }, shared)
  expect(await guess(third, codes[2]!.transactionCode, shared)).toMatchObject({ status: 200 })

  const guessing = newAddress()
  for (const code of [first, first, first, second, second])
    expect(await guess(code, 'abcdef', guessing)).toMatchObject({ status: 400 })
  expect(await guess(second, 'abcdef', guessing)).toMatchObject(tooMany)
  // The second offer has no attempts left. Blocked requests use no attempts, and a right code gets the same answer.
  for (let n = 0; n < 5; n++) expect(await guess(last, 'abcdef', guessing)).toMatchObject(tooMany)
  expect(await guess(last, codes[3]!.transactionCode, guessing)).toMatchObject(tooMany)
  expect(await guess(last, codes[3]!.transactionCode, newAddress())).toMatchObject({ status: 200 })
  // The address can still use codes without a transaction code, and tokens.
  const { uri } = await newOffer(tenant, [configuration])
  const form = { grant_type: preAuthorized, 'pre-authorized_code': codeOf(uri) }
  expect(await redeem(tenant, form, guessing)).toMatchObject({ status: 200 })
  expect(await tenant.operator.get('/v1/users', from(guessing))).toMatchObject({ status: 200 })
})

test('a used code and a request without a token do not count as wrong secrets', async () => {
  const tenant = await unlimited()
  const configuration = await compactConfiguration(tenant)
  const late = newAddress()
  const { uri } = await newOffer(tenant, [configuration])
  const wallet = await newWallet(tenant, service.origin, uri)
  expect(await wallet.redeem()).toMatchObject({ status: 200 })
  expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
  const again = { grant_type: preAuthorized, 'pre-authorized_code': codeOf(uri) }
  for (let n = 0; n < 2 * wrongSecrets; n++) expect(await redeem(tenant, again, late)).toMatchObject({ status: 400 })
  for (let n = 0; n < 2 * wrongSecrets; n++) {
    expect(await tenant.anonymous.get('/v1/users', from(late))).toMatchObject({ status: 401 })
  }
})

const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'
function codeOf(uri: string): string {
  const offer = JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? '{}')
  return offer.grants[preAuthorized]['pre-authorized_code']
}

test('the platform limits writes and issuances of a tenant', async () => {
  const tenant = await unlimited()
  const configuration = await compactConfiguration(tenant)
  const offers = [await newOffer(tenant, [configuration]), await newOffer(tenant, [configuration])]
  const limits = { anonymousPerMinute: 0, issuancesPerMinute: 1, managementWritesPerMinute: 3 }
  await service.platform.put(`/v1/tenants/${tenant.id}`, { limits })
  const [first, second] = await Promise.all(offers.map(({ uri }) => newWallet(tenant, service.origin, uri)))
  expect(await first?.redeem()).toMatchObject({ status: 200 })
  expect(await second?.redeem()).toMatchObject({ status: 200 })
  expect(await first?.requestCredential()).toMatchObject({ status: 200 })
  expect(await second?.requestCredential()).toMatchObject(tooMany)

  const user = { claims: { given_name: 'Ada' } }
  for (let n = 0; n < 3; n++) expect(await tenant.operator.post('/v1/users', user)).toMatchObject({ status: 201 })
  const message = expect.stringMatching(/^The tenant can make at most 3 changes per minute .*managementWritesPerMinute/)
  const refused = { ...tooMany, body: { code: 'TooManyRequests', message } }
  expect(await tenant.operator.post('/v1/users', user)).toMatchObject(refused)
  expect(await tenant.operator.post('/v1/users', user)).toMatchObject(refused)
  expect(await tenant.operator.get('/v1/users')).toMatchObject({ status: 200 })
  expect(await service.operator.post('/v1/users', user)).toMatchObject({ status: 201 })

  // A higher limit applies to the next request, also within the minute.
  const higher = { ...limits, issuancesPerMinute: 10, managementWritesPerMinute: 100 }
  await service.platform.put(`/v1/tenants/${tenant.id}`, { limits: higher })
  expect(await tenant.operator.post('/v1/users', user)).toMatchObject({ status: 201 })
  expect(await second?.requestCredential()).toMatchObject({ status: 200 })
})

test('anonymous requests do not use up the write limit of a tenant', async () => {
  const tenant = await service.addTenant({ limits: { anonymousPerMinute: 0, managementWritesPerMinute: 2 } })
  for (let n = 0; n < 5; n++) await tenant.anonymous.post('/v1/users', {}, from(newAddress()))
  expect(await tenant.operator.post('/v1/users', { claims: {} })).toMatchObject({ status: 201 })
})

test('many refused requests leave a few events with counts', async () => {
  const tenant = await service.addTenant({ limits: { anonymousPerMinute: 150 } })
  const address = newAddress()
  const flood = 200
  for (let n = 0; n < flood; n++) await tenant.anonymous.get('/v1/users', from(address))
  service.clock.advance(60_000)
  await tenant.anonymous.get('/v1/users', from(newAddress()))
  const path = '/v1/events?limit=1000&types=USER_RETRIEVE_LIST_START,USER_RETRIEVE_LIST_FAIL'
  const counts = await eventually(async () => {
    const events: { type: string; data: { error?: { type: string }; count?: number } }[] = (
      await tenant.operator.get(path)
    ).body.data
    const numberOf = (type: string) =>
      events.filter(({ data }) => data.error?.type === type).reduce((sum, { data }) => sum + (data.count ?? 1), 0)
    return numberOf('Unauthorized') + numberOf('TooManyRequests') === flood + 1 && { events, numberOf }
  })
  // 20 events of each kind, or twice that if a minute ended in between.
  expect(counts.events.length).toBeLessThan(150)
  expect(counts.numberOf('TooManyRequests')).toBeGreaterThanOrEqual(flood - 2 * 150 > 0 ? 1 : 0)
  expect(Math.max(...counts.events.map(({ data }) => data.count ?? 0))).toBeGreaterThan(1)
})

test('a metric counts reached limits by their name', async () => {
  const { register } = await import('prom-client')
  const text = await register.metrics()
  for (const limit of [
    'anonymousPerMinute',
    'failedSecretsPerMinute',
    'managementWritesPerMinute',
    'issuancesPerMinute',
  ])
    expect(text).toMatch(new RegExp(`^trustwright_limits_hit_total\\{limit="${limit}"\\} [1-9]`, 'm'))
})
