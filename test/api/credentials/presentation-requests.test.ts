import { compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveDidKey } from '../../../shared/formats/did-key.ts'
import { type Service, startService } from '../../harness/harness.ts'

const path = '/v2/credentials/web-semantic/presentations'

const query = [
  {
    type: 'QueryByExample',
    credentialQuery: [
      {
        required: true,
        reason: 'Show that you study here',
        example: {
          '@context': ['https://www.w3.org/2018/credentials/v1'],
          type: ['UniversityDegreeCredential'],
          trustedIssuer: [{ issuer: 'did:web:university.example', required: true }],
          issuanceDate: '2026-01-01',
        },
      },
    ],
  },
]
const template = { domain: 'shop.example', name: 'Student discount', query }

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const created = async (body: object = template) => (await service.operator.post(`${path}/templates`, body)).body
const newDid = async (options: object = {}) =>
  (await service.operator.post('/v1/dids', { method: 'key', options })).body.did as string

test('a request contains its template and is signed by the DID of the verifier', async () => {
  const { id: templateId } = await created()
  const did = await newDid()
  const expiresTime = service.clock.now().getTime() + 60_000
  const requested = {
    challenge: 'c-1',
    templateId,
    did,
    callbackUrl: 'https://shop.example/callback?order=7',
    expiresTime,
  }
  const { status, body } = await service.operator.post(`${path}/requests`, requested)
  expect(status).toBe(201)
  expect(body).toEqual({
    id: body.id,
    callbackUrl: requested.callbackUrl,
    request: {
      id: body.id,
      type: 'https://mattr.global/schemas/verifiable-presentation/request/QueryByExample',
      from: did,
      created_time: expect.any(Number),
      expires_time: expiresTime,
      reply_url: requested.callbackUrl,
      reply_to: [did],
      body: { challenge: 'c-1', id: templateId, ...template },
    },
    didcommUri: expect.stringMatching(/^didcomm:\/\/https?:\/\/[^/]+\/\?request=/),
  })
  const jws = body.didcommUri.split('?request=')[1]
  const { keyId, publicJwk } = resolveDidKey(did)
  expect(decodeProtectedHeader(jws)).toEqual({ alg: 'EdDSA', kid: keyId })
  const { payload } = await compactVerify(jws, await importJWK({ ...publicJwk }, 'EdDSA'))
  expect(JSON.parse(Buffer.from(payload).toString())).toEqual(body.request)
})

test('a request for the identity of the holder only has the type DIDAuth and expires after five minutes by default', async () => {
  const { id: templateId } = await created({ ...template, query: [{ type: 'DIDAuth' }] })
  const requested = { challenge: 'c-2', templateId, did: service.did, callbackUrl: 'https://shop.example/callback' }
  const { status, body } = await service.operator.post(`${path}/requests`, requested)
  expect([status, body.request.type]).toEqual([201, expect.stringMatching(/\/DIDAuth$/)])
  expect(body.request.expires_time - body.request.created_time).toBe(300_000)
})

test('the key that signed a request stays published until the request expires', async () => {
  const tenant = await service.addTenant()
  const { id: templateId } = (await tenant.operator.post(`${path}/templates`, template)).body
  const expiresTime = service.clock.now().getTime() + 100 * 24 * 3_600_000
  const requested = { challenge: 'c-3', templateId, did: tenant.did, callbackUrl: 'https://shop.example/', expiresTime }
  expect((await tenant.operator.post(`${path}/requests`, requested)).status).toBe(201)
  await tenant.operator.post('/v1/keys/credentials/rotate', {})
  const { body } = await tenant.operator.get('/v1/keys')
  const retired = body.data.find((key: Record<string, string>) => key.retiredAt && key.algorithm === 'Ed25519')
  expect(Date.parse(retired.publishedUntil)).toBeGreaterThan(expiresTime)
})

test.each([
  ["another tenant's template", { templateId: 'theirs' }, 'templateId'],
  ["another tenant's DID", { did: 'theirs' }, 'did'],
  ['a DID without a key that signs', { did: 'bls' }, 'did'],
  ['a private callback address', { callbackUrl: 'https://10.0.0.1/' }, 'callbackUrl'],
  ['a callback without https', { callbackUrl: 'http://shop.example/' }, 'callbackUrl'],
  ['a time in the past', { expiresTime: 1_600_000_000_000 }, 'expiresTime'],
  ['seconds instead of milliseconds', { expiresTime: 1_900_000_000 }, 'expiresTime'],
  ['a time in ten years', { expiresTime: 2_100_000_000_000 }, 'expiresTime'],
])('a request with %s is refused with the name of the field', async (_what, change: Record<string, unknown>, param) => {
  const theirs = await service.addTenant()
  const requested = {
    challenge: 'c-3',
    templateId: (await created()).id,
    did: await newDid(),
    callbackUrl: 'https://shop.example/callback',
    ...change,
  }
  if (change.templateId) requested.templateId = (await theirs.operator.post(`${path}/templates`, template)).body.id
  if (change.did === 'theirs') requested.did = (await theirs.operator.post('/v1/dids', { method: 'key' })).body.did
  if (change.did === 'bls') requested.did = await newDid({ keyType: 'Bls12381G2' })
  const refused = await service.operator.post(`${path}/requests`, requested)
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param, location: 'body' }] } })
})
