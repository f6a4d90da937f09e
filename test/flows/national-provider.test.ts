import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'

/** A tenant whose provider requires what providers of states require. */
let service: SharedService
let provider: TestProvider
let configurationId: string
beforeAll(async () => {
  service = await joinService()
  const client = { userinfo_signed_response_alg: 'RS256' as const }
  provider = await startProvider(service, {}, { claimsInUserInfo: true, client })
  configurationId = await compactConfiguration(service)
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

test('the claims of a person are read from the signed UserInfo response', async () => {
  const answer = await newAuthorizationWallet(service, service.origin, configurationId).authorize()
  expect(answer.get('error')).toBeNull()
  expect(provider.requests.map(({ pathname }) => pathname)).toContain('/me')
  const { body } = await service.operator.post('/v1/users/search', { authenticationProvider: { subjectId: 'ada' } })
  expect(body.data[0].claims).toMatchObject({ given_name: 'Ada', email: 'ada@example.org' })
})
