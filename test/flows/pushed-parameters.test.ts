import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pushedRequests } from '../../db/tables/issuance/pushed-requests.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'

let service: SharedService
let provider: TestProvider

beforeAll(async () => {
  service = await joinService()
  provider = await startProvider(service, { forwardedRequestParameters: ['login_hint'] })
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

test('the parameters of a pushed request are stored, so their size is limited to 20 KB', async () => {
  const wallet = newAuthorizationWallet(service, service.origin, await compactConfiguration(service))
  const push = (length: number) =>
    service.anonymous.post(
      '/v1/oauth/par',
      new URLSearchParams(wallet.authorizeUrl({ state: 'x', scope: 'y'.repeat(length) }).searchParams),
    )
  expect(await push(15_000)).toMatchObject({ status: 201 })
  expect(await push(25_000)).toMatchObject({ status: 413, body: { error: 'invalid_request' } })
  await service.deps.db.tx((tx) => tx.delete(pushedRequests).where(eq(pushedRequests.tenantId, service.id)))
})

test('only parameters of a pushed request that this service or the provider uses are stored', async () => {
  const wallet = newAuthorizationWallet(service, service.origin, await compactConfiguration(service))
  const meant = wallet.authorizeUrl({ login_hint: 'ada', response_mode: 'query', issuer_state: 'unknown' }).searchParams
  const form = new URLSearchParams(meant)
  for (const name of ['client_secret', 'acr_values', '__proto__', 'constructor', 'unknown']) form.set(name, 'unknown’s')
  const { status, body } = await service.anonymous.post('/v1/oauth/par', form)
  expect(status).toBe(201)
  const [kept] = await service.deps.db.read.select().from(pushedRequests).where(eq(pushedRequests.tenantId, service.id))
  expect(kept?.parameters).toEqual(Object.fromEntries(meant))

  const { location } = await wallet.browser.open(
    `${service.origin}/v1/oauth/authorize?client_id=test-wallet&request_uri=${body.request_uri}`,
  )
  expect(location?.searchParams.get('login_hint')).toBe('ada')
  expect(location?.searchParams.has('acr_values')).toBe(false)
})
