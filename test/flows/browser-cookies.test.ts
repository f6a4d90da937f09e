import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { type Browser, startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet } from '../wallets/authorization-wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const newWallet = () => newAuthorizationWallet(service, service.origin, configurationId)

/** Names of the cookies that the browser keeps for authorizations under way. */
function cookiesOf({ cookies }: Browser): string[] {
  return [...(cookies.get(service.host)?.keys() ?? [])].filter((name) => name.startsWith('authorization-'))
}

test('two hundred sign-ins in one browser leave as many cookies as one', async () => {
  const wallet = newWallet()
  for (let i = 0; i < 200; i++) expect((await wallet.authorize()).has('code')).toBe(true)
  expect(cookiesOf(wallet.browser)).toEqual([])
  expect(wallet.browser.cookies.get(service.host)?.size).toBe(1)
})

test('two hundred unfinished sign-ins leave a few cookies, those of the latest', async () => {
  const wallet = newWallet()
  const begun: string[][] = []
  for (let i = 0; i < 200; i++) {
    await wallet.browser.open(wallet.authorizeUrl())
    begun.push(cookiesOf(wallet.browser))
  }
  expect(Math.max(...begun.map((names) => names.length))).toBe(5)
  const latest = begun.flatMap((names, i) => names.filter((name) => !begun[i - 1]?.includes(name))).slice(-5)
  expect(cookiesOf(wallet.browser).sort()).toEqual(latest.sort())
  expect((await wallet.authorize()).has('code')).toBe(true)
})

test('many old cookies of a browser are deleted', async () => {
  const { pathname, search } = newWallet().authorizeUrl()
  const old = Array.from({ length: 100 }, (_, i) => `authorization-0${100 + i}=${'s'.repeat(43)}`)
  const { headers } = await service.anonymous.get(pathname + search, { cookie: old.join('; ') })
  const lines = [headers['set-cookie'] ?? []].flat()
  expect(lines.filter((line) => /^authorization-0\d+=; .*Max-Age=0;/.test(line))).toHaveLength(96)
})

test('a refusal deletes the cookie', async () => {
  const wallet = newWallet()
  expect((await wallet.authorize({}, '')).get('error')).toBe('access_denied')
  expect(cookiesOf(wallet.browser)).toEqual([])
})

test('an expired sign-in deletes the cookie, and shows the same page when it is repeated', async () => {
  const wallet = newWallet()
  const { location } = await wallet.browser.open(wallet.authorizeUrl())
  const state = location?.searchParams.get('state') ?? ''
  const callback = `${service.origin}/v1/oauth/authentication/callback?code=x&state=${state}`
  service.clock.advance(31 * 60_000)
  for (let tries = 0; tries < 2; tries++) {
    const { status, html } = await wallet.browser.open(callback)
    expect(status).toBe(400)
    expect(html).toContain('It took too long, or it was cancelled.')
    expect(cookiesOf(wallet.browser)).toEqual([])
  }
})
