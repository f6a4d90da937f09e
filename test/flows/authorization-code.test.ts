import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../api-client.ts'
import { newAuthorizationWallet } from '../authorization-wallet.ts'
import { compactConfiguration } from '../factories.ts'
import { type Service, startService } from '../harness.ts'
import { startProvider, type TestProvider } from '../provider.ts'
import { makeProof, newHolderKey } from '../wallet.ts'

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

async function collect(accessToken: string, body: Record<string, unknown>) {
  const anonymous = createApi(service.origin, service.host)
  const nonce = (await anonymous.post('/v1/openid/nonce')).body.c_nonce
  const proof = await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() })
  const bearer = createApi(service.origin, service.host, accessToken)
  return bearer.post('/v1/openid/credential', { ...body, proofs: { jwt: [proof] } })
}

test('a person signs in at the provider, and the wallet gets a code, a token and a credential', async () => {
  const wallet = newWallet()
  const answer = await wallet.authorize()
  expect(Object.fromEntries(answer)).toMatchObject({ state: 'wallet-state', iss: service.baseUrl })
  const token = await wallet.redeem(answer.get('code') ?? '')
  expect(token).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 300 } })
  const [detail] = token.body.authorization_details
  const credential = await collect(token.body.access_token, { credential_identifier: detail.credential_identifiers[0] })
  expect(credential).toMatchObject({ status: 200 })
  const found = await service.operator.post('/v1/users/search', { authenticationProvider: { subjectId: 'ada' } })
  expect(found.body.data).toMatchObject([
    { claims: { given_name: 'Ada', family_name: 'Lovelace' }, authenticationProvider: { url: provider.url } },
  ])
})
