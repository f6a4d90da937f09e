import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../harness/harness.ts'
import { verifyJsonLd } from '../../verifiers/outside-verifiers.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const dayMs = 24 * 3_600_000
const path = '/.well-known/did-configuration'

test('the DID configuration links DID and host with a credential that independent libraries verify, in both forms', async () => {
  const { anonymous, did, baseUrl } = await service.addTenant()
  const { status, body } = await anonymous.get(path)
  expect(status).toBe(200)
  const [credential] = body.entries
  expect(credential).toMatchObject({
    ...{ type: ['VerifiableCredential', 'DomainLinkageCredential'], issuer: did },
    credentialSubject: { id: did, origin: baseUrl },
  })
  // DIF Well Known DID Configuration: the credential has an expirationDate and no id.
  expect(credential.id).toBeUndefined()
  expect(Date.parse(credential.expirationDate) - Date.parse(credential.issuanceDate)).toBe(365 * dayMs)

  const { body: document } = await anonymous.get('/.well-known/did.json')
  expect(await verifyJsonLd(credential, document)).toBe(true)
  const moved = { ...credential, credentialSubject: { id: did, origin: 'https://elsewhere.example' } }
  expect(await verifyJsonLd(moved, document)).toBe(false)
  expect(await anonymous.get(`${path}.json`)).toMatchObject({
    status: 200,
    body: { '@context': 'https://identity.foundation/.well-known/did-configuration/v1', linked_dids: [credential] },
  })
})

test('the DID configuration is signed once a day, and a failed signing is repeated with the next request', async () => {
  const tenant = await service.addTenant()
  const signed = async () => (await tenant.anonymous.get(path)).body.entries[0]
  const first = await signed()
  service.clock.advance(dayMs)
  const second = await signed()
  expect(Date.parse(second.expirationDate)).toBeGreaterThanOrEqual(Date.parse(first.expirationDate) + dayMs - 1000)

  await service.workers.stop()
  expect(await signed()).toEqual(second)
  service.clock.advance(dayMs)
  expect(await service.withSigningWait(100, () => tenant.anonymous.get(path))).toMatchObject({ status: 503 })
  await service.workers.start()
  expect(await tenant.anonymous.get(path)).toMatchObject({ status: 200 })
})
