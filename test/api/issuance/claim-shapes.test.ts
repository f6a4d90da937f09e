import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  activeIaca,
  compactConfiguration,
  mappingsFrom,
  mdlClaims,
  mdlConfiguration,
  mdlNamespace,
  newOffer,
  sdJwtConfiguration,
  semanticConfiguration,
  webConfiguration,
} from '../../harness/factories.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'
import { newWallet } from '../../wallets/wallet.ts'

// A claim whose shape does not fit the path of a mapping is refused. It is not a missing claim.

let service: SharedService
beforeAll(async () => {
  service = await joinService()
  await activeIaca(service)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const mapFrom = 'claims.address.locality'
const city = { mapFrom }
const flat = { claimMappings: { city } }
const configurations: Record<string, (tenant: TestTenant) => Promise<string>> = {
  compact: (tenant) => compactConfiguration(tenant, flat),
  'compact-semantic': (tenant) => semanticConfiguration(tenant, flat),
  'web-semantic': (tenant) => webConfiguration(tenant, flat),
  mobile: (tenant) =>
    mdlConfiguration(tenant, {
      claimMappings: { [mdlNamespace]: { ...mappingsFrom(mdlClaims), resident_city: { mapFrom } } },
    }),
  'sd-jwt': (tenant) =>
    sdJwtConfiguration(tenant, { claimMappings: { address: { members: { locality: { mapFrom } } } } }),
}

const post = (id: string, claims: object) =>
  service.operator.post('/v1/openid/offers/pre-authorized', { credentials: [id], claims })
const required = (profile: string) => (profile === 'mobile' ? mdlClaims : {})
const misfit = 'The claim address must be an object, because claims.address.locality is mapped'

describe.each(Object.entries(configurations))('in the profile %s', (profile, configure) => {
  test('an offer is refused with the path of a claim that does not fit', async () => {
    const id = await configure(service)
    for (const address of ['London', ['London'], 7, true]) {
      expect(await post(id, { ...required(profile), address })).toMatchObject({
        status: 400,
        body: { details: [{ param: 'claims', msg: expect.stringContaining(misfit) }] },
      })
    }
    for (const address of [{ locality: 'London' }, {}, null]) {
      expect(await post(id, { ...required(profile), address })).toMatchObject({ status: 200 })
    }
  })

  test('a row of a bulk issuance is invalid for the same reason', async () => {
    const id = await configure(service)
    const rows = csvFile(`${JSON.stringify({ number: 1, ...required(profile), address: 'London' })}\n`, 'rows.jsonl')
    const fields = bulkFields(id, { validateOnly: 'true', mode: 'links' })
    const sent = await uploadTo(service.operator, '/v1/bulk-issuances', ['file', rows], ...fields)
    await eventually(async () => {
      const { body } = await service.operator.get(`/v1/bulk-issuances/${sent.body.id}`)
      return body.state !== 'validating'
    })
    const { body } = await service.operator.get(`/v1/bulk-issuances/${sent.body.id}/rows`)
    const message = expect.stringContaining(misfit)
    expect(body.data).toMatchObject([{ state: 'invalid', code: 'invalid_claim', message }])
  })
})

test('an element of a mapped list that is not an object is refused', async () => {
  const each = { members: { name: { mapFrom: 'claims.degrees[].title.name' } } }
  const id = await sdJwtConfiguration(service, { claimMappings: { degrees: { each } } })
  expect(await post(id, { degrees: [{ title: { name: 'BSc' } }, { title: 'MSc' }] })).toMatchObject({
    status: 400,
    body: { details: [{ msg: expect.stringContaining('The claim degrees[].title must be an object') }] },
  })
})

test('a stored claim of the user that does not fit refuses the request of the wallet with its path', async () => {
  const id = await compactConfiguration(service, flat)
  const { body: user } = await service.operator.post('/v1/users', { claims: { address: 'London' } })
  const { uri } = await newOffer(service, [id], { claims: undefined, userId: user.id })
  const wallet = await newWallet(service, service.origin, uri)
  await wallet.redeem()
  expect(await wallet.requestCredential()).toMatchObject({
    status: 400,
    body: { error: 'credential_request_denied', error_description: expect.stringContaining(misfit) },
  })
})

test('a direct signature is refused with the path', async () => {
  const configurationId = await configurations['sd-jwt']?.(service)
  const signed = await service.operator.post('/v2/credentials/sd-jwt/sign', {
    configurationId,
    claims: { address: 'London' },
  })
  expect(signed).toMatchObject({ status: 400, body: { details: [{ msg: expect.stringContaining(misfit) }] } })
})
