import { diffieHellman, generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { deleteProviderKeys } from '../../../db/repos/identifiers/key-destruction.ts'
import { findPlatformId } from '../../../db/repos/tenancy/tenants.ts'
import { auditEvents } from '../../../db/schema.ts'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { hourMs } from '../../../shared/clock.ts'
import { readConfig } from '../../../shared/settings/config.ts'
import { KeyProviderRefused } from '../../../workers/signing/keys/provider.ts'
import { exportToFile } from '../../../workers/signing/moves/export.ts'
import { makeReceiver, readReceiverFile } from '../../../workers/signing/moves/receive.ts'
import { rotateDueKeys } from '../../../workers/signing/rotate-due-keys.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { signingDeps } from '../../harness/published.ts'
import { createTestKeyProvider } from '../../harness/test-key-provider.ts'
import { issued } from '../../harness/verifying.ts'

const token = createTestKeyProvider()
let service: Service
beforeAll(async () => {
  service = await startService({ keyProviders: [token.provider] })
})
afterAll(() => service[Symbol.asyncDispose]())

const rowsOf = ({ id }: Pick<TestTenant, 'id'>) => service.deps.db.read.select().from(keys).where(eq(keys.tenantId, id))
const inToken = async (tenant: Pick<TestTenant, 'id'>) =>
  (await rowsOf(tenant)).filter(({ provider }) => provider === 'pkcs11')
const destructionsOf = async (tenantId: string) =>
  (await service.deps.db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, tenantId)))
    .filter(({ type }) => type === 'KEY_DELETE_AUDIT')
    .map(({ data }) => data as Record<string, unknown>)

test('the policy of a tenant decides where its keys are, and the keys of a token sign and decrypt', async () => {
  const policy = { default: 'pkcs11', tokens: 'software' }
  const tenant = await service.addTenant({ keys: policy, createRoot: true, country: 'NZ' })
  expect((await service.platform.get(`/v1/tenants/${tenant.id}`)).body.keys).toEqual(policy)
  const rows = await rowsOf(tenant)
  const software = rows.filter(({ provider }) => provider === 'software')
  // The token has no keys of the other algorithms, and management tokens have another provider.
  expect(software.map(({ purpose, algorithm }) => `${purpose} ${algorithm}`).sort()).toEqual([
    'did Bls12381G2',
    'did X25519',
    'token Ed25519',
  ])
  for (const { id, purpose, handle, wrappedPrivateKey, wrappedUnder } of await inToken(tenant)) {
    expect([wrappedPrivateKey.length, wrappedUnder]).toEqual([0, ''])
    expect(token.labels.get(handle!)).toBe(`${tenant.id} ${purpose} ${id}`)
  }
  expect(rows.filter(({ purpose }) => purpose === 'certificate').map(({ provider }) => provider)).toEqual(
    Array.from({ length: 3 }, () => 'pkcs11'),
  )
  // Ed25519, ES256, and the agreement of an encrypted request.
  const payload = {
    ...{ '@context': ['https://www.w3.org/2018/credentials/v1'], type: ['VerifiableCredential'] },
    ...{ issuer: { id: tenant.did, name: 'School' }, credentialSubject: { id: 'did:example:ada' } },
  }
  const signed = await tenant.operator.post('/v2/credentials/web-semantic/sign', { payload })
  expect([signed.status, signed.body.credential.proof.type]).toEqual([200, 'Ed25519Signature2018'])
  const { credential } = await issued(service, tenant, await compactConfiguration(tenant))
  const { body } = await service.operator.post('/v2/credentials/compact/verify', { payload: credential })
  expect(body).toMatchObject({ verified: true })
  const encryption = rows.find(({ purpose }) => purpose === 'encryption')
  const peer = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const agreement = await service.keyring.agreement(service.deps.db.read, tenant.id, encryption!.id)
  const secret = diffieHellman({ privateKey: peer.privateKey, publicKey: agreement.publicKey })
  expect(await agreement.derive(peer.publicKey)).toEqual(secret)
})

test('a rotation moves the keys of a use to the provider of the policy, and the retired key is destroyed later', async () => {
  const tenant = await service.addTenant()
  expect(await inToken(tenant)).toEqual([])
  await service.platform.put(`/v1/tenants/${tenant.id}?partial=true`, { keys: { default: 'pkcs11' } })
  expect(await tenant.operator.post('/v1/keys/webhooks/rotate')).toMatchObject({ status: 201 })
  const [moved, ...more] = await inToken(tenant)
  expect([moved?.purpose, more]).toEqual(['webhook', []])
  expect(token.stored.has(moved!.handle!)).toBe(true)
  await tenant.operator.post('/v1/keys/webhooks/rotate')
  expect(token.stored.has(moved!.handle!)).toBe(true)
  service.clock.advance(3 * hourMs)
  await rotateDueKeys(signingDeps(service))
  service.deps.bus.poke()
  await eventually(async () => !token.stored.has(moved!.handle!))
  // Its public key is published.
  await eventually(async () => (await destructionsOf(tenant.id)).length > 0)
  expect(await destructionsOf(tenant.id)).toMatchObject([{ ids: [moved!.id], provider: 'pkcs11', isDestroyed: true }])
  expect((await rowsOf(tenant)).find(({ id }) => id === moved!.id)).toMatchObject({ handle: null })
})

test('deleted objects and tenants have no keys in the provider, also if it refuses or is away meanwhile', async () => {
  const tenant = await service.addTenant({ keys: { default: 'pkcs11' } })
  const { body } = await tenant.operator.post('/v1/dids', { method: 'key' })
  const ofDid = (await inToken(tenant)).filter(({ ownerKind }) => ownerKind === 'did')
  // The agreement key of an Ed25519 key is derived from its private key, which cannot leave the token.
  expect(ofDid.map(({ algorithm }) => algorithm)).toEqual(['Ed25519'])
  expect(body.localMetadata.initialDidDocument.keyAgreement).toEqual([])
  token.setAway(true)
  expect(await tenant.operator.delete(`/v1/dids/${body.did}`)).toMatchObject({ status: 204 })
  token.setAway(false)
  await eventually(async () => !token.stored.has(ofDid[0]!.handle!))

  const handles = (await inToken(tenant)).map(({ handle }) => handle!)
  expect(handles.length).toBeGreaterThan(3)
  const { destroy } = token.provider
  onTestFinished(() => void Object.assign(token.provider, { destroy }))
  const [refused = '', ...destroyed] = handles
  token.provider.destroy = async (handle) => {
    if (handle === refused) throw new KeyProviderRefused('The token is read-only.')
    return destroy(handle)
  }
  await service.workers.stop()
  expect(await service.platform.delete(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 204 })
  // The request does not read the keys, of which there can be many.
  expect(await inToken(tenant)).toHaveLength(handles.length)
  const { db } = service.deps
  const page = () => db.tx((tx) => deleteProviderKeys(tx, tenant.id, service.clock.now(), 2))
  expect([await page(), (await inToken(tenant)).length]).toEqual([2, handles.length - 2])
  await service.workers.start()
  await eventually(async () => !destroyed.some((handle) => token.stored.has(handle)))
  const platformId = (await findPlatformId(service.deps.db.read)) ?? ''
  const refusals = async () => (await destructionsOf(platformId)).filter(({ isDestroyed }) => isDestroyed === false)
  await eventually(async () => (await refusals()).length > 0)
  expect(await refusals()).toMatchObject([{ tenantId: tenant.id, refusal: 'The token is read-only.' }])
})

test('the export of a tenant names the keys that cannot move', async () => {
  const tenant = await service.addTenant({ keys: { tokens: 'pkcs11' } })
  const [{ id } = { id: '' }] = await inToken(tenant)
  const folder = mkdtempSync(join(tmpdir(), 'trustwright-move-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { config, secrets, clock } = service.deps
  await service.platform.post(`/v1/tenants/${tenant.id}/move`)
  await makeReceiver(join(folder, 'keys'), () => undefined)
  const receiver = readReceiverFile(join(folder, 'keys', 'receiver.json'), 'public')
  const file = join(folder, 'export')
  const installation = {
    databaseUrl: config.databaseUrl,
    secrets,
    keyring: service.keyring,
    clock,
    print: () => undefined,
  }
  await expect(exportToFile({ ...installation, tenant: tenant.id, file, receiver })).rejects.toThrow(
    `cannot leave: ${id} (token, pkcs11).`,
  )
  expect(existsSync(file)).toBe(false)
})

test('keys of a failed creation are destroyed, and a provider that is away answers 503', async () => {
  const tenant = await service.addTenant({ keys: { default: 'pkcs11' } })
  const before = token.stored.size
  token.setAway(true)
  const answer = await tenant.operator.post('/v1/keys/webhooks/rotate')
  token.setAway(false)
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
  expect(answer.body.message).toBe('The keys of this tenant are not available. Try again.')
  expect(token.stored.size).toBe(before)
  const unknown = await service.addTenant()
  await service.platform.put(`/v1/tenants/${unknown.id}?partial=true`, { keys: { default: 'remote:kms' } })
  expect(await unknown.operator.post('/v1/keys/webhooks/rotate')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('remote:kms, which the signing process does not have') },
  })
})

test.each([
  [{ dids: 'hsm' }, 'keys.dids'],
  [{ default: 'remote:' }, 'keys.default'],
])('a policy of %j is refused by name', async (policy, param) => {
  const answer = await service.platform.post('/v1/tenants', { name: 'x', subdomain: 'x', keys: policy })
  expect([answer.status, answer.body.details?.[0]?.param]).toEqual([400, param])
})

test('keys that the platform requires in hardware are never software keys, and a DID has no keys that the provider lacks', async () => {
  const own = createTestKeyProvider()
  const env = { KEY_PROVIDER: 'pkcs11', REQUIRE_HARDWARE_KEYS: 'default,certificateAuthorities,dids,messages,tokens' }
  await using strict = await startService({ keyProviders: [own.provider], env })
  const all = await strict.deps.db.read.select().from(keys)
  expect(all.filter(({ provider }) => provider !== 'pkcs11')).toEqual([])
  const { body: document } = await strict.anonymous.get('/.well-known/did.json')
  expect(document.verificationMethod.map(({ type }: { type: string }) => type)).toEqual([
    'JsonWebKey2020',
    'Ed25519VerificationKey2018',
  ])
  expect(document.keyAgreement).toEqual([])
  const bls = await strict.operator.post('/v1/dids', { method: 'key', options: { keyType: 'Bls12381G2' } })
  expect([bls.status, bls.body.message]).toEqual([409, expect.stringContaining('cannot have a key of Bls12381G2')])
  const web = await strict.operator.post('/v1/dids', { method: 'key' })
  expect(web.body.localMetadata.initialDidDocument.verificationMethod).toHaveLength(1)

  const weaker = await strict.platform.put(`/v1/tenants/${strict.id}`, { keys: { tokens: 'software' } })
  expect([weaker.status, weaker.body.details]).toEqual([400, [expect.objectContaining({ param: 'keys.tokens' })]])
  const allowed = await strict.platform.put(`/v1/tenants/${strict.id}`, { keys: { documentSigners: 'software' } })
  expect(allowed).toMatchObject({ status: 200, body: { keys: { documentSigners: 'software' } } })
  expect(() => readConfig({ REQUIRE_HARDWARE_KEYS: 'tokens' })).toThrow('KEY_PROVIDER is software')
})
