import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { createKeyring } from '../../../workers/signing/keys/keyring.ts'
import type { Token } from '../../../workers/signing/keys/pkcs11/open-token.ts'
import { secretKeyInToken } from '../../../workers/signing/keys/pkcs11/secret-key-in-token.ts'
import type { SecretKeyInDevice } from '../../../workers/signing/keys/wrapping.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { makeToken, type TestToken } from '../../harness/softhsm.ts'
import { issued } from '../../harness/verifying.ts'

const tags = { tags: 'pkcs11' as const }
let made: TestToken
let token: Token
let key: SecretKeyInDevice
let service: Service

beforeAll(async () => {
  made = makeToken()
  token = await made.open()
  key = await secretKeyInToken(token, await token.makeSecretKey({ label: 'kek', id: 'kek' }))
  service = await startService({ keyEncryptionKey: key })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await made?.[Symbol.asyncDispose]()
})

test(
  'a service whose key-encryption key is in a token makes tenants, certificates and DIDs, issues and rotates',
  tags,
  async () => {
    const tenant = await service.addTenant({ createRoot: true, country: 'NZ' })
    const configurationId = await compactConfiguration(tenant)
    const { credential } = await issued(service, tenant, configurationId)
    for (const options of [
      { method: 'key', options: { keyType: 'Ed25519' } },
      { method: 'key', options: { keyType: 'Bls12381G2' } },
    ])
      expect((await tenant.operator.post('/v1/dids', options)).status).toBe(201)
    expect(await tenant.operator.post('/v1/keys/credentials/rotate')).toMatchObject({ status: 201 })
    const second = await issued(service, tenant, configurationId)
    for (const payload of [credential, second.credential]) {
      const verified = await service.operator.post('/v2/credentials/compact/verify', { payload })
      expect(verified.body).toMatchObject({ verified: true })
    }

    const rows = await service.deps.db.read.select().from(keys).where(eq(keys.tenantId, tenant.id))
    expect(rows.length).toBeGreaterThan(10)
    const [own, other] = [createKeyring([key]), createKeyring([randomBytes(32)])]
    for (const row of rows) expect([await own.opens(row), await other.opens(row)]).toEqual([true, false])
  },
)
