import { base58btc } from 'multiformats/bases/base58'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findKey } from '../../../db/repos/identifiers/keys.ts'
import { resolveDidKey } from '../../../shared/formats/did-key.ts'
import { publicJwk } from '../../../shared/formats/jwk.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const at = (did: string) => `/v1/dids/${encodeURIComponent(did)}`
const web = (url: string) => ({ method: 'web', options: { url } })
const typesOf = (document: { verificationMethod: { type: string }[] }) =>
  document.verificationMethod.map(({ type }) => type)

/** Returns the stored keys of a DID. */
async function storedKeys(tenant: TestTenant, { localMetadata }: { localMetadata: { keys: { kmsKeyId: string }[] } }) {
  return Promise.all(localMetadata.keys.map(({ kmsKeyId }) => findKey(service.deps.db.read, tenant.id, kmsKeyId)))
}

test('a did:web has four keys with contexts and relationships, and each is a stored key', async () => {
  const tenant = await service.addTenant()
  const before = service.clock.now().getTime()
  const { status, body } = await tenant.operator.post('/v1/dids', web('Messages.Example.org'))
  expect(status).toBe(201)
  const did = 'did:web:messages.example.org'
  const { keys, registered, initialDidDocument: document } = body.localMetadata
  expect(body).toMatchObject({ did, registrationStatus: 'COMPLETED' })
  expect(registered).toBeGreaterThanOrEqual(before)
  expect(registered).toBeLessThanOrEqual(service.clock.now().getTime())

  expect(document['@context']).toEqual([
    'https://www.w3.org/ns/did/v1',
    'https://w3id.org/security/suites/jws-2020/v1',
    'https://w3id.org/security/suites/ed25519-2018/v1',
    'https://w3id.org/security/bbs/v1',
    'https://w3id.org/security/suites/x25519-2019/v1',
  ])
  expect(typesOf(document)).toEqual([
    'JsonWebKey2020',
    'Ed25519VerificationKey2018',
    'Bls12381G2Key2020',
    'X25519KeyAgreementKey2019',
  ])
  const ids = document.verificationMethod.map(({ id }: { id: string }) => id)
  const signing = ids.slice(0, 3)
  expect(document).toMatchObject({
    ...{ id: did, authentication: signing, assertionMethod: signing, capabilityDelegation: signing },
    ...{ capabilityInvocation: signing, keyAgreement: [ids[3]] },
  })
  expect(keys).toEqual(
    ids.map((didDocumentKeyId: string) => ({
      provider: 'software',
      didDocumentKeyId,
      kmsKeyId: expect.stringMatching(uuid),
    })),
  )

  const rows = await storedKeys(tenant, body)
  expect(rows.map((row) => row?.algorithm)).toEqual(['ES256', 'Ed25519', 'Bls12381G2', 'X25519'])
  expect(document.verificationMethod[0].publicKeyJwk).toEqual(rows[0]!.publicJwk)
  for (const place of [1, 2, 3]) {
    const bytes = base58btc.baseDecode(document.verificationMethod[place].publicKeyBase58)
    expect(Buffer.from(bytes).toString('base64url')).toBe(rows[place]!.publicJwk.x)
  }
  expect(await tenant.operator.get(at(did))).toMatchObject({ status: 200, body })
})

test('a did:key has an Ed25519 key with a derived key for key agreement, or a Bls12381G2 key', async () => {
  const tenant = await service.addTenant()
  const { status, body } = await tenant.operator.post('/v1/dids', { method: 'key' })
  expect(status).toBe(201)
  expect(body.did).toMatch(/^did:key:z6Mk/)
  const { initialDidDocument: document, keys } = body.localMetadata
  expect(typesOf(document)).toEqual(['Ed25519VerificationKey2018', 'X25519KeyAgreementKey2019'])
  expect(document.assertionMethod).toEqual([resolveDidKey(body.did).keyId])
  expect(document.keyAgreement).toEqual([expect.stringMatching(/^did:key:z6Mk\w+#z6LS/)])
  expect(keys.map((key: { didDocumentKeyId: string }) => key.didDocumentKeyId)).toEqual([
    ...document.assertionMethod,
    ...document.keyAgreement,
  ])
  const rows = await storedKeys(tenant, body)
  const { keyring } = service
  const opened = await Promise.all([keyring.openSigner(rows[0]!), keyring.openAgreement(rows[1]!)])
  const halves = opened.map(({ publicKey }) => publicJwk(publicKey))
  expect(halves).toEqual(rows.map((row) => row?.publicJwk))
  expect(halves.map(({ crv }) => crv)).toEqual(['Ed25519', 'X25519'])

  const bls = await tenant.operator.post('/v1/dids', { method: 'key', options: { keyType: 'Bls12381G2' } })
  expect(bls.body.did).toMatch(/^did:key:zUC7/)
  expect(typesOf(bls.body.localMetadata.initialDidDocument)).toEqual(['Bls12381G2Key2020'])
  expect(bls.body.localMetadata.initialDidDocument.keyAgreement).toEqual([])
})

test("the list starts with the tenant's own did:web, which is published and cannot be deleted", async () => {
  const tenant = await service.addTenant()
  const otherTenant = await service.addTenant()
  const made: string[] = []
  for (let count = 0; count < 3; count++) {
    made.push((await tenant.operator.post('/v1/dids', { method: 'key' })).body.did)
  }
  const pages = await pagesOf<{ did: string }>(tenant.operator, '/v1/dids?limit=1')
  expect(pages.map((page) => page.map(({ did }) => did))).toEqual([tenant.did, ...made].map((did) => [did]))
  expect((await tenant.operator.get('/v1/dids')).body.data).toHaveLength(4)

  const own = await tenant.operator.get(at(tenant.did))
  const { body: published } = await tenant.anonymous.get('/.well-known/did.json')
  expect(own.body.localMetadata.initialDidDocument).toEqual(published)
  expect(await storedKeys(tenant, own.body)).toMatchObject([{ purpose: 'did' }, {}, {}, {}])
  expect(await tenant.operator.delete(at(tenant.did))).toMatchObject({ status: 409, body: { code: 'Conflict' } })
  expect(await otherTenant.operator.delete(at(tenant.did))).toMatchObject({ status: 404 })
  expect((await otherTenant.operator.get('/v1/dids')).body.data).toMatchObject([{ did: otherTenant.did }])
})

test('a DID is deleted with its keys and can be created again', async () => {
  const tenant = await service.addTenant()
  const { body } = await tenant.operator.post('/v1/dids', web('again.example.org'))
  expect(await tenant.operator.delete(at(body.did))).toMatchObject({ status: 204 })
  expect(await storedKeys(tenant, body)).toEqual([undefined, undefined, undefined, undefined])
  expect(await tenant.operator.get(at(body.did))).toMatchObject({ status: 404 })
  expect(await tenant.operator.delete(at(body.did))).toMatchObject({ status: 404 })
  const again = await tenant.operator.post('/v1/dids', web('again.example.org'))
  expect(again.status).toBe(201)
  expect(again.body.localMetadata.keys).not.toEqual(body.localMetadata.keys)
})

test('a tenant has each did:web once, even with concurrent requests, and another tenant can have it too', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const body = web('once.example.org')
  const answers = await Promise.all([1, 2, 3, 4].map(() => tenant.operator.post('/v1/dids', body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  expect(await other.operator.post('/v1/dids', body)).toMatchObject({ status: 201 })
})

test('a tenant cannot exceed its limit of DIDs, even with concurrent requests', async () => {
  const tenant = await service.addTenant({ limits: { dids: 2 } })
  const answers = await Promise.all([1, 2, 3, 4].map(() => tenant.operator.post('/v1/dids', { method: 'key' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
  expect((await tenant.operator.get('/v1/dids')).body.data).toHaveLength(3)
})

test('a domain at which the service publishes the DID of a tenant cannot be used for a did:web', async () => {
  const tenant = await service.addTenant({ aliases: ['issuer.example.org'] })
  const otherTenant = await service.addTenant()
  for (const { operator } of [tenant, otherTenant]) {
    expect(await operator.post('/v1/dids', web('issuer.example.org'))).toMatchObject({ status: 409 })
  }
})

test.each([
  ['no method', {}, ''],
  ['another method', { method: 'jwk' }, 'method'],
  ['a did:web without a domain', { method: 'web' }, 'options'],
  ['a scheme', web('https://example.org'), 'options.url'],
  ['a path', web('example.org/issuer'), 'options.url'],
  ['a path in the syntax of did:web', web('example.org:issuer'), 'options.url'],
  ['an address', web('127.0.0.1'), 'options.url'],
  ['one label', web('localhost'), 'options.url'],
  ['a label that is too long', web(`${'a'.repeat(64)}.org`), 'options.url'],
  ['an empty label', web('a..org'), 'options.url'],
  ['an invalid port', web('example.org:65536'), 'options.url'],
  [
    'a key type that is not supported for did:key',
    { method: 'key', options: { keyType: 'X25519' } },
    'options.keyType',
  ],
])('refuses %s', async (_, body, param) => {
  const answer = await service.operator.post('/v1/dids', body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest' } })
  expect(answer.body.details).toEqual([expect.objectContaining({ param: param || 'method', location: 'body' })])
})
