import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseReturnPath } from '../../../api/console/provider-sign-in/return-path.ts'
import { providersCache } from '../../../api/relying-party/discover.ts'
import { consoleSessions } from '../../../db/tables/console/sessions.ts'
import { consoleSignIns } from '../../../db/tables/console/sign-ins.ts'
import { createApi } from '../../harness/api-client.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import type { RunningProvider } from '../../servers/provider.ts'
import {
  atProvider,
  type Begun,
  begin,
  callbackPath,
  cookieIn,
  header,
  type PersonName,
  redirectTarget,
  returnToConsole,
  runProviderFor,
  settingsFor,
  signedIn,
} from './provider-people.ts'

const settings = '/v1/sign-in-provider'
const session = '/console/session'
const unauthorized = { status: 401, body: 'Unauthorized' }

let service: Service
let other: TestTenant
let provider: RunningProvider
beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
  const platform = `http://${service.deps.config.platformHost}`
  provider = await runProviderFor(service.baseUrl, other.baseUrl, platform)
  for (const { operator } of [service, other])
    expect(await operator.put(settings, settingsFor(provider))).toMatchObject({ status: 200 })
})
afterAll(async () => {
  await provider[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const getSession = (headers: Record<string, string>, tenant: TestTenant = service) =>
  tenant.anonymous.get(session, headers)
const sessionsOf = ({ id }: TestTenant) =>
  service.deps.db.read.select().from(consoleSessions).where(eq(consoleSessions.tenantId, id))

/** Signs in and returns the target of the redirect. */
async function resultFor(person: PersonName | '', change: (begun: Begun) => Promise<unknown> = async () => undefined) {
  const begun = await begin(service)
  const callback = await atProvider(begun, person)
  await change(begun)
  const answer = await returnToConsole(service, callback, begun.cookie)
  expect(answer.status).toBe(200)
  if (redirectTarget(answer).includes('#error=')) expect(cookieIn(answer, 'console')).toBeUndefined()
  return redirectTarget(answer)
}

test('a user with a group that gives a role signs in and has the permissions of the role', async () => {
  const begun = await begin(service, { return: '/console/offers?state=open#top' })
  const { searchParams } = begun.url
  expect(searchParams.get('redirect_uri')).toBe(service.baseUrl + callbackPath)
  expect(searchParams.get('code_challenge_method')).toBe('S256')
  const answer = await returnToConsole(service, await atProvider(begun, 'ada'), begun.cookie)
  expect([answer.status, redirectTarget(answer)]).toEqual([200, '/console/offers?state=open#top'])
  expect(answer.headers['set-cookie']).toEqual([
    'console-sign-in=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    expect.stringMatching(/^console=[\w-]{36}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
  ])
  const headers = { ...header, cookie: cookieIn(answer, 'console')! }
  expect(await getSession(headers)).toMatchObject({ status: 200 })
  expect((await getSession(headers)).body).toStrictEqual({
    ...{ managementUserId: 'ada', name: 'Ada Lovelace', roles: ['issuer'], permissions: expect.any(Array) },
    ...{
      tenantId: service.id,
      tenantName: expect.any(String),
      hasTestWallet: true,
      isReadOnly: false,
      operations: expect.any(Array),
    },
    ...{ since: expect.any(String), until: expect.any(String), idleUntil: expect.any(String) },
  })
  expect(await service.anonymous.post('/v1/users', { claims: {} }, headers)).toMatchObject({ status: 201 })
  expect(await service.anonymous.get('/v1/events', headers)).toMatchObject({ status: 403 })
  expect(await service.anonymous.post('/v1/users', { claims: {} }, { cookie: headers.cookie })).toMatchObject(
    unauthorized,
  )
  expect(await getSession(headers, other)).toMatchObject(unauthorized)
  const [kept] = await sessionsOf(service)
  expect(JSON.stringify(kept)).not.toContain(headers.cookie.split('.')[1])
})

test('with https the cookies belong to the host and are Secure', async () => {
  await using secure = await startService({ roles: ['signing'], env: { PUBLIC_SCHEME: 'https' } })
  await secure.operator.put(settings, settingsFor(provider))
  const { headers } = await secure.anonymous.post('/console/session/provider', {}, header)
  const attributes = 'Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=600'
  expect(headers['set-cookie']).toMatch(new RegExp(`^__Host-console-sign-in=[\\w-]{43}; ${attributes}$`))
})

test('roles come from all values of the claim: a list, a text, a nested claim or a claim name with dots', async () => {
  expect((await getSession(await signedIn(service, 'grace'))).body).toMatchObject({ roles: ['admin', 'auditor'] })
  expect((await getSession(await signedIn(service, 'tess'))).body.roles.sort()).toEqual([
    'admin',
    'auditor',
    'dts-provider',
  ])
  for (const claim of ['realm_access.roles', 'https://example.org/roles']) {
    const tenant = other
    await tenant.operator.put(settings, settingsFor(provider, { claim }))
    const { body } = await getSession(await signedIn(tenant, 'joan'), tenant)
    expect(body).toMatchObject({ managementUserId: 'joan', name: 'joan', roles: ['issuer'] })
  }
  await other.operator.put(settings, settingsFor(provider))
})

describe('a sign-in fails', () => {
  test('without a value that gives a role', async () => {
    expect(await resultFor('eve')).toBe('/console/#error=no_role')
    expect(await resultFor('joan')).toBe('/console/#error=no_role')
  })

  test('without the claim that names the user', async () => {
    const { body: before } = await service.operator.get(settings)
    const nameless = (userClaim: string) => service.operator.put(settings, { ...before, userClaim })
    for (const userClaim of ['nickname', 'groups']) {
      await nameless(userClaim)
      expect(await resultFor('ada')).toBe('/console/#error=failed')
    }
    await nameless('email')
    await service.operator.put(settings, { ...before, userClaim: 'email', scope: ['openid', 'profile', 'email'] })
    expect((await getSession(await signedIn(service, 'grace'))).body.managementUserId).toBe('grace@example.org')
    await service.operator.put(settings, before)
  })

  test('if the user cancels at the provider', async () => {
    expect(await resultFor('')).toBe('/console/#error=cancelled')
  })

  test('if the provider returns another error', async () => {
    const begun = await begin(service)
    const refused = new URL(
      `${callbackPath}?error=server_error&error_description=<b>&state=${begun.url.searchParams.get('state')}`,
      service.baseUrl,
    )
    const answer = await returnToConsole(service, refused, begun.cookie)
    expect([redirectTarget(answer), answer.body.includes('<b>')]).toEqual(['/console/#error=failed', false])
  })

  test('in a browser that did not start it, without affecting the right browser', async () => {
    const begun = await begin(service)
    const otherBrowser = await begin(service)
    const callback = await atProvider(begun, 'ada')
    for (const cookie of ['', otherBrowser.cookie, 'console-sign-in=x'])
      expect(redirectTarget(await returnToConsole(service, callback, cookie)), cookie).toBe('/console/#error=expired')
    expect(redirectTarget(await returnToConsole(service, callback, begun.cookie))).toBe('/console/')
  })

  test('with the id of a state but the secret of another', async () => {
    const [begun, later] = [await begin(service), await begin(service)]
    const callback = await atProvider(begun, 'ada')
    const [id] = begun.url.searchParams.get('state')!.split('.')
    const [, secret] = later.url.searchParams.get('state')!.split('.')
    for (const state of [`${id}.${secret}`, id!, `${id}.`]) {
      callback.searchParams.set('state', state)
      expect(redirectTarget(await returnToConsole(service, callback, begun.cookie)), state).toBe(
        '/console/#error=expired',
      )
    }
  })

  test('at the host of another tenant', async () => {
    const begun = await begin(service)
    const callback = await atProvider(begun, 'ada')
    expect(redirectTarget(await returnToConsole(other, callback, begun.cookie))).toBe('/console/#error=expired')
  })

  test('a second time with the same state, whatever the first result was', async () => {
    for (const person of ['ada', 'eve', ''] as const) {
      const begun = await begin(service)
      const callback = await atProvider(begun, person)
      await returnToConsole(service, callback, begun.cookie)
      expect(redirectTarget(await returnToConsole(service, callback, begun.cookie))).toBe('/console/#error=expired')
    }
  })

  test('after ten minutes', async () => {
    const word = await resultFor('ada', async () => service.clock.advance(10 * 60_000))
    expect(word).toBe('/console/#error=expired')
  })

  test('with the code of another sign-in or the issuer of another provider', async () => {
    const [begun, foreign] = [await begin(service), await begin(service)]
    const [callback, theirs] = [await atProvider(begun, 'ada'), await atProvider(foreign, 'grace')]
    callback.searchParams.set('code', theirs.searchParams.get('code')!)
    expect(redirectTarget(await returnToConsole(service, callback, begun.cookie))).toBe('/console/#error=failed')
    for (const iss of ['https://evil.example', undefined]) {
      const again = await begin(service)
      const mixedUp = await atProvider(again, 'ada')
      mixedUp.searchParams.delete('iss')
      if (iss) mixedUp.searchParams.set('iss', iss)
      expect(redirectTarget(await returnToConsole(service, mixedUp, again.cookie)), iss).toBe('/console/#error=failed')
    }
  })

  test('if the settings were changed or deleted in the meantime', async () => {
    const { body: before } = await service.operator.get(settings)
    const changed = { ...before, roles: before.roles.slice(1) }
    expect(await resultFor('ada', () => service.operator.put(settings, changed))).toBe('/console/#error=changed')
    expect(await resultFor('ada', () => service.operator.delete(settings))).toBe('/console/#error=changed')
    expect(await service.anonymous.post('/console/session/provider', {}, header)).toMatchObject({ status: 404 })
    await service.operator.put(settings, settingsFor(provider))
  })

  test('with a malformed callback', async () => {
    const long = 'x'.repeat(2_001)
    for (const query of [
      '',
      '?state=',
      '?state=a.b&code=c',
      `?code=${long}&state=${long}`,
      '?state=a&state=b',
      '?iss[]=1',
    ]) {
      const answer = await service.anonymous.get(callbackPath + query, { cookie: 'console-sign-in=x' })
      expect(redirectTarget(answer), query).toMatch(/^\/console\/#error=(expired|failed)$/)
      expect(cookieIn(answer, 'console')).toBeUndefined()
    }
  })
})

test('concurrent callbacks of one sign-in create one session', async () => {
  const tenant = await service.addTenant()
  await using own = await runProviderFor(tenant.baseUrl)
  await tenant.operator.put(settings, settingsFor(own))
  const begun = await begin(tenant)
  const callback = await atProvider(begun, 'ada')
  const answers = await Promise.all(Array.from({ length: 8 }, () => returnToConsole(tenant, callback, begun.cookie)))
  const words = answers.map(redirectTarget).sort()
  expect(words).toEqual(['/console/', ...Array(7).fill('/console/#error=expired')])
  expect(await sessionsOf(tenant)).toHaveLength(1)
})

test('an unreachable provider is reported at the start and at the callback', async () => {
  const tenant = await service.addTenant()
  const own = await runProviderFor(tenant.baseUrl)
  await tenant.operator.put(settings, settingsFor(own))
  const begun = await begin(tenant)
  const callback = await atProvider(begun, 'ada')
  await own[Symbol.asyncDispose]()
  expect(redirectTarget(await returnToConsole(tenant, callback, begun.cookie))).toBe('/console/#error=unavailable')
  service.deps.caches.of(providersCache).clear()
  const answer = await tenant.anonymous.post('/console/session/provider', {}, header)
  expect(answer).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^[1-9]\d?$/) },
    body: { message: expect.stringMatching(/unreachable/) },
  })
  expect(answer.headers['set-cookie']).toBeUndefined()
})

describe('a sign-in can be started', () => {
  test('only by pages of its own host', async () => {
    const start = (headers: Record<string, string>) => service.anonymous.post('/console/session/provider', {}, headers)
    const before = await service.deps.db.read.$count(consoleSignIns)
    expect(await start({})).toMatchObject({ status: 400, body: { details: [{ param: 'X-Console' }] } })
    for (const foreign of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])
      expect(await start({ ...header, ...foreign })).toMatchObject({ status: 403 })
    expect(await service.deps.db.read.$count(consoleSignIns)).toBe(before)
  })

  test('only with a return path in the console', async () => {
    const elsewhere = [
      ...['https://evil.example/console/', '//evil.example/console/', '/', '/consoles/', '/v1/users', 'console/'],
      ...['/console/../v1/users', '/console/%2e%2e/v1', '/console/..\\v1', '\\console\\', '/con\tsole/', ' /console/'],
      ...['javascript:alert(1)', '', 'x'.repeat(1001)],
    ]
    for (const path of elsewhere) {
      const answer = await service.anonymous.post('/console/session/provider', { return: path }, header)
      expect(answer, path).toMatchObject({ status: 400, body: { details: [{ param: 'return', location: 'body' }] } })
    }
    // The encoded path cannot end the header or its address.
    expect(parseReturnPath('/console/a b"c\r\nX: y;url=//evil')).toBe('/console/a%20b%22cX:%20y;url=//evil')
  })

  test('with its own state, nonce and challenge, which are not stored as plain text', async () => {
    const [one, two] = [await begin(service), await begin(service)]
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(one.url.searchParams.get(name)).not.toBe(two.url.searchParams.get(name))
    const rows = JSON.stringify(await service.deps.db.read.select().from(consoleSignIns))
    for (const name of ['state', 'nonce']) expect(rows).not.toContain(one.url.searchParams.get(name)?.split('.').at(-1))
    expect(rows).not.toContain(one.cookie.split('=')[1])
    expect(rows).toContain(createHash('sha256').update(one.cookie.split('=')[1]!).digest('base64url'))
  })
})

test('the platform uses the provider of its settings, only at its own host', async () => {
  const platform = { anonymous: createApi(service.origin, service.deps.config.platformHost) }
  const { url: issuer, clientId, clientSecret } = provider
  const { config } = service.deps
  config.platformSignIn = {
    ...{ name: 'Staff', issuer, clientId, clientSecret, tokenEndpointAuthMethod: 'client_secret_basic' },
    assertionAudience: 'issuer',
    ...{ scope: ['openid', 'profile'], claim: 'groups', userClaim: 'sub', values: ['admins'] },
  }
  expect((await platform.anonymous.get('/console/session/provider')).body.provider).toEqual({ name: 'Staff' })
  const headers = await signedIn(platform, 'grace')
  expect((await platform.anonymous.get(session, headers)).body).toMatchObject({
    managementUserId: 'grace',
    roles: ['platform'],
  })
  expect(await platform.anonymous.get('/v1/tenants', headers)).toMatchObject({ status: 200 })
  await expect(signedIn(platform, 'ada')).rejects.toThrow('no_role')
  const tenant = await service.addTenant()
  expect((await tenant.anonymous.get('/console/session/provider')).body.provider).toBeUndefined()
  expect(await getSession(headers)).toMatchObject(unauthorized)
  config.platformSignIn = { ...config.platformSignIn, values: ['others'] }
  expect(await platform.anonymous.get(session, headers)).toMatchObject(unauthorized)
  config.platformSignIn = undefined
})
