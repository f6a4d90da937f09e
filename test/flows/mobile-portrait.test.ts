import { afterAll, beforeAll, expect, test } from 'vitest'
import { activeIaca, mdlClaims, mdlConfiguration, mdlNamespace, mdlType, newOffer } from '../harness/factories.ts'
import { eventually, joinService, type SharedService } from '../harness/harness.ts'
import { startReceiver, verify } from '../servers/receiver.ts'
import { elementsOf } from '../verifiers/mdoc-verifiers.ts'
import { newWallet } from '../wallets/wallet.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
  await activeIaca(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const portrait = Buffer.alloc(200_000, 3)

test('a portrait of 200 KB from a claim source is issued and sent to a webhook with the document', async () => {
  const { portrait: _small, ...rest } = mdlClaims
  const body = JSON.stringify({ portrait: `data:image/jpeg;base64,${portrait.toString('base64')}` })
  await using register = await startReceiver(() => ({ body }))
  await using receiver = await startReceiver()
  await service.operator.post('/v1/webhooks', { url: receiver.url, events: ['OpenIdCredentialIssued'] })
  const source = {
    name: 'Register',
    url: register.url,
    authorization: { type: 'api-key', value: 'key-of-the-register' },
  }
  const claimSourceId = (await service.operator.post('/v1/claim-sources', source)).body.id
  const configurationId = await mdlConfiguration(service, { claimSourceId })
  const offer = await newOffer(service, [configurationId], { claims: rest })
  const answer = await (await newWallet(service, service.origin, offer.uri)).collect()
  expect(answer.status).toBe(200)
  const { credential } = answer.body.credentials[0]
  expect(portrait.equals(elementsOf(credential)[mdlNamespace]!.portrait as Uint8Array)).toBe(true)

  const [record] = (await service.operator.get(`/v1/users/${offer.userId}/credentials`)).body.data
  expect(record).toMatchObject({ profile: 'mobile', type: mdlType })
  const delivery = await eventually(async () => receiver.deliveries[0])
  const { credential: sent, ...payload } = delivery.body.event.payload
  expect(payload).toEqual({
    format: 'mso_mdoc',
    userId: offer.userId,
    credentialProfile: 'mobile',
    credentialConfigurationId: configurationId,
    credentialId: record.id,
    credentialOfferId: offer.id,
    sessionId: record.sessionId,
  })
  expect(sent === credential).toBe(true)
  expect(await verify(delivery, (await service.anonymous.get('/v1/webhooks/jwks')).body)).toBe(true)
})
