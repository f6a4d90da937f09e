import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertKeys, tenantOwner } from '../../../db/repos/identifiers/keys.ts'
import { plusMs } from '../../../shared/clock.ts'
import type { ApiResponse } from '../../harness/api-client.ts'
import { compactConfiguration, newOffer, semanticConfiguration, webConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'
import { publishedRow } from '../../harness/published.ts'
import { fetchDidDocument, verifyCwt, verifyCwtBytes, verifyJsonLd } from '../../verifiers/outside-verifiers.ts'
import { newWallet } from '../../wallets/wallet.ts'

const dayMs = 24 * 3_600_000

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

interface Key {
  id: string
  purpose: string
  algorithm: string
  createdAt: string
  retiredAt: string | null
  publishedUntil: string | null
}

const rotate = ({ operator }: TestTenant, purpose: string) => operator.post(`/v1/keys/${purpose}/rotate`)
const keysOf = async ({ operator }: TestTenant, purpose: string): Promise<Key[]> =>
  (await operator.get('/v1/keys')).body.data.filter((key: Key) => key.purpose === purpose)
const idsIn = async ({ anonymous }: TestTenant, path: string): Promise<string[]> =>
  (await anonymous.get(path)).body.keys.map(({ kid }: { kid: string }) => kid)

async function issue(tenant: TestTenant, configurationId: string) {
  const { uri } = await newOffer(tenant, [configurationId])
  const wallet = await newWallet(tenant, service.origin, uri)
  const { status, body } = await wallet.collect()
  expect([status, body]).toEqual([200, body])
  return body.credentials[0].credential
}

const kidOf = (header: Map<number, unknown>) => Buffer.from(header.get(4) as Uint8Array).toString()

test('a new tenant has one active key of each algorithm for each purpose', async () => {
  const tenant = await service.addTenant()
  const { status, body } = await tenant.operator.get('/v1/keys')
  expect(status).toBe(200)
  expect(body.data.map(({ purpose, algorithm }: Key) => `${purpose} ${algorithm}`).sort()).toEqual([
    'audit Ed25519',
    'credentials Bls12381G2',
    'credentials ES256',
    'credentials Ed25519',
    'credentials X25519',
    'encryption ECDH-ES',
    'tokens Ed25519',
    'webhooks Ed25519',
  ])
  for (const key of body.data) expect(key).toMatchObject({ retiredAt: null, publishedUntil: null })
})

test('new keys of a DID sign and come first in its document, and earlier signatures still verify', async () => {
  const tenant = await service.addTenant()
  const [compact, web] = [await compactConfiguration(tenant), await webConfiguration(tenant)]
  const before = { cwt: await issue(tenant, compact), jsonLd: await issue(tenant, web) }
  const old = await fetchDidDocument(tenant.anonymous)
  const { status, body } = await rotate(tenant, 'credentials')
  expect([status, body]).toEqual([201, { id: expect.any(String) }])
  const after = { cwt: await issue(tenant, compact), jsonLd: await issue(tenant, web) }
  const did = await fetchDidDocument(tenant.anonymous)

  for (const { cwt, jsonLd } of [before, after]) {
    verifyCwt(cwt, did)
    expect(await verifyJsonLd(jsonLd, did)).toBe(true)
  }
  expect(kidOf(verifyCwt(after.cwt, did).header)).toBe(body.id)
  expect(() => verifyCwt(after.cwt, old)).toThrow('no such key')
  expect(after.jsonLd.proof.verificationMethod).not.toBe(before.jsonLd.proof.verificationMethod)

  const types = did.verificationMethod.map(({ type }) => type)
  const kinds = ['JsonWebKey2020', 'Ed25519VerificationKey2018', 'Bls12381G2Key2020']
  expect(types.slice(0, 3)).toEqual(kinds)
  expect(types.slice(3, 6).sort()).toEqual(kinds.toSorted())
  expect(types.slice(6)).toEqual(['X25519KeyAgreementKey2019', 'X25519KeyAgreementKey2019'])
  expect(did.verificationMethod[0]?.id).toBe(`${tenant.did}#${body.id}`)
  expect(did.verificationMethod[1]?.id).toBe(after.jsonLd.proof.verificationMethod)
  expect(did).toMatchObject({ '@context': [...new Set((did as never)['@context'] as string[])] })
  const { body: listed } = await tenant.operator.get(`/v1/dids/${encodeURIComponent(tenant.did)}`)
  expect(listed.localMetadata.keys).toHaveLength(8)
})

test('an old key stays in the document only while a signature of it is valid', async () => {
  const tenant = await service.addTenant()
  const expiresIn = { days: 40 }
  await issue(tenant, await compactConfiguration(tenant, { expiresIn: { days: 2 } }))
  await issue(tenant, await compactConfiguration(tenant, { expiresIn }))
  const at = service.clock.now()
  await rotate(tenant, 'credentials')
  const old = (await keysOf(tenant, 'credentials')).filter(({ retiredAt }) => retiredAt)
  expect(old).toHaveLength(4)
  const untilOf = (wanted: string) =>
    Date.parse(String(old.find(({ algorithm }) => algorithm === wanted)!.publishedUntil))
  const ends = plusMs(at, 40 * dayMs).getTime()
  expect(untilOf('ES256')).toBeGreaterThan(ends - 60_000)
  expect(untilOf('ES256')).toBeLessThan(ends + 2 * dayMs)
  // This key has signed nothing.
  expect(untilOf('Ed25519')).toBeLessThan(at.getTime() + 32 * dayMs)

  const isPublished = async (algorithm: string) => {
    const { id } = old.find((key) => key.algorithm === algorithm)!
    return (await fetchDidDocument(tenant.anonymous)).verificationMethod.some((method) => method.id.endsWith(`#${id}`))
  }
  service.clock.advance(39 * dayMs)
  expect([await isPublished('ES256'), await isPublished('Ed25519')]).toEqual([true, false])
  service.clock.advance(3 * dayMs)
  expect(await isPublished('ES256')).toBe(false)
  service.clock.advance(-42 * dayMs)
})

test('an old key that signed a credential without an expiry stays in the document', async () => {
  const tenant = await service.addTenant()
  const credential = await issue(tenant, await semanticConfiguration(tenant))
  await issue(tenant, await compactConfiguration(tenant, { expiresIn: { days: 2 } }))
  await rotate(tenant, 'credentials')
  const old = (await keysOf(tenant, 'credentials')).find(
    ({ retiredAt, algorithm }) => retiredAt && algorithm === 'ES256',
  )
  expect(old).toMatchObject({ publishedUntil: null, retiredAt: expect.any(String) })
  service.clock.advance(20 * 365 * dayMs)
  verifyCwt(credential, await fetchDidDocument(tenant.anonymous))
  service.clock.advance(-20 * 365 * dayMs)
})

test('lists that an old key signed are signed again with the new key', async () => {
  const tenant = await service.addTenant()
  const [compact, web] = [
    await compactConfiguration(tenant, { revocable: true }),
    await webConfiguration(tenant, { revocable: true }),
  ]
  const cwt = verifyCwt(await issue(tenant, compact), await fetchDidDocument(tenant.anonymous))
  const urls = [
    (cwt.claims.get(-65537) as Map<number, string>).get(3)!,
    (await issue(tenant, web)).credentialStatus.revocationListCredential as string,
  ]
  const lists = urls.map((url) => url.slice(url.lastIndexOf('/') + 1))
  const { body } = await rotate(tenant, 'credentials')
  const current = (await keysOf(tenant, 'credentials')).filter(({ retiredAt }) => !retiredAt).map(({ id }) => id)
  await eventually(async () => {
    const rows = await Promise.all(lists.map((id) => publishedRow(service.deps.db, tenant.id, id)))
    return rows.every(({ keyId, version }) => version > 1 && current.includes(String(keyId)))
  })
  const did = await fetchDidDocument(tenant.anonymous)
  const [first, second] = await Promise.all(lists.map((id) => publishedRow(service.deps.db, tenant.id, id)))
  expect(kidOf(verifyCwtBytes(first!.content, did).header)).toBe(body.id)
  expect(await verifyJsonLd(JSON.parse(String(second!.content)), did)).toBe(true)
})

test('tokens of an old key are valid until they expire, and its key is published until then', async () => {
  const tenant = await service.addTenant()
  const newToken = () => tokenOf(service.origin, tenant.host, tenant.clientId, tenant.clientSecret)
  const before = await newToken()
  const { body } = await rotate(tenant, 'tokens')
  const after = await newToken()
  const { body: jwks } = await tenant.anonymous.get('/v1/openid/jwks')
  const kids = []
  for (const token of [before, after]) {
    const { protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks), { audience: tenant.baseUrl })
    kids.push(protectedHeader.kid)
    expect(await as(tenant, token)).toMatchObject({ status: 200 })
  }
  expect(kids[1]).toBe(body.id)
  expect(jwks.keys.slice(0, 2).map(({ kid }: { kid: string }) => kid)).toEqual(kids.toReversed())
  service.clock.advance(26 * 3_600_000)
  // The next key is the DID key that signs metadata.
  expect(await idsIn(tenant, '/v1/openid/jwks')).toEqual([body.id, expect.stringMatching(/^did:web:/)])
  service.clock.advance(-26 * 3_600_000)
})

const as = ({ anonymous }: TestTenant, token: string): Promise<ApiResponse> =>
  anonymous.send('GET', '/v1/keys', undefined, { authorization: `Bearer ${token}` })

test('the metadata contains only the new encryption key at once', async () => {
  const tenant = await service.addTenant()
  const publishedKeys = async () => {
    const { body } = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
    return body.credential_request_encryption.jwks.keys.map(({ kid }: { kid: string }) => kid)
  }
  const { body } = await rotate(tenant, 'encryption')
  expect(await publishedKeys()).toEqual([body.id])
  const [current, old] = await keysOf(tenant, 'encryption')
  expect(current).toMatchObject({ id: body.id, retiredAt: null })
  expect(Date.parse(old!.publishedUntil!) - Date.parse(old!.retiredAt!)).toBe(dayMs)
})

test.each(['/.well-known/did.json', '/v1/openid/jwks', '/v1/webhooks/jwks'])(
  'caches of %s must revalidate, so that they see new keys',
  async (path) => {
    const tenant = await service.addTenant()
    const kept = await tenant.anonymous.get(path)
    expect(kept.headers['cache-control']).toBe('no-cache')
    const again = () => tenant.anonymous.send('GET', path, undefined, { 'if-none-match': String(kept.headers.etag) })
    expect(await again()).toMatchObject({ status: 304 })
    for (const purpose of ['credentials', 'tokens', 'webhooks']) await rotate(tenant, purpose)
    expect(await again()).toMatchObject({ status: 200 })
  },
)

test('the rotation of an unknown purpose answers 404, even for names of object members', async () => {
  for (const purpose of ['did', 'Credentials', 'constructor', randomUUID()]) {
    expect(await rotate(service, purpose)).toMatchObject({
      status: 404,
      body: { code: 'NotFound', details: [{ param: 'purpose', location: 'params' }] },
    })
  }
})

test('a repeated rotation job creates one key, and a rotation is refused while too many keys are published', async () => {
  const tenant = await service.addTenant()
  const { clock, deps, keyring } = service
  const [at, by] = [clock.now(), { event: 'KEY_ROTATE', requestId: randomUUID() }]
  const rotation = { tenantId: tenant.id, use: 'webhooks', keyId: 'a-key', by } as const
  for (const _run of [1, 2]) await deps.keys.call('rotateKeys', rotation)
  expect(await idsIn(tenant, '/v1/webhooks/jwks')).toHaveLength(2)
  const owned = { tenantId: tenant.id, owner: tenantOwner, purpose: 'webhook', algorithm: 'Ed25519' } as const
  const rows = Array.from({ length: 98 }, () => ({
    ...keyring.newKey(owned, at),
    retiredAt: at,
    publishedUntil: plusMs(at, dayMs),
  }))
  await deps.db.tx((tx) => insertKeys(tx, rows))
  expect(await rotate(tenant, 'webhooks')).toMatchObject({ status: 201 })
  const refused = await tenant.operator.post('/v1/webhooks/keys/rotate')
  expect(refused).toMatchObject({ status: 409, body: { code: 'Conflict', message: expect.stringContaining('100') } })
  expect(await rotate(tenant, 'tokens')).toMatchObject({ status: 201 })
})
