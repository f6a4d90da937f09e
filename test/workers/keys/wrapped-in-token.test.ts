import { randomBytes, randomUUID, verify } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertKeys, type KeyRow, tenantOwner } from '../../../db/repos/identifiers/keys.ts'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { systemClock } from '../../../shared/clock.ts'
import { createKeyring, type Keyring } from '../../../workers/signing/keys/keyring.ts'
import type { Token } from '../../../workers/signing/keys/pkcs11/open-token.ts'
import { secretKeyInToken } from '../../../workers/signing/keys/pkcs11/secret-key-in-token.ts'
import { createRewrapKeys } from '../../../workers/signing/keys/rewrap-keys.ts'
import { requireOpenKeys } from '../../../workers/signing/keys/stored-keys.ts'
import { txWithKeys } from '../../../workers/signing/keys/tx-with-keys.ts'
import type { KeyEncryptionKey, SecretKeyInDevice } from '../../../workers/signing/keys/wrapping.ts'
import { type OpenDatabase, openNewDatabase } from '../../harness/database.ts'
import { makeToken, type TestToken } from '../../harness/softhsm.ts'

const tags = { tags: 'pkcs11' as const }
let made: TestToken
let token: Token
let database: OpenDatabase
let first: SecretKeyInDevice
let second: SecretKeyInDevice

beforeAll(async () => {
  made = makeToken()
  token = await made.open()
  const keyOf = async (label: string) => secretKeyInToken(token, await token.makeSecretKey({ label, id: label }))
  first = await keyOf('first')
  second = await keyOf('second')
})
afterAll(() => made?.[Symbol.asyncDispose]())
beforeEach(async () => {
  database = await openNewDatabase()
})
afterEach(() => database.drop())

const log = pino({ level: 'silent' })
const tenantId = randomUUID()
const owned = { tenantId, owner: tenantOwner, purpose: 'did', algorithm: 'ES256' } as const
const depsOf = (keyring: Keyring) => ({ db: database.db, keyring, clock: systemClock, log })
const rows = () => database.db.read.select().from(keys).orderBy(keys.id)

async function signs(keyring: Keyring, row: KeyRow): Promise<boolean> {
  const signer = await keyring.openSigner(row)
  const signature = await signer.sign(Buffer.from('text'))
  return verify('sha256', Buffer.from('text'), { key: signer.publicKey, dsaEncoding: 'ieee-p1363' }, signature)
}

test('a key that the token wraps signs, and opens for its own row and with its own secret key only', tags, async () => {
  const row = await createKeyring([first]).prepareKey(owned, new Date())
  expect(await signs(createKeyring([second, first]), row)).toBe(true)
  expect(row.wrappedUnder).toBe(createKeyring([first]).keyEncryptionKeys[0])

  const changed = Buffer.from(row.wrappedPrivateKey)
  changed[changed.length - 1]! ^= 1
  const others = [
    { tenantId: randomUUID() },
    { id: 'another' },
    { purpose: 'token' as const },
    { wrappedPrivateKey: changed },
  ]
  const opened = await Promise.all(others.map((other) => createKeyring([first]).opens({ ...row, ...other })))
  expect(opened).toEqual(others.map(() => false))
  expect(await createKeyring([second]).opens(row)).toBe(false)
  expect(await createKeyring([randomBytes(32)]).opens(row)).toBe(false)
})

test('a signing process with another secret key does not start', tags, async () => {
  const row = await createKeyring([first]).prepareKey(owned, new Date())
  await database.db.tx((tx) => insertKeys(tx, [row]))
  await requireOpenKeys(database.db.read, createKeyring([second, first]), log)
  const refused = requireOpenKeys(database.db.read, createKeyring([second]), log)
  await expect(refused).rejects.toThrow('KEY_ENCRYPTION_KEY opens no private key in the database')
})

test('no transaction waits for the token: keys are made and opened before it', tags, async () => {
  const deps = depsOf(createKeyring([first]))
  const stored = await deps.keyring.prepareKey(owned, new Date())
  await database.db.tx((tx) => insertKeys(tx, [stored]))

  const place = { part: 'dids', policy: {}, purpose: 'did' } as const
  const [ownerOfDid, texts] = [{ kind: 'did', id: randomUUID() } as const, new Set<string>()]
  const signature = await txWithKeys(deps, async (tx, { keyring, newKey, once }) => {
    texts.add(once('text', randomUUID))
    const of = { tenantId, owner: ownerOfDid, ...place }
    const signing = newKey({ ...of, algorithm: 'Ed25519' }, new Date())
    const bls = newKey({ ...of, algorithm: 'Bls12381G2' }, new Date())
    await insertKeys(tx, [signing, bls, await keyring.agreementKeyOf(signing)])
    const own = await keyring.openSigner(signing)
    await own.sign(Buffer.from('text'))
    return (await keyring.signer(tx, tenantId, stored.id)).sign(Buffer.from('text'))
  })
  expect([signature.length, texts.size]).toEqual([64, 1])

  const all = await rows()
  expect(all.map(({ algorithm }) => algorithm).sort()).toEqual(['Bls12381G2', 'ES256', 'Ed25519', 'X25519'])
  const after = createKeyring([first])
  for (const row of all) expect(await after.opens(row)).toBe(true)
  // A transaction without the means of `txWithKeys` fails at once, and does not wait.
  const fresh = createKeyring([first])
  await expect(database.db.tx((tx) => fresh.signer(tx, tenantId, stored.id))).rejects.toThrow('Use txWithKeys')
  expect(() => fresh.newKey(owned, new Date())).toThrow('Create the key with txWithKeys')
})

const inMemory = randomBytes(32)
test.each<{ from: string; to: string; keysOf: () => [KeyEncryptionKey, KeyEncryptionKey] }>([
  { from: 'memory', to: 'the token', keysOf: () => [inMemory, first] },
  { from: 'one secret key of the token', to: 'another', keysOf: () => [first, second] },
  { from: 'the token', to: 'memory', keysOf: () => [first, inMemory] },
])('keys are rewrapped from $from to $to', tags, async ({ keysOf }) => {
  const [older, newer] = keysOf()
  const before = createKeyring([older])
  const wrapped = await Promise.all(Array.from({ length: 20 }, () => before.prepareKey(owned, new Date())))
  await database.db.tx((tx) => insertKeys(tx, wrapped))
  await createRewrapKeys(depsOf(createKeyring([newer, older])))()
  const after = await rows()
  expect(new Set(after.map(({ wrappedUnder }) => wrappedUnder))).toEqual(
    new Set(createKeyring([newer]).keyEncryptionKeys),
  )
  for (const row of after) expect(await signs(createKeyring([newer]), row)).toBe(true)
})

test('without the token, keys that are not open yet give 503, and open ones sign', tags, async () => {
  const other = await made.open()
  const name = { label: 'first', id: 'first' }
  const keyring = createKeyring([await secretKeyInToken(other, await other.makeSecretKey(name))])
  const [open, closed] = [await keyring.prepareKey(owned, new Date()), await keyring.prepareKey(owned, new Date())]
  await keyring.openSigner(open)
  await other.close()
  await expect(keyring.openSigner(closed)).rejects.toMatchObject({ problem: 'service_unavailable' })
  expect(await signs(keyring, open)).toBe(true)
})
