import { createCipheriv, diffieHellman, generateKeyPairSync, hash, randomBytes, randomUUID, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import {
  findOpeningKey,
  findPublishedKeys,
  insertKeys,
  type KeyOwner,
  type KeyRow,
  tenantOwner,
} from '../../db/repos/identifiers/keys.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { publicJwk, publicKeyFromJwk } from '../../shared/formats/jwk.ts'
import { readKeyEncryptionKeys } from '../../shared/settings/config.ts'
import { createCurrentKeys } from '../../workers/signing/keys/current-keys.ts'
import { createKeyring, type Keyring } from '../../workers/signing/keys/keyring.ts'
import { openNewDatabase } from '../harness/database.ts'

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
})
afterAll(() => drop())

const at = new Date()
const newKeyEncryptionKey = () => randomBytes(32)

/** A tenant with a key of a purpose, made by a keyring. */
async function newKey(
  keyring: Keyring,
  tenantId: string = randomUUID(),
  purpose: KeyRow['purpose'] = 'token',
  owner: KeyOwner = tenantOwner,
) {
  const algorithm = purpose === 'encryption' ? 'ECDH-ES' : 'Ed25519'
  const row = keyring.newKey({ tenantId, owner, purpose, algorithm }, at)
  await db.tx((tx) => insertKeys(tx, [row]))
  return row
}

const change = (id: string, content: Partial<KeyRow>) =>
  db.tx((tx) => tx.update(keys).set(content).where(eq(keys.id, id)))

/** By a signature that the row's public key verifies. */
async function signs(keyring: Keyring, { tenantId, id, publicJwk }: KeyRow): Promise<boolean> {
  const signer = await keyring.signer(db.read, tenantId, id)
  // Boundary: of an Ed25519 key.
  const publicKey = publicKeyFromJwk(publicJwk as Parameters<typeof publicKeyFromJwk>[0])
  return verify(null, Buffer.from('text'), publicKey, await signer.sign(Buffer.from('text')))
}

const refused = /no key-encryption key opens key/

test("a wrapped key in another row is refused: of another tenant, of the same tenant, of the tenant's other purpose", async () => {
  const secret = [newKeyEncryptionKey()]
  const keyring = createKeyring(secret)
  const mine = await newKey(keyring)
  const others = [
    await newKey(keyring),
    await newKey(keyring, mine.tenantId),
    await newKey(keyring, mine.tenantId, 'webhook'),
  ]
  for (const { wrappedPrivateKey } of others) {
    const victim = await newKey(keyring)
    await change(victim.id, { wrappedPrivateKey })
    await expect(signs(createKeyring(secret), victim)).rejects.toThrow(refused)
  }
  const encryption = await newKey(keyring, mine.tenantId, 'encryption')
  const foreign = await newKey(keyring, randomUUID(), 'encryption')
  await change(encryption.id, { wrappedPrivateKey: foreign.wrappedPrivateKey })
  await expect(createKeyring(secret).agreement(db.read, mine.tenantId, encryption.id)).rejects.toThrow(refused)
})

test.each([
  ['tenant', { tenantId: randomUUID() }],
  ['purpose', { purpose: 'webhook' as const }],
  ['owner', { ownerKind: 'did' as const, ownerId: randomUUID() }],
  ['id', { id: randomBytes(12).toString('base64url') }],
])('a row whose %s was changed cannot be opened', async (_what, content) => {
  const secret = [newKeyEncryptionKey()]
  const row = await newKey(createKeyring(secret))
  expect(await signs(createKeyring(secret), row)).toBe(true)
  await change(row.id, content)
  await expect(signs(createKeyring(secret), { ...row, ...content })).rejects.toThrow(refused)
})

test.each([0, 11, 12, 27, 28])('a wrapped key whose byte %i was changed is refused', async (position) => {
  const secret = [newKeyEncryptionKey()]
  const row = await newKey(createKeyring(secret))
  const wrappedPrivateKey = Buffer.from(row.wrappedPrivateKey)
  wrappedPrivateKey.writeUInt8(wrappedPrivateKey.readUInt8(position) ^ 1, position)
  await change(row.id, { wrappedPrivateKey })
  await expect(signs(createKeyring(secret), row)).rejects.toThrow(refused)
})

test('the first key-encryption key wraps, all of them open, and a key whose wrapping key is missing is refused by name', async () => {
  const [oldKey, newer] = [newKeyEncryptionKey(), newKeyEncryptionKey()]
  const before = await newKey(createKeyring([oldKey]))
  const rotated = createKeyring([newer, oldKey])
  expect(await signs(rotated, before)).toBe(true)
  const after = await newKey(rotated)
  expect(await signs(createKeyring([newer]), after)).toBe(true)
  expect(await signs(createKeyring([oldKey, newer]), after)).toBe(true)
  await expect(signs(createKeyring([newer]), before)).rejects.toThrow(
    `no key-encryption key opens key ${before.tenantId} ${before.id}`,
  )
  await expect(signs(createKeyring([oldKey]), after)).rejects.toThrow(
    `no key-encryption key opens key ${after.tenantId} ${after.id}`,
  )
  expect(() => createKeyring([])).toThrow('a keyring needs a key-encryption key')
})

test('KEY_ENCRYPTION_KEY lists any number of valid keys in their order', () => {
  const [first, second] = [newKeyEncryptionKey(), newKeyEncryptionKey()]
  const listed = [first, second].map((key) => key.toString('base64')).join(', ')
  expect(readKeyEncryptionKeys({ KEY_ENCRYPTION_KEY: listed })).toEqual([first, second])
  expect(readKeyEncryptionKeys({ KEY_ENCRYPTION_KEY: `${listed},${listed}` })).toEqual([first, second])
  for (const wrong of [`${listed},`, `${listed},AAAA`, 'none', randomBytes(33).toString('base64')]) {
    expect(() => readKeyEncryptionKeys({ KEY_ENCRYPTION_KEY: wrong })).toThrow('must be 32 bytes in base64')
  }
})

test('without KEY_ENCRYPTION_KEY a key file is created once, readable by its owner only', () => {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-keys-'))
  try {
    const [made] = readKeyEncryptionKeys({ DATA_DIR: dir })
    expect(readKeyEncryptionKeys({ DATA_DIR: dir, KEY_ENCRYPTION_KEY: '' })).toEqual([made])
    const file = join(dir, 'key-encryption-key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    writeFileSync(file, readFileSync(file, 'utf8').slice(4))
    expect(() => readKeyEncryptionKeys({ DATA_DIR: dir })).toThrow('must be 32 bytes in base64')
  } finally {
    rmSync(dir, { recursive: true })
  }
})

const use = { purpose: 'token', algorithm: 'Ed25519' } as const

test('a retired key signs nothing, and a retired encryption key decrypts until it ends, for its tenant and purpose only', async () => {
  const keyring = createKeyring([newKeyEncryptionKey()])
  const [signing, opening] = [await newKey(keyring), await newKey(keyring, randomUUID(), 'encryption')]
  const ends = new Date(at.getTime() + 1000)
  await change(signing.id, { retiredAt: at, publishedUntil: ends })
  await change(opening.id, { retiredAt: at, publishedUntil: ends })
  const current = createCurrentKeys(keyring).of(db.read, signing.tenantId, tenantOwner, use)
  await expect(current).rejects.toThrow('has no Ed25519 key')
  const open = (tenantId: string, id: string, when: Date) => findOpeningKey(db.read, tenantId, id, when)
  expect(await open(opening.tenantId, opening.id, new Date(ends.getTime() - 1))).toMatchObject({ id: opening.id })
  expect(await open(opening.tenantId, opening.id, ends)).toBeUndefined()
  expect(await open(randomUUID(), opening.id, at)).toBeUndefined()
  expect(await open(signing.tenantId, signing.id, at)).toBeUndefined()
})

test('a key is not available to another tenant, neither from its row nor from the cache', async () => {
  const keyring = createKeyring([newKeyEncryptionKey()])
  const row = await newKey(keyring)
  for (const _again of [1, 2]) {
    await expect(keyring.signer(db.read, randomUUID(), row.id)).rejects.toThrow(`has no key ${row.id}`)
    expect(await signs(keyring, row)).toBe(true)
  }
})

test('each owner signs with its newest key of the use', async () => {
  const keyring = createKeyring([newKeyEncryptionKey()])
  const current = createCurrentKeys(keyring)
  const tenantId = randomUUID()
  const [one, another] = [randomUUID(), randomUUID()]
  const owners: KeyOwner[] = [
    tenantOwner,
    { kind: 'did', id: one },
    { kind: 'did', id: another },
    { kind: 'certificate', id: one },
  ]
  const newest = new Map<KeyOwner, string>()
  for (const owner of owners) {
    await change((await newKey(keyring, tenantId, 'token', owner)).id, { createdAt: new Date(0) })
    newest.set(owner, (await newKey(keyring, tenantId, 'token', owner)).id)
    await newKey(keyring, tenantId, 'did', owner)
  }
  for (const owner of owners) {
    expect((await current.of(db.read, tenantId, owner, use)).id).toBe(newest.get(owner))
    expect((await findPublishedKeys(db.read, tenantId, owner, 'token', at)).map(({ id }) => id)).toContain(
      newest.get(owner),
    )
    expect(await findPublishedKeys(db.read, tenantId, owner, 'token', at)).toHaveLength(2)
  }
  const stranger = { kind: 'did', id: randomUUID() } as const
  await expect(current.of(db.read, tenantId, stranger, use)).rejects.toThrow('has no Ed25519 key for token')
})

test('a change of keys is noticed', async () => {
  const keyring = createKeyring([newKeyEncryptionKey()])
  const current = createCurrentKeys(keyring)
  const before = await newKey(keyring)
  const now = async () => (await current.of(db.read, before.tenantId, tenantOwner, use)).id
  expect(await now()).toBe(before.id)
  await change(before.id, { retiredAt: at })
  const after = await newKey(keyring, before.tenantId)
  expect(await now()).toBe(before.id)
  current.forget()
  expect(await now()).toBe(after.id)
})

/** As the version before there were owners wrote it: AES-256-GCM with `tenant id purpose` as associated data. */
test('a key that was wrapped before keys had owners still opens', async () => {
  const secret = newKeyEncryptionKey()
  const row = await newKey(createKeyring([newKeyEncryptionKey()]))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const bytes = privateKey.export({ format: 'der', type: 'pkcs8' })
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(`${row.tenantId} ${row.id} token`))
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()])
  const wrappedPrivateKey = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
  await change(row.id, { wrappedPrivateKey })
  expect(await signs(createKeyring([secret]), { ...row, publicJwk: publicJwk(publicKey) })).toBe(true)
})

const ofDid = (): KeyOwner => ({ kind: 'did', id: randomUUID() })

test.each([
  ['Ed25519', { kty: 'OKP', crv: 'Ed25519' }],
  ['ES256', { kty: 'EC', crv: 'P-256' }],
] as const)('a new key of %s signs with the private key of its public key', async (algorithm, jwk) => {
  const keyring = createKeyring([newKeyEncryptionKey()])
  const row = keyring.newKey({ tenantId: 't', owner: ofDid(), purpose: 'did', algorithm }, at)
  expect(row).toMatchObject({ tenantId: 't', ownerKind: 'did', algorithm, publicJwk: jwk, retiredAt: null })
  const signer = await keyring.openSigner(row)
  expect([signer.id, signer.algorithm, publicJwk(signer.publicKey)]).toEqual([row.id, algorithm, row.publicJwk])
  // The hash of many bytes is computed on another thread.
  for (const bytes of [Buffer.from('text'), Buffer.alloc(500_001, 'x')]) {
    const signature = await signer.sign(bytes)
    const key = { key: signer.publicKey, dsaEncoding: 'ieee-p1363' } as const
    expect(verify(algorithm === 'ES256' ? 'sha256' : null, bytes, key, signature)).toBe(true)
  }
  await expect(keyring.openAgreement(row)).rejects.toThrow('is not for key agreement')
})

test.each([
  ['X25519', { kty: 'OKP', crv: 'X25519' }],
  ['ECDH-ES', { kty: 'EC', crv: 'P-256' }],
] as const)('a new key of %s agrees on the secret of its public key', async (algorithm, jwk) => {
  const keyring = createKeyring([newKeyEncryptionKey()])
  const row = keyring.newKey({ tenantId: 't', owner: ofDid(), purpose: 'did', algorithm }, at)
  expect(row).toMatchObject({ algorithm, publicJwk: jwk })
  const key = await keyring.openAgreement(row)
  expect([key.id, key.algorithm, publicJwk(key.publicKey)]).toEqual([row.id, algorithm, row.publicJwk])
  const peer =
    algorithm === 'X25519' ? generateKeyPairSync('x25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const secret = diffieHellman({ privateKey: peer.privateKey, publicKey: key.publicKey })
  expect(await key.derive(peer.publicKey)).toEqual(secret)
  await expect(keyring.openSigner(row)).rejects.toThrow('does not sign')
})

test('a new BLS key is stored unchanged', async () => {
  const keyring = createKeyring([newKeyEncryptionKey()])
  const row = keyring.newKey({ tenantId: 't', owner: ofDid(), purpose: 'did', algorithm: 'Bls12381G2' }, at)
  expect(row.publicJwk).toEqual({ kty: 'OKP', crv: 'Bls12381G2', x: expect.stringMatching(/^[\w-]{128}$/) })
  expect(await keyring.opens(row)).toBe(true)
  await expect(keyring.openSigner(row)).rejects.toThrow('cannot be used')
})

test('keys of DIDs have UUIDs, others short ids, and a given id is kept', () => {
  const keyring = createKeyring([newKeyEncryptionKey()])
  const idOf = (owner: KeyOwner, id?: string) =>
    keyring.newKey({ tenantId: 't', owner, ...use, ...(id !== undefined && { id }) }, at).id
  expect(idOf(ofDid())).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/)
  expect(idOf(tenantOwner)).toMatch(/^[\w-]{16}$/)
  expect(idOf(ofDid(), 'given')).toBe('given')
})

test("only the key of the tenant's own DID is not published from the beginning", () => {
  const keyring = createKeyring([newKeyEncryptionKey()])
  const untilOf = (owner: KeyOwner, purpose: KeyRow['purpose']) =>
    keyring.newKey({ tenantId: 't', owner, purpose, algorithm: 'Ed25519' }, at).publishedUntil
  expect(untilOf(tenantOwner, 'did')).toEqual(at)
  expect(untilOf(tenantOwner, 'token')).toBeNull()
  expect(untilOf(ofDid(), 'did')).toBeNull()
})

test('the agreement key of a signing key has its owner, purpose and time, and is deterministic', async () => {
  const keyring = createKeyring([newKeyEncryptionKey()])
  const row = keyring.newKey({ tenantId: 't', owner: ofDid(), purpose: 'did', algorithm: 'Ed25519' }, at)
  const [first, second] = [await keyring.agreementKeyOf(row), await keyring.agreementKeyOf(row)]
  const { tenantId, ownerKind, ownerId, purpose } = row
  expect(first).toMatchObject({ tenantId, ownerKind, ownerId, purpose, algorithm: 'X25519', createdAt: at })
  expect(first.id).not.toBe(row.id)
  expect(second.publicJwk).toEqual(first.publicJwk)
  expect(publicJwk((await keyring.openAgreement(first)).publicKey)).toEqual(first.publicJwk)
})

test('a key is wrapped with the first key-encryption key by name, and rewrapped if an older one opens it', async () => {
  const [oldest, older, newest] = [newKeyEncryptionKey(), newKeyEncryptionKey(), newKeyEncryptionKey()]
  const before = createKeyring([older])
  const row = before.newKey({ tenantId: 't', owner: tenantOwner, ...use }, at)
  const keyring = createKeyring([newest, older])
  const [name, olderName] = keyring.keyEncryptionKeys
  expect(keyring.keyEncryptionKeys).toEqual([expect.stringMatching(/^[\da-f]{16}$/), ...before.keyEncryptionKeys])
  expect(row.wrappedUnder).toBe(olderName)
  expect(name).not.toBe(olderName)
  // The name follows from the key, and is none of its hash alone.
  expect(name).not.toBe(hash('sha256', newest, 'hex').slice(0, 16))
  expect(await keyring.opens(row)).toBe(true)
  const wrapping = await keyring.rewrap(row)
  expect(wrapping?.wrappedUnder).toBe(name)
  expect(await createKeyring([newest]).opens({ ...row, ...wrapping })).toBe(true)
  const stranger = createKeyring([oldest])
  expect(await stranger.opens(row)).toBe(false)
  expect(await stranger.rewrap(row)).toBeUndefined()
})
