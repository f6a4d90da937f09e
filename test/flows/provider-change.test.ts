import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { users } from '../../db/tables/issuance/users.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { keepAlive } from '../harness/keep-alive.ts'
import { type Browser, newBrowser, startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet, redirectUri } from '../wallets/authorization-wallet.ts'

const ended = '<h1>This sign-in has ended</h1>'
const path = '/v1/users/authentication-providers'

let service: Service
let provider: TestProvider
let configurationId: string
/** Another provider, which records its requests and does not answer. */
let other: { server: Server; url: string; asked: string[] }

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
  const asked: string[] = []
  const server = createServer(keepAlive, (request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  other = { server, url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, asked }
})
afterAll(async () => {
  other?.server.close()
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

let settings: Record<string, unknown>
beforeEach(async () => {
  const { body } = await service.operator.get(`${path}/${provider.providerId}`)
  settings = { ...body, clientSecret: provider.clientSecret }
})

const change = (changes: object) => service.operator.put(`${path}/${provider.providerId}`, { ...settings, ...changes })
const usersOf = async () => (await service.operator.get('/v1/users')).body.data as { id: string }[]

/** A person who has signed in at the provider and is about to return. */
async function aboutToComeBack() {
  const browser = newBrowser((url) => url.pathname === '/v1/oauth/authentication/callback')
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  const { url } = await browser.signIn(wallet.authorizeUrl())
  return { browser, url }
}

async function comeBack({ browser, url }: { browser: Browser; url: URL }) {
  const { status, location, html } = await browser.open(url)
  if (status !== 302) return { status, page: html }
  expect(location?.href.startsWith(`${redirectUri}?`)).toBe(true)
  return { status, ...Object.fromEntries(location?.searchParams ?? []) }
}

test.each([
  ['issuer', () => ({ url: other.url })],
  ['client', () => ({ clientId: 'another' })],
])(
  'a running sign-in ends when the provider gets another %s, and nothing of it is sent there',
  async (_what, changes) => {
    const person = await aboutToComeBack()
    const before = provider.requests.length
    expect(await change(changes())).toMatchObject({ status: 200 })
    expect(await comeBack(person)).toMatchObject({
      status: 302,
      error: 'server_error',
      error_description: 'The identity provider was changed during the sign-in',
    })
    expect([provider.requests.length - before, other.asked, await usersOf()]).toEqual([0, [], []])
    expect(await change({})).toMatchObject({ status: 200 })
    expect(await comeBack(await aboutToComeBack())).toMatchObject({ code: expect.any(String) })
    for (const { id } of await usersOf()) await service.operator.delete(`/v1/users/${id}`)
  },
)

test('a running sign-in continues when the provider gets another secret or scope', async () => {
  const person = await aboutToComeBack()
  expect(await change({ scope: ['openid'], claimsToPersist: [] })).toMatchObject({ status: 200 })
  expect(await comeBack(person)).toMatchObject({ code: expect.any(String) })
  expect(await change({})).toMatchObject({ status: 200 })
  for (const { id } of await usersOf()) await service.operator.delete(`/v1/users/${id}`)
})

test('a user is identified by issuer and subject', async () => {
  expect(await comeBack(await aboutToComeBack())).toMatchObject({ code: expect.any(String) })
  const [user] = await usersOf()
  const isOf = (issuer: string | null) => service.deps.db.tx((tx) => tx.update(users).set({ issuer }))
  // As a process of before the issuer was stored makes them.
  await isOf(null)
  expect(await comeBack(await aboutToComeBack())).toMatchObject({ code: expect.any(String) })
  await isOf('https://login.example.com')
  expect(await comeBack(await aboutToComeBack())).toMatchObject({ status: 400, page: expect.stringContaining(ended) })
  expect(await usersOf()).toEqual([user])
  await service.operator.delete(`/v1/users/${user?.id}`)
})

test('a change of the issuer concurrent with a first sign-in: exactly one of the two succeeds', async () => {
  for (let round = 0; round < 12; round++) {
    const person = await aboutToComeBack()
    // Either before the provider answers, or at the time that it does.
    let changed: ReturnType<typeof change> | undefined
    provider.meanwhile = async ({ pathname }) => {
      if (pathname !== '/token') return
      changed = change({ url: other.url })
      if (round % 2 === 0) await changed
    }
    const answer = await comeBack(person)
    provider.meanwhile = undefined
    const { status } = (await changed) ?? {}
    const people = await usersOf()
    if (status === 409) expect([answer, people]).toMatchObject([{ code: expect.any(String) }, [{}]])
    else expect([status, answer, people]).toMatchObject([200, { page: expect.stringContaining(ended) }, []])
    if (round % 2 === 0) expect(status).toBe(200)
    for (const { id } of people) await service.operator.delete(`/v1/users/${id}`)
    expect(await change({})).toMatchObject({ status: 200 })
  }
})
