import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseReturnPath } from '../../../api/console/provider-sign-in/return-path.ts'
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
  comeBack,
  cookieIn,
  goesOnTo,
  header,
  type PersonName,
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

const look = (headers: Record<string, string>, tenant: TestTenant = service) => tenant.anonymous.get(session, headers)
const sessionsOf = ({ id }: TestTenant) =>
  service.deps.db.read.select().from(consoleSessions).where(eq(consoleSessions.tenantId, id))

/** What becomes of somebody who signs in, in a word of the console's. */
async function wordFor(person: PersonName | '', change: (begun: Begun) => Promise<unknown> = async () => undefined) {
  const begun = await begin(service)
  const callback = await atProvider(begun, person)
  await change(begun)
  const answer = await comeBack(service, callback, begun.cookie)
  expect(answer.status).toBe(200)
  if (goesOnTo(answer).includes('#error=')) expect(cookieIn(answer, 'console')).toBeUndefined()
  return goesOnTo(answer)
}

test('a person with a group that gives a role signs in, and may do what the role may', async () => {
  const begun = await begin(service, { return: '/console/offers?state=open#top' })
  const { searchParams } = begun.url
  expect(searchParams.get('redirect_uri')).toBe(service.baseUrl + callbackPath)
  expect(searchParams.get('code_challenge_method')).toBe('S256')
  const answer = await comeBack(service, await atProvider(begun, 'ada'), begun.cookie)
  expect([answer.status, goesOnTo(answer)]).toEqual([200, '/console/offers?state=open#top'])
  expect(answer.headers['set-cookie']).toEqual([
    'console-sign-in=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    expect.stringMatching(/^console=[\w-]{36}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
  ])
  const headers = { ...header, cookie: cookieIn(answer, 'console')! }
  expect(await look(headers)).toMatchObject({ status: 200 })
  expect((await look(headers)).body).toStrictEqual({
    ...{ managementUserId: 'ada', name: 'Ada Lovelace', roles: ['issuer'], permissions: expect.any(Array) },
    ...{ tenantId: service.id, tenantName: expect.any(String) },
    ...{ since: expect.any(String), until: expect.any(String), idleUntil: expect.any(String) },
  })
  expect(await service.anonymous.post('/v1/users', { claims: {} }, headers)).toMatchObject({ status: 201 })
  expect(await service.anonymous.get('/v1/events', headers)).toMatchObject({ status: 403 })
  expect(await service.anonymous.post('/v1/users', { claims: {} }, { cookie: headers.cookie })).toMatchObject(
    unauthorized,
  )
  expect(await look(headers, other)).toMatchObject(unauthorized)
  const [kept] = await sessionsOf(service)
  expect(JSON.stringify(kept)).not.toContain(headers.cookie.split('.')[1])
})

test('where the service is reached by https, cookies are of that host alone and go over https alone', async () => {
  await using secure = await startService({ roles: ['signing'], env: { PUBLIC_SCHEME: 'https' } })
  await secure.operator.put(settings, settingsFor(provider))
  const { headers } = await secure.anonymous.post('/console/session/provider', {}, header)
  const attributes = 'Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=600'
  expect(headers['set-cookie']).toMatch(new RegExp(`^__Host-console-sign-in=[\\w-]{43}; ${attributes}$`))
})

test('roles are those of all values, in a text, at the end of a path, or behind a name with dots', async () => {
  expect((await look(await signedIn(service, 'grace'))).body).toMatchObject({ roles: ['admin', 'auditor'] })
  expect((await look(await signedIn(service, 'tess'))).body.roles.sort()).toEqual(['admin', 'auditor', 'dts-provider'])
  for (const claim of ['realm_access.roles', 'https://example.org/roles']) {
    const tenant = other
    await tenant.operator.put(settings, settingsFor(provider, { claim }))
    const { body } = await look(await signedIn(tenant, 'joan'), tenant)
    expect(body).toMatchObject({ managementUserId: 'joan', name: 'joan', roles: ['issuer'] })
  }
  await other.operator.put(settings, settingsFor(provider))
})

describe('nobody is signed in', () => {
  test('who has no value that gives a role', async () => {
    expect(await wordFor('eve')).toBe('/console/#error=no_role')
    expect(await wordFor('joan')).toBe('/console/#error=no_role')
  })

  test('who has no claim by which to be named', async () => {
    const { body: before } = await service.operator.get(settings)
    const nameless = (userClaim: string) => service.operator.put(settings, { ...before, userClaim })
    for (const userClaim of ['nickname', 'groups']) {
      await nameless(userClaim)
      expect(await wordFor('ada')).toBe('/console/#error=failed')
    }
    await nameless('email')
    await service.operator.put(settings, { ...before, userClaim: 'email', scope: ['openid', 'profile', 'email'] })
    expect((await look(await signedIn(service, 'grace'))).body.managementUserId).toBe('grace@example.org')
    await service.operator.put(settings, before)
  })

  test('who cancels at the provider', async () => {
    expect(await wordFor('')).toBe('/console/#error=cancelled')
  })

  test('whom the provider refuses for another reason', async () => {
    const begun = await begin(service)
    const refused = new URL(
      `${callbackPath}?error=server_error&error_description=<b>&state=${begun.url.searchParams.get('state')}`,
      service.baseUrl,
    )
    const answer = await comeBack(service, refused, begun.cookie)
    expect([goesOnTo(answer), answer.body.includes('<b>')]).toEqual(['/console/#error=failed', false])
  })

  test('in a browser that has not begun, which does not keep the other from going on', async () => {
    const begun = await begin(service)
    const stranger = await begin(service)
    const callback = await atProvider(begun, 'ada')
    for (const cookie of ['', stranger.cookie, 'console-sign-in=x'])
      expect(goesOnTo(await comeBack(service, callback, cookie)), cookie).toBe('/console/#error=expired')
    expect(goesOnTo(await comeBack(service, callback, begun.cookie))).toBe('/console/')
  })

  test('with a state that is not the one that was sent, though its id is', async () => {
    const [begun, later] = [await begin(service), await begin(service)]
    const callback = await atProvider(begun, 'ada')
    const [id] = begun.url.searchParams.get('state')!.split('.')
    const [, secret] = later.url.searchParams.get('state')!.split('.')
    for (const state of [`${id}.${secret}`, id!, `${id}.`]) {
      callback.searchParams.set('state', state)
      expect(goesOnTo(await comeBack(service, callback, begun.cookie)), state).toBe('/console/#error=expired')
    }
  })

  test("at another tenant's host", async () => {
    const begun = await begin(service)
    const callback = await atProvider(begun, 'ada')
    expect(goesOnTo(await comeBack(other, callback, begun.cookie))).toBe('/console/#error=expired')
  })

  test('a second time, whatever came of the first', async () => {
    for (const person of ['ada', 'eve', ''] as const) {
      const begun = await begin(service)
      const callback = await atProvider(begun, person)
      await comeBack(service, callback, begun.cookie)
      expect(goesOnTo(await comeBack(service, callback, begun.cookie))).toBe('/console/#error=expired')
    }
  })

  test('who took longer than ten minutes', async () => {
    const word = await wordFor('ada', async () => service.clock.advance(10 * 60_000))
    expect(word).toBe('/console/#error=expired')
  })

  test('by a code of another sign-in, or an answer of another provider', async () => {
    const [begun, foreign] = [await begin(service), await begin(service)]
    const [callback, theirs] = [await atProvider(begun, 'ada'), await atProvider(foreign, 'grace')]
    callback.searchParams.set('code', theirs.searchParams.get('code')!)
    expect(goesOnTo(await comeBack(service, callback, begun.cookie))).toBe('/console/#error=failed')
    for (const iss of ['https://evil.example', undefined]) {
      const again = await begin(service)
      const mixedUp = await atProvider(again, 'ada')
      mixedUp.searchParams.delete('iss')
      if (iss) mixedUp.searchParams.set('iss', iss)
      expect(goesOnTo(await comeBack(service, mixedUp, again.cookie)), iss).toBe('/console/#error=failed')
    }
  })

  test('when the settings were changed or deleted meanwhile', async () => {
    const { body: before } = await service.operator.get(settings)
    const changed = { ...before, roles: before.roles.slice(1) }
    expect(await wordFor('ada', () => service.operator.put(settings, changed))).toBe('/console/#error=changed')
    expect(await wordFor('ada', () => service.operator.delete(settings))).toBe('/console/#error=changed')
    expect(await service.anonymous.post('/console/session/provider', {}, header)).toMatchObject({ status: 404 })
    await service.operator.put(settings, settingsFor(provider))
  })

  test('by what is no answer at all', async () => {
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
      expect(goesOnTo(answer), query).toMatch(/^\/console\/#error=(expired|failed)$/)
      expect(cookieIn(answer, 'console')).toBeUndefined()
    }
  })
})

test('who comes back twice at once is signed in once', async () => {
  const tenant = await service.addTenant()
  await using own = await runProviderFor(tenant.baseUrl)
  await tenant.operator.put(settings, settingsFor(own))
  const begun = await begin(tenant)
  const callback = await atProvider(begun, 'ada')
  const answers = await Promise.all(Array.from({ length: 8 }, () => comeBack(tenant, callback, begun.cookie)))
  const words = answers.map(goesOnTo).sort()
  expect(words).toEqual(['/console/', ...Array(7).fill('/console/#error=expired')])
  expect(await sessionsOf(tenant)).toHaveLength(1)
})

test('a provider that is away is told of, at either end', async () => {
  const tenant = await service.addTenant()
  const own = await runProviderFor(tenant.baseUrl)
  await tenant.operator.put(settings, settingsFor(own))
  const begun = await begin(tenant)
  const callback = await atProvider(begun, 'ada')
  await own[Symbol.asyncDispose]()
  expect(goesOnTo(await comeBack(tenant, callback, begun.cookie))).toBe('/console/#error=unavailable')
  service.deps.caches.providers.clear()
  const answer = await tenant.anonymous.post('/console/session/provider', {}, header)
  expect(answer).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^[1-9]\d?$/) },
    body: { message: expect.stringMatching(/unreachable/) },
  })
  expect(answer.headers['set-cookie']).toBeUndefined()
})

describe('a sign-in is begun', () => {
  test('by pages of its own host alone', async () => {
    const ask = (headers: Record<string, string>) => service.anonymous.post('/console/session/provider', {}, headers)
    const before = await service.deps.db.read.$count(consoleSignIns)
    expect(await ask({})).toMatchObject({ status: 400, body: { details: [{ param: 'X-Console' }] } })
    for (const foreign of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])
      expect(await ask({ ...header, ...foreign })).toMatchObject({ status: 403 })
    expect(await service.deps.db.read.$count(consoleSignIns)).toBe(before)
  })

  test('to go on in the console alone', async () => {
    const elsewhere = [
      ...['https://evil.example/console/', '//evil.example/console/', '/', '/consoles/', '/v1/users', 'console/'],
      ...['/console/../v1/users', '/console/%2e%2e/v1', '/console/..\\v1', '\\console\\', '/con\tsole/', ' /console/'],
      ...['javascript:alert(1)', '', 'x'.repeat(1001)],
    ]
    for (const path of elsewhere) {
      const answer = await service.anonymous.post('/console/session/provider', { return: path }, header)
      expect(answer, path).toMatchObject({ status: 400, body: { details: [{ param: 'return', location: 'body' }] } })
    }
    // As it is sent, nothing in it ends the header or its address.
    expect(parseReturnPath('/console/a b"c\r\nX: y;url=//evil')).toBe('/console/a%20b%22cX:%20y;url=//evil')
  })

  test('with a state, a nonce and a challenge of its own, of which none is kept as it is', async () => {
    const [one, two] = [await begin(service), await begin(service)]
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(one.url.searchParams.get(name)).not.toBe(two.url.searchParams.get(name))
    const rows = JSON.stringify(await service.deps.db.read.select().from(consoleSignIns))
    for (const name of ['state', 'nonce']) expect(rows).not.toContain(one.url.searchParams.get(name)?.split('.').at(-1))
    expect(rows).not.toContain(one.cookie.split('=')[1])
    expect(rows).toContain(createHash('sha256').update(one.cookie.split('=')[1]!).digest('base64url'))
  })
})

test('the platform has the provider of the environment, at its own host and no other', async () => {
  const platform = { anonymous: createApi(service.origin, service.deps.config.platformHost) }
  const { url: issuer, clientId, clientSecret } = provider
  const { config } = service.deps
  config.platformSignIn = {
    ...{ name: 'Staff', issuer, clientId, clientSecret, tokenEndpointAuthMethod: 'client_secret_basic' },
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
  expect(await look(headers)).toMatchObject(unauthorized)
  config.platformSignIn = { ...config.platformSignIn, values: ['others'] }
  expect(await platform.anonymous.get(session, headers)).toMatchObject(unauthorized)
  config.platformSignIn = undefined
})
