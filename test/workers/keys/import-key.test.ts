import { spawnSync } from 'node:child_process'
import { randomBytes, verify, X509Certificate } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditEvents, certificates } from '../../../db/schema.ts'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { hourMs } from '../../../shared/clock.ts'
import { publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import { importCertificateKey, type KeyImport } from '../../../workers/signing/keys/pkcs11/import-certificate-key.ts'
import { tenantOfKey } from '../../../workers/signing/keys/pkcs11/key-name.ts'
import type { Token } from '../../../workers/signing/keys/pkcs11/open-token.ts'
import { createTokenProvider } from '../../../workers/signing/keys/pkcs11/token-provider.ts'
import { required } from '../../harness/commands.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { makeToken, type TestToken } from '../../harness/softhsm.ts'
import { inherited } from '../../harness/started.ts'

const tags = { tags: 'pkcs11' as const }
const keyEncryptionKey = randomBytes(32)
let made: TestToken
let token: Token
let service: Service
let tenant: TestTenant
let root: { certificateId: string; certificate: X509Certificate }

beforeAll(async () => {
  made = makeToken()
  token = await made.open()
  service = await startService({ keyEncryptionKey })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await made[Symbol.asyncDispose]()
})
beforeEach(async () => {
  tenant = await service.addTenant({ createRoot: true, country: 'NZ' })
  const [row] = await service.deps.db.read
    .select()
    .from(certificates)
    .where(and(eq(certificates.tenantId, tenant.id), eq(certificates.kind, 'iaca')))
  root = { certificateId: row!.id, certificate: new X509Certificate(row!.certificate!) }
})

async function keyOf(certificateId: string) {
  const [row] = await service.deps.db.read
    .select()
    .from(keys)
    .where(and(eq(keys.tenantId, tenant.id), eq(keys.ownerId, certificateId)))
  return row!
}
/** The handles of the keys of certificates of the tenant. */
const handlesInToken = async () => (await token.list()).filter((handle) => tenantOfKey(handle) === tenant.id)
const audited = async () =>
  (await service.deps.db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, tenant.id)))
    .filter(({ type }) => type === 'KEY_IMPORT_AUDIT')
    .map(({ data }) => data)

function importKey(changes: Partial<KeyImport> = {}): Promise<void> {
  const { deps, keyring } = service
  const { certificateId } = root
  const request = { db: deps.db, clock: deps.clock, keyring, token, tenant: tenant.id, certificateId }
  return importCertificateKey({ ...request, confirm: async () => certificateId, ...changes })
}

/** Expects that the token has a key of the row that signs for the certificate, and that the database has none. */
async function expectImported(): Promise<void> {
  const row = await keyOf(root.certificateId)
  expect(row).toMatchObject({ provider: 'pkcs11', wrappedUnder: '', wrappedPrivateKey: Buffer.alloc(0) })
  const { id, tenantId, algorithm, handle, publicJwk } = row
  if (algorithm !== 'ES256' || !('crv' in publicJwk) || publicJwk.crv === 'Bls12381G2') throw new Error('not ES256')
  const key = { id, tenantId, algorithm, handle: handle!, publicKey: publicKeyFromJwk(publicJwk) }
  const bytes = randomBytes(100)
  const signature = await createTokenProvider(token).signer(key).sign(bytes)
  const { publicKey } = root.certificate
  expect(verify('sha256', bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
  expect(await audited()).toEqual([{ ids: [id], certificateId: root.certificateId, provider: 'pkcs11' }])
}

test('the command moves the key of a root into the token after its id was typed, once', tags, async () => {
  const { module, uri, pinFile } = made.settings
  const env = {
    ...{
      ...inherited(),
      ...required,
      DATA_DIR: made.folder,
      PKCS11_MODULE: module,
      PKCS11_TOKEN: uri,
      PKCS11_PIN_FILE: pinFile,
    },
    ...{ DATABASE_URL: service.deps.config.databaseUrl, SOFTHSM2_CONF: process.env.SOFTHSM2_CONF! },
    KEY_ENCRYPTION_KEY: keyEncryptionKey.toString('base64'),
  }
  const program = ['workers/signing/keys/pkcs11/import-key.ts', '--tenant', tenant.id]
  const run = (input: string) =>
    spawnSync(process.execPath, [...program, '--certificate', root.certificateId], { env, input, encoding: 'utf8' })
  const before = await keyOf(root.certificateId)
  const unconfirmed = run('yes\n')
  expect([unconfirmed.status, unconfirmed.stderr.trim()]).toEqual([1, 'The id was not typed. Nothing has changed.'])
  expect(unconfirmed.stdout).toContain('Each backup of the database still has it')
  expect(await keyOf(root.certificateId)).toEqual(before)

  const imported = run(`${root.certificateId}\n`)
  expect([imported.status, imported.stderr]).toEqual([0, ''])
  expect(imported.stdout).toContain('Restart all signing processes.')
  await expectImported()
  await expect(importKey()).rejects.toThrow(`The key of the certificate ${root.certificateId} is already in pkcs11.`)
})

test(
  'an interrupted import leaves the wrapped key and an unused key, which the next import does not use',
  tags,
  async () => {
    const before = await keyOf(root.certificateId)
    const { db } = service.deps
    const ended = { ...db, tx: () => Promise.reject(new Error('the process ended')) }
    await expect(importKey({ db: ended })).rejects.toThrow('the process ended')
    expect(await keyOf(root.certificateId)).toEqual(before)
    const [unused = '', ...others] = await handlesInToken()
    expect(others).toEqual([])
    await importKey()
    // An operator can destroy unused keys at the same time.
    await token.destroy(unused)
    await expectImported()
  },
)

test('an import that took so long that its key could count as unused changes nothing', tags, async () => {
  const before = await keyOf(root.certificateId)
  const slow: Token = {
    ...token,
    async importKeyPair(key) {
      const imported = await token.importKeyPair(key)
      service.clock.advance(hourMs)
      return imported
    },
  }
  await expect(importKey({ token: slow })).rejects.toThrow('The import took too long. Repeat it.')
  expect(await keyOf(root.certificateId)).toEqual(before)
  expect(await handlesInToken()).toEqual([])
})

test('a key whose certificate is deleted during the import does not stay in the token', tags, async () => {
  const before = await keyOf(root.certificateId)
  const confirm = async () => {
    await service.deps.db.tx(async (tx) => void (await tx.delete(keys).where(eq(keys.id, before.id))))
    return root.certificateId
  }
  await expect(importKey({ confirm })).rejects.toThrow('was changed meanwhile')
  expect(await handlesInToken()).toEqual([])
  expect(await audited()).toEqual([])
})

test('a key that cannot be imported is refused by name, and its row does not change', tags, async () => {
  const before = await keyOf(root.certificateId)
  await expect(importKey({ certificateId: before.id })).rejects.toThrow(
    `no certificate ${before.id}. Only keys of cert`,
  )
  await expect(importKey({ tenant: 'unknown' })).rejects.toThrow('No tenant has the id or the host unknown.')
  const withoutEs256 = { ...token, algorithms: ['Ed25519' as const] }
  await expect(importKey({ token: withoutEs256 })).rejects.toThrow('issuer one does not sign with ES256')
  const keyring = {
    unwrap: () => {
      throw new Error('no key-encryption key opens it')
    },
  }
  await expect(importKey({ keyring })).rejects.toThrow('KEY_ENCRYPTION_KEY does not open the key.')
  made.fail('no-import')
  await expect(importKey()).rejects.toThrow('The token refused to import a key (CKR_VENDOR_DEFINED). The key stays')
  made.fail()
  expect(await handlesInToken()).toEqual([])
  expect(await keyOf(root.certificateId)).toEqual(before)
  await service.deps.db.tx(async (tx) => void (await tx.delete(keys).where(eq(keys.id, before.id))))
  await expect(importKey()).rejects.toThrow('has no private key of ES256')
})
