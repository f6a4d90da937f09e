import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { clientId, newAuthorizationWallet } from '../../wallets/authorization-wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('the test wallet of the console can request codes only while the setting is on', async () => {
  const configurationId = await compactConfiguration(service)
  const redirectUri = `${service.baseUrl}/console/wallet`
  await service.operator.post('/v1/openid/clients', { name: 'Test wallet', clientId, redirectUris: [redirectUri] })
  const url = newAuthorizationWallet(service, service.origin, configurationId).authorizeUrl({
    redirect_uri: redirectUri,
  })
  const isRefused = async () => {
    const { body } = await service.anonymous.get(url.pathname + url.search)
    return String(JSON.stringify(body)).includes('is not known here')
  }
  expect(await isRefused()).toBe(false)
  Object.assign(service.deps.config, { production: true })
  try {
    expect(await isRefused()).toBe(true)
    await service.platform.put(`/v1/tenants/${service.id}?partial=true`, { testWallet: true })
    expect(await isRefused()).toBe(false)
  } finally {
    Object.assign(service.deps.config, { production: false })
  }
})
