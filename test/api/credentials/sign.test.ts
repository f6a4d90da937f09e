import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { payloads, sign, signed } from '../../harness/signing.ts'
import { fetchDidDocument, verifyCwt, verifyJsonLd } from '../../verifiers/outside-verifiers.ts'

let service: Service
let otherTenant: TestTenant
beforeAll(async () => {
  service = await startService()
  otherTenant = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const profiles = ['compact', 'compact-semantic', 'web-semantic'] as const
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const web = (url: string) => ({ method: 'web', options: { url } })

test('a compact credential contains its payload, and an independent verifier finds the signing key', async () => {
  const payload = {
    ...{ iss: service.did, sub: 'did:example:ada', aud: 'https://verifier.example', type: 'Course' },
    ...{ nbf: 1_700_000_000, exp: 1_900_000_000, iat: 1_699_999_999 },
    ...{ given_name: 'Ada', marks: [1, 2.5, null, { a: true }], largest: 9007199254740991 },
  }
  const { id, encoded, decoded } = await signed(service, 'compact', { payload })
  expect(id).toMatch(uuid)
  expect(decoded).toEqual({ ...payload, jti: `urn:uuid:${id}` })
  const { prefix, claims } = verifyCwt(encoded, await fetchDidDocument(service.anonymous))
  expect(prefix).toBe('CSC:/1/')
  expect([1, 2, 3, 4, 5, 6].map((key) => claims.get(key))).toEqual([
    ...[payload.iss, payload.sub, payload.aud, payload.exp, payload.nbf, payload.iat],
  ])
  expect(Buffer.from(claims.get(7) as Uint8Array).toString('hex')).toBe(id.replaceAll('-', ''))
  expect(claims.get('given_name')).toBe('Ada')
  expect(claims.has(-65537)).toBe(false)
  expect(claims.has(8)).toBe(false)
})

test('a compact semantic credential contains its vc, and the service adds context, types and nbf', async () => {
  const subject = { id: 'did:example:ada', given_name: 'Ada' }
  const payload = { vc: { type: ['Course'], credentialSubject: subject, name: 'Course' } }
  const { encoded, decoded } = await signed(service, 'compact-semantic', { payload })
  const vc = {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    ...{ type: ['VerifiableCredential', 'Course'], credentialSubject: subject, name: 'Course' },
  }
  expect(decoded).toEqual({ iss: service.did, nbf: decoded.iat, iat: decoded.iat, jti: decoded.jti, vc })
  const { credential } = await signed(service, 'web-semantic', { payload: payloads['web-semantic'] })
  for (const seconds of [
    decoded.iat,
    Date.parse(credential.issuanceDate) / 1000,
    Date.parse(credential.proof.created) / 1000,
  ])
    expect([seconds % 3600, Math.abs(service.clock.now().getTime() / 1000 - seconds) < 3660]).toEqual([0, true])
  const { prefix, claims } = verifyCwt(encoded, await fetchDidDocument(service.anonymous))
  expect(prefix).toBe('CSS:/1/')
  expect(claims.get(5)).toBe(decoded.nbf)
})

test('a library verifies a web semantic credential with all given members and claims', async () => {
  const payload = {
    '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/citizenship/v1'],
    type: ['VerifiableCredential', 'Course', 'Attended'],
    issuer: { id: service.did, name: 'University', logoUrl: 'https://example.org/logo.png' },
    credentialSubject: { id: 'did:example:ada', given_name: 'Ada', ofNoContext: { level: ['B1', 2] } },
    ...{ name: 'Course certificate', description: 'For those who passed' },
    credentialBranding: { backgroundColor: '#aabbcc' },
    ...{ issuanceDate: '2026-01-02T03:04:05+13:00', expirationDate: '2031-01-01T00:00:00Z' },
  }
  const answer = await signed(service, 'web-semantic', { payload, tag: 'spring', revocable: true })
  const { id, credential, issuanceDate, tag, credentialStatus } = answer
  expect([issuanceDate, tag]).toEqual(['2026-01-01T14:04:05Z', 'spring'])
  expect(credential).toMatchObject({
    ...{ id: `urn:uuid:${id}`, type: payload.type, issuer: payload.issuer, name: payload.name, issuanceDate },
    credentialSubject: payload.credentialSubject,
    expirationDate: payload.expirationDate,
    credentialBranding: payload.credentialBranding,
    credentialStatus,
  })
  expect(credential['@context']).toContain('https://w3id.org/citizenship/v1')
  expect(credentialStatus).toMatchObject({ type: 'RevocationList2020Status', revocationListIndex: expect.any(String) })
  const did = await fetchDidDocument(service.anonymous)
  expect(await verifyJsonLd(credential, did)).toBe(true)
  const changed = structuredClone(credential)
  changed.credentialSubject.ofNoContext.level[1] = 3
  expect(await verifyJsonLd(changed, did)).toBe(false)
})

describe('a DID of the tenant', () => {
  test('signs the profiles that its keys allow: a did:web all profiles, an Ed25519 did:key only JSON-LD', async () => {
    const { body: made } = await service.operator.post('/v1/dids', web('signs.example.org'))
    const { body: key } = await service.operator.post('/v1/dids', { method: 'key' })
    const documentOf = (body: typeof made) => body.localMetadata.initialDidDocument
    for (const profile of ['compact', 'compact-semantic'] as const) {
      const { encoded } = await signed(service, profile, { payload: { ...payloads[profile], iss: made.did } })
      expect(verifyCwt(encoded, documentOf(made)).claims.get(1)).toBe(made.did)
    }
    for (const each of [made, key]) {
      const payload = { ...payloads['web-semantic'], issuer: { id: each.did } }
      const { credential } = await signed(service, 'web-semantic', { payload })
      expect(credential.issuer).toEqual({ id: each.did })
      expect(await verifyJsonLd(credential, documentOf(each))).toBe(true)
    }
    const refused = await sign(service, 'compact', { payload: { ...payloads.compact, iss: key.did } })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'payload.iss', location: 'body' }] } })
    expect(refused.body.details[0].msg).toContain('P-256')
  })

  test.each(profiles)(
    'of another tenant or of no tenant is refused with the name of the field: %s',
    async (profile) => {
      const { body } = await otherTenant.operator.post('/v1/dids', { method: 'key' })
      for (const did of [otherTenant.did, body.did, 'did:web:unknown.example']) {
        const issuer = profile === 'web-semantic' ? { issuer: { id: did } } : { iss: did }
        const answer = await sign(service, profile, { payload: { ...payloads[profile], ...issuer } })
        expect(answer).toMatchObject({ status: 400, body: { details: [{ msg: 'Must be a DID of this tenant' }] } })
        expect(answer.body.details[0].param).toBe(profile === 'web-semantic' ? 'payload.issuer.id' : 'payload.iss')
      }
    },
  )
})

const compact = (extra: object) => ['compact', { ...payloads.compact, ...extra }] as const
const semantic = (extra: object) => ['compact-semantic', { ...payloads['compact-semantic'], ...extra }] as const
const inVc = (extra: object) => semantic({ vc: { ...payloads['compact-semantic'].vc, ...extra } })
const jsonLd = (extra: object) => ['web-semantic', { ...payloads['web-semantic'], ...extra }] as const
const subject = (claims: object) => jsonLd({ credentialSubject: claims })
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`claim${at}`, at]))

type SignRequest = readonly [profile: (typeof profiles)[number], payload: object]
const refused: (readonly [param: string, request: SignRequest])[] = [
  ...['cti', 'jti', 'cnf', 'status', 'vc'].map((name) => [`payload.${name}`, compact({ [name]: 'x' })] as const),
  ['payload.nbf', compact({ nbf: 1.5 })],
  ['payload.nbf', compact({ nbf: '1700000000' })],
  ['payload.iat', compact({ iat: -1 })],
  ['payload.exp', compact({ exp: 1_700_000_000_000_000 })],
  ['payload.exp', compact({ nbf: 10, exp: 10 })],
  ['payload.iss', compact({ iss: 'https://issuer.example' })],
  ['payload.iss', compact({ iss: null })],
  ['payload.aud', compact({ aud: ['a', 'b'] })],
  ['payload.sub', compact({ sub: 1 })],
  ['payload.type', compact({ type: ['Course'] })],
  ['payload.', compact({ '': 1 })],
  ['payload', compact(many(501))],
  ['payload.given_name', compact({ given_name: 'A\0da' })],
  ['payload.vc', semantic({ vc: undefined })],
  ['payload.jti', semantic({ jti: 'x' })],
  ['payload.given_name', semantic({ given_name: 'Ada' })],
  ['payload.exp', semantic({ exp: 1_000 })],
  ['payload.vc.@context', inVc({ '@context': ['https://example.org/other'] })],
  ['payload.vc.type', inVc({ type: undefined })],
  ['payload.vc.credentialSubject', inVc({ credentialSubject: 'Ada' })],
  ...['id', 'issuer', 'proof', 'credentialStatus'].map(
    (name) => [`payload.vc.${name}`, inVc({ [name]: 'urn:x:y' })] as const,
  ),
  ['payload.@context.0', jsonLd({ '@context': ['https://example.org/context'] })],
  ['payload.@context.0', jsonLd({ '@context': [{ name: 'https://schema.org/name' }] })],
  ['payload.type.0', jsonLd({ type: ['two words'] })],
  ['payload.type', jsonLd({ type: [] })],
  ['payload.proof', jsonLd({ proof: {} })],
  ['payload.credentialStatus', jsonLd({ credentialStatus: {} })],
  ['payload.evidence', jsonLd({ evidence: [] })],
  ['payload.issuer.url', jsonLd({ issuer: { url: 'https://example.org' } })],
  ['payload.issuanceDate', jsonLd({ issuanceDate: '2026-01-01' })],
  ['payload.issuanceDate', jsonLd({ issuanceDate: '1970-01-01T00:00:00+12:00' })],
  ['payload.expirationDate', jsonLd({ expirationDate: '9999-12-31T23:59:59-12:00' })],
  ['payload.expirationDate', jsonLd({ expirationDate: '2020-01-01T00:00:00Z' })],
  ['payload.credentialSubject', jsonLd({ credentialSubject: [{}] })],
  ['payload.credentialSubject.id', subject({ id: 'Ada' })],
  ['payload.credentialSubject.@id', subject({ '@id': 'urn:x:y' })],
  ['payload.credentialSubject.nothing', subject({ nothing: null })],
  ['payload.credentialSubject.a name', subject({ 'a name': 'x' })],
  ['payload.credentialSubject.of.proof', subject({ of: { proof: 'x' } })],
  ['payload.credentialSubject.list', subject({ list: { values: Array.from({ length: 2_100 }, () => 1) } })],
]

test.each(refused)('refuses %s with its name (%#)', async (param, [profile, payload]) => {
  const answer = await sign(service, profile, { payload })
  expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest', message: 'Validation Error' } })
  expect(answer.body.details.map((each: { param: string }) => each.param)).toContainEqual(
    expect.stringMatching(new RegExp(`^${param.replaceAll(/[.$]/g, '\\$&')}`)),
  )
})

test('a list of subjects is refused with what is possible', async () => {
  const answer = await sign(service, 'web-semantic', { payload: { type: ['Course'], credentialSubject: [{ a: 1 }] } })
  const msg = 'Must be an object. Only credentials with one subject are signed.'
  expect(answer.body.details).toMatchObject([{ param: 'payload.credentialSubject', msg }])
})

test('a payload that is too deep or too large is refused, and one at the limit is signed', async () => {
  const deep = (levels: number): unknown => (levels === 0 ? 'x' : { [`a${levels}`]: deep(levels - 1) })
  for (const profile of profiles) {
    const withClaim = (claim: unknown) => {
      if (profile === 'compact') return { ...payloads.compact, claim }
      if (profile === 'web-semantic') return { type: ['Course'], credentialSubject: { claim } }
      return { vc: { type: 'Course', credentialSubject: { claim } } }
    }
    expect(await sign(service, profile, { payload: withClaim(deep(70)) })).toMatchObject({ status: 400 })
    expect(await sign(service, profile, { payload: withClaim(deep(50)) })).toMatchObject({ status: 200 })
    expect(await sign(service, profile, { payload: withClaim('x'.repeat(100_000)) })).toMatchObject({ status: 413 })
    expect(await sign(service, profile, { payload: withClaim('x'.repeat(90_000)) })).toMatchObject({ status: 200 })
  }
})

test('a credential can be valid until the end of the year 9999', async () => {
  const exp = 253_402_300_799
  for (const profile of ['compact', 'compact-semantic'] as const) {
    const { decoded } = await signed(service, profile, { payload: { ...payloads[profile], exp } })
    expect(decoded.exp).toBe(exp)
  }
  const expirationDate = '9999-12-31T23:59:59Z'
  const { credential } = await signed(service, 'web-semantic', {
    payload: { ...payloads['web-semantic'], expirationDate },
  })
  expect(credential.expirationDate).toBe(expirationDate)
})

test('a credential that was valid only in the past is signed', async () => {
  const past = { nbf: 1_500_000_000, exp: 1_600_000_000 }
  expect((await signed(service, 'compact', { payload: { ...payloads.compact, ...past } })).decoded).toMatchObject(past)
  const { decoded } = await signed(service, 'compact', { payload: { ...payloads.compact, exp: past.exp } })
  expect(decoded).toMatchObject({ exp: past.exp })
  expect(decoded).not.toHaveProperty('nbf')
})

describe.each(profiles)('the status of %s', (profile) => {
  const pathOf = (id: string, of: string = profile) => `/v2/credentials/${of}/${id}/revocation-status`

  test('is changed and read only by the routes of its profile and by bulk requests', async () => {
    const { id } = await signed(service, profile, { revocable: true })
    const { operator } = service
    expect((await operator.get(pathOf(id))).body).toEqual({ isRevoked: false })
    expect(await operator.post(pathOf(id), { isRevoked: true })).toMatchObject({ status: 200 })
    expect((await operator.get(pathOf(id))).body).toEqual({ isRevoked: true })
    const bulk = { credentials: [id], isRevoked: false }
    const { body: accepted } = await operator.post('/v2/credentials/revocation-status', bulk)
    await eventually(async () => {
      const { body } = await operator.get(`/v2/credentials/revocation-status/${accepted.id}`)
      return body.state === 'done' && body
    })
    expect((await operator.get(pathOf(id))).body).toEqual({ isRevoked: false })
    for (const other of profiles.filter((each) => each !== profile)) {
      expect(await operator.get(pathOf(id, other))).toMatchObject({ status: 404 })
      expect(await operator.post(pathOf(id, other), { isRevoked: false })).toMatchObject({ status: 404 })
    }
    expect(await otherTenant.operator.post(pathOf(id), { isRevoked: false })).toMatchObject({ status: 404 })
  })

  test('does not exist for a credential that is not revocable', async () => {
    const { id, ...answer } = await signed(service, profile)
    expect(answer.credentialStatus ?? answer.decoded?.status).toBeUndefined()
    const refused = { status: 404, body: { details: [{ msg: 'This credential is not revocable', param: 'id' }] } }
    expect(await service.operator.get(pathOf(id))).toMatchObject(refused)
    expect(await service.operator.post(pathOf(id), { isRevoked: true })).toMatchObject(refused)
  })
})

test('a CWT credential can start revoked if it is revocable', async () => {
  for (const profile of ['compact', 'compact-semantic'] as const) {
    const { id, decoded } = await signed(service, profile, { revocable: true, isRevoked: true })
    expect(decoded.status).toEqual({ index: expect.any(Number), url: expect.stringContaining(`/${profile}/`) })
    const { body } = await service.operator.get(`/v2/credentials/${profile}/${id}/revocation-status`)
    expect(body).toEqual({ isRevoked: true })
    const refused = await sign(service, profile, { isRevoked: true })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'isRevoked' }] } })
  }
})

test('a status message is created for a revocable web semantic credential of the tenant', async () => {
  const { id, credentialStatus } = await signed(service, 'web-semantic', { revocable: true })
  const path = (of: string) => `/v2/credentials/web-semantic/${of}/revocation-status/notification`
  const message = { from: service.did, to: ['did:key:z6MkgmEkNM32vyFeMXcQA7AfQDznu47qHCZpy2AYH2Dtdu1d'] }
  await service.operator.post(`/v2/credentials/web-semantic/${id}/revocation-status`, { isRevoked: true })
  const { status, body } = await service.operator.post(path(id), message)
  const { revocationListCredential, revocationListIndex } = credentialStatus
  expect([status, body]).toEqual([
    201,
    {
      ...message,
      id: expect.stringMatching(uuid),
      type: 'https://mattr.global/schemas/verifiable-credential/status/RevocationStatus',
      created_time: expect.any(Number),
      body: { revocationListCredential, revocationListIndex, isRevoked: true },
    },
  ])
  const other = await signed(service, 'web-semantic')
  const compactOne = await signed(service, 'compact', { revocable: true })
  for (const none of [other.id, compactOne.id, randomUUID()]) {
    expect(await service.operator.post(path(none), message)).toMatchObject({ status: 404 })
  }
  for (const wrong of [
    { from: 'Ada', to: message.to },
    { ...message, to: [] },
    { ...message, to: 'did:web:x' },
  ]) {
    expect(await service.operator.post(path(id), wrong)).toMatchObject({ status: 400 })
  }
})
