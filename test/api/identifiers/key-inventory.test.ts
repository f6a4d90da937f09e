import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../harness/harness.ts'
import { createTestKeyProvider } from '../../harness/test-key-provider.ts'

const token = createTestKeyProvider()
let service: Service
beforeAll(async () => {
  service = await startService({ keyProviders: [token.provider] })
})
afterAll(() => service[Symbol.asyncDispose]())

interface InventoryKey {
  id: string
  purpose: string
  part: string
  owner: { kind: string; id?: string }
  algorithm: string
  provider: string
  retiredAt: string | null
}

const hardware = { certificateAuthorities: 'pkcs11', dids: 'pkcs11' }
const newTenant = () => service.addTenant({ keys: hardware, createRoot: true, country: 'NZ' })

async function inventoryOf({ operator }: Pick<Service, 'operator'>, limit: number): Promise<InventoryKey[]> {
  const keys: InventoryKey[] = []
  for (let query = `limit=${limit}`; ; ) {
    const { status, body } = await operator.get(`/v1/keys/inventory?${query}`)
    expect(status).toBe(200)
    keys.push(...body.data)
    if (!body.nextCursor) return keys
    query = `limit=${limit}&cursor=${body.nextCursor}`
  }
}

test('the inventory has each key of the tenant, of its DIDs and of its certificates once, page by page', async () => {
  const tenant = await newTenant()
  const { did } = (await tenant.operator.post('/v1/dids', { method: 'key' })).body
  await tenant.operator.post('/v1/keys/webhooks/rotate')
  const keys = await inventoryOf(tenant, 3)
  expect(new Set(keys.map(({ id }) => id)).size).toBe(keys.length)
  const lines = keys.map((key) => `${key.owner.kind} ${key.purpose} ${key.part} ${key.algorithm} ${key.provider}`)
  expect(lines.sort()).toEqual([
    'certificate certificate certificateAuthorities ES256 pkcs11',
    'certificate certificate documentSigners ES256 software',
    'certificate certificate documentSigners ES256 software',
    'did did dids Ed25519 pkcs11',
    'tenant audit default Ed25519 software',
    'tenant credentials dids Bls12381G2 software',
    'tenant credentials dids ES256 pkcs11',
    'tenant credentials dids Ed25519 pkcs11',
    'tenant credentials messages X25519 software',
    'tenant encryption messages ECDH-ES software',
    'tenant tokens tokens Ed25519 software',
    'tenant webhooks default Ed25519 software',
    'tenant webhooks default Ed25519 software',
  ])
  expect(keys.filter(({ retiredAt }) => retiredAt !== null).map(({ purpose }) => purpose)).toEqual(['webhooks'])
  // Neither the wrapped key nor its name in the provider.
  expect(Object.keys(keys[0]!).sort()).toEqual(
    ['algorithm', 'createdAt', 'id', 'owner', 'part', 'provider', 'purpose', 'retiredAt'].sort(),
  )
  const ofDid = (await tenant.operator.get(`/v1/dids/${did}`)).body.localMetadata.keys
  expect(ofDid.map(({ kmsKeyId, provider }: Record<string, string>) => [kmsKeyId, provider])).toContainEqual([
    keys.find(({ owner }) => owner.kind === 'did')!.id,
    'pkcs11',
  ])
})

test('authorities, signers, DIDs, keys and the overview show where the private key is, and public documents do not', async () => {
  const tenant = await newTenant()
  const { operator, anonymous } = tenant
  const providersAt = async (path: string) =>
    (await operator.get(path)).body.data.map(({ provider }: { provider?: string }) => provider)
  expect(await providersAt('/v2/credentials/mobile/iacas')).toEqual(['pkcs11'])
  expect(await providersAt('/v2/credentials/mobile/document-signers')).toEqual(['software'])
  const [iaca] = (await operator.get('/v2/credentials/mobile/iacas')).body.data
  const external = { certificatePem: iaca.certificatePem, active: false }
  const other = await service.addTenant()
  const created = await other.operator.post('/v2/credentials/mobile/iacas', external)
  expect([created.status, created.body.isManaged, created.body.provider]).toEqual([201, false, undefined])
  const root = await operator.post('/v1/ecosystems/certificates/ca', { commonName: 'Root', country: 'NZ' })
  expect([root.status, root.body.provider]).toEqual([201, 'pkcs11'])
  const [own] = (await operator.get('/v1/dids')).body.data
  expect(new Set(own.localMetadata.keys.map(({ provider }: { provider: string }) => provider))).toEqual(
    new Set(['pkcs11', 'software']),
  )
  const ownKeys = (await operator.get('/v1/keys')).body.data
  expect(ownKeys.find(({ algorithm }: InventoryKey) => algorithm === 'ES256').provider).toBe('pkcs11')
  const roots = (await operator.get('/v1/overview/signing-roots')).body.data
  expect(roots).toContainEqual(
    expect.objectContaining({ profile: 'mobile', provider: 'pkcs11', signerProvider: 'software' }),
  )
  for (const path of ['/.well-known/did.json', '/v1/webhooks/jwks', '/v1/openid/jwks', '/v1/openid/iacas']) {
    const { status, body } = await anonymous.get(path)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toMatch(/provider|pkcs11/)
  }
})

test('the inventory has no keys of another tenant', async () => {
  const [one, two] = [await newTenant(), await service.addTenant()]
  const ids = new Set((await inventoryOf(one, 100)).map(({ id }) => id))
  expect((await inventoryOf(two, 100)).filter(({ id }) => ids.has(id))).toEqual([])
})
