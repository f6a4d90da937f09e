import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinService, type SharedService } from '../harness/harness.ts'
import { foreignIssuer } from '../harness/verifying.ts'
import { type ReceiverAnswer, startReceiver } from '../servers/receiver.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const source = { name: 'Register', authorization: { type: 'api-key', value: 'kept-secret-between-us' } }

type Compress = (bytes: Buffer) => Buffer
/** Returns a JSON answer that starts with a byte order mark and ends with a line end, in a content coding. */
type Encode = (value: unknown) => ReceiverAnswer
const encodings: [string, Compress][] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
]
const cases = encodings.map(([coding, compress]): [string, Encode, Compress] => [
  coding,
  (value) => ({
    headers: { 'content-type': 'application/json', 'content-encoding': coding },
    body: compress(Buffer.from(`\uFEFF${JSON.stringify(value)}\r\n`)),
  }),
  compress,
])

test.each(cases)(
  'the DID document and the revocation list of an issuer are read from %s',
  async (coding, encode, compress) => {
    const headers = { 'content-encoding': coding }
    const list = async () => ({ headers, body: compress(await issuer.list([6])) })
    const issuer = await foreignIssuer(({ path }) => (path === '/lists/1' ? list() : undefined), encode)
    const payload = await issuer.sign('compact', { status: { index: 7, url: `${issuer.origin}/lists/1` } })
    const { status, body } = await service.operator.post('/v2/credentials/compact/verify', {
      payload,
      trustedIssuers: [issuer.did],
    })
    expect([status, body.verified, body.reason]).toEqual([200, true, undefined])
  },
)

test.each(cases)('the claims of a claim source are read from %s', async (_, encode) => {
  await using register = await startReceiver(() => encode({ grade: 'A' }))
  const { body } = await service.operator.post('/v1/claim-sources', { ...source, url: register.url })
  const tested = await service.operator.post(`/v1/claim-sources/${body.id}/test`, {})
  expect(tested.body).toMatchObject({ works: true, claims: { grade: 'A' } })
  expect(register.deliveries[0]!.headers['accept-encoding']).toBe('gzip, deflate, br')
})

test.each(cases)('the configuration and the keys of a sign-in provider are read from %s', async (_, encode) => {
  const tenant = await service.addTenant()
  await using provider = await startReceiver(({ path }) => {
    const { origin: issuer } = new URL(provider.url)
    if (path === '/keys') return encode({ keys: [{ kty: 'RSA' }] })
    const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
    return encode({ issuer, jwks_uri: `${issuer}/keys`, ...endpoints })
  })
  const { body } = await tenant.operator.post('/v1/users/authentication-providers', {
    ...{ url: new URL(provider.url).origin, clientId: 'trustwright', clientSecret: 'kept secret between us' },
  })
  const tested = await tenant.operator.post(`/v1/users/authentication-providers/${body.id}/test`, {})
  expect(tested.body.checks.slice(0, 2)).toMatchObject([
    { check: 'discovery', result: 'passed' },
    { check: 'keys', result: 'passed' },
  ])
})

test('an answer in another coding is refused by name, and one that grows without measure is too large', async () => {
  let answer: ReceiverAnswer = {}
  await using register = await startReceiver(() => answer)
  const { body } = await service.operator.post('/v1/claim-sources', { ...source, url: register.url })
  const messageFor = async (coding: string, bytes: Buffer) => {
    answer = { headers: { 'content-encoding': coding }, body: bytes }
    return (await service.operator.post(`/v1/claim-sources/${body.id}/test`, {})).body.message
  }
  const json = Buffer.from('{"grade":"A"}')
  expect(await messageFor('zstd', json)).toContain('content coding')
  expect(await messageFor('gzip', json)).toContain('damaged')
  expect(await messageFor('gzip, br', gzipSync(json))).toContain('content coding')
  const spaces = Buffer.concat([Buffer.alloc(400_000, ' '), json])
  expect(await messageFor('br', brotliCompressSync(spaces))).toContain('too large')
})
