import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findWrapped, replaceWrapping } from '../../db/repos/identifiers/key-wrapping.ts'
import { insertKeys, type KeyOwner, type KeyRow, tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { newId } from '../../shared/ids.ts'
import { serviceMetricsRegistry } from '../../workers/service-metrics/registry.ts'
import { measureWrapping } from '../../workers/service-metrics/wrapped-keys.ts'
import { createKeyring, type Keyring } from '../../workers/signing/keys/keyring.ts'
import { createRewrapKeys } from '../../workers/signing/keys/rewrap-keys.ts'
import { plansOf, scansIn } from '../db/plans.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'

const at = new Date()
const [older, newer] = [randomBytes(32), randomBytes(32)]
const rotated = () => createKeyring([newer, older])

let database: OpenDatabase
let logged: Record<string, unknown>[]
beforeEach(async () => {
  database = await openNewDatabase()
  logged = []
})
afterEach(() => database.drop())

const rows = () => database.db.read.select().from(keys).orderBy(keys.id)
const log = pino({ level: 'info' }, { write: (line) => logged.push(JSON.parse(line)) })
const rewrapWith = (keyring: Keyring) => createRewrapKeys({ db: database.db, keyring, log })
const gauges = async () => {
  await measureWrapping({ db: database.db })
  return (await serviceMetricsRegistry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('trustwright_wrapped_keys'))
}
const inLog = (keyEncryptionKey: string | undefined) =>
  logged.filter((line) => line.keyEncryptionKey === keyEncryptionKey && String(line.msg).includes('it can be removed'))

/** Keys of tenants, DIDs and certificates. */
async function newKeys(keyring: Keyring, count: number, change: Partial<KeyRow> = {}): Promise<KeyRow[]> {
  const owners: KeyOwner[] = [tenantOwner, { kind: 'did', id: newId() }, { kind: 'certificate', id: newId() }]
  const made = Array.from({ length: count }, (_, place) => {
    const owner = owners[place % owners.length]!
    return { ...keyring.newKey({ tenantId: newId(), owner, purpose: 'did', algorithm: 'Ed25519' }, at), ...change }
  })
  await database.db.tx((tx) => insertKeys(tx, made))
  return made
}

test('every key is rewrapped with the first key-encryption key, and log and metrics show when the older one is unused', async () => {
  const [nameOfNewer, nameOfOlder] = rotated().keyEncryptionKeys
  await newKeys(createKeyring([older]), 450)
  await newKeys(createKeyring([older]), 3, { wrappedUnder: null }) // by a version that did not store the name
  const already = await newKeys(rotated(), 2)
  expect((await gauges()).sort()).toEqual(
    [
      `trustwright_wrapped_keys{key_encryption_key="${nameOfNewer}"} 2`,
      `trustwright_wrapped_keys{key_encryption_key="${nameOfOlder}"} 450`,
      'trustwright_wrapped_keys{key_encryption_key="unknown"} 3',
    ].sort(),
  )
  const rewrap = rewrapWith(rotated())
  await Promise.all([rewrap(), rewrapWith(rotated())()])
  const after = await rows()
  const withoutOlder = createKeyring([newer])
  for (const row of after) await expect(withoutOlder.openSigner(row)).resolves.toBeDefined()
  for (const row of already) expect(after.find(({ id }) => id === row.id)).toEqual(row)
  expect(await gauges()).toEqual([`trustwright_wrapped_keys{key_encryption_key="${nameOfNewer}"} 455`])
  await rewrap()
  expect(await rows()).toEqual(after)
  expect(inLog(nameOfOlder).length).toBeGreaterThanOrEqual(1)
  expect(inLog(nameOfOlder).length).toBeLessThanOrEqual(2)
  expect(inLog(nameOfNewer)).toEqual([])
  expect(logged.filter(({ level }) => level === 50)).toEqual([])
  // No part of the keys is logged.
  for (const secret of [older, newer])
    expect(JSON.stringify([logged, await gauges()])).not.toMatch(
      new RegExp(`${secret.toString('hex')}|${RegExp.escape(secret.toString('base64'))}`),
    )
})

test('a key that no key-encryption key opens stays unchanged, is reported and blocks no other key, and none is reported as unused', async () => {
  await newKeys(createKeyring([randomBytes(32)]), 3, { wrappedUnder: null })
  const good = await newKeys(createKeyring([older]), 2)
  await rewrapWith(rotated())()
  const after = await rows()
  for (const { id } of good)
    await expect(createKeyring([newer]).openSigner(after.find((row) => row.id === id)!)).resolves.toBeDefined()
  expect(after.filter(({ wrappedUnder }) => wrappedUnder === null)).toHaveLength(3)
  expect(logged).toMatchObject([{ level: 50, failed: 3 }])
})

test('a row that changed since it was read is not overwritten, and a deleted row does not come back', async () => {
  const [changed, gone] = await newKeys(createKeyring([older]), 2)
  const wrapping = (await rotated().rewrap(changed!))!
  await database.db.tx(async (tx) => {
    await tx.update(keys).set(wrapping).where(eq(keys.id, changed!.id))
    await tx.delete(keys).where(eq(keys.id, gone!.id))
    await replaceWrapping(tx, changed!.tenantId, changed!, { wrappedPrivateKey: Buffer.alloc(1), wrappedUnder: 'x' })
    await replaceWrapping(tx, gone!.tenantId, gone!, { wrappedPrivateKey: Buffer.alloc(1), wrappedUnder: 'x' })
  })
  expect(await rows()).toMatchObject([wrapping])
})

test('if older key-encryption keys come first again, keys are wrapped with them and open everywhere', async () => {
  await newKeys(createKeyring([older]), 4)
  await rewrapWith(rotated())()
  await rewrapWith(createKeyring([older, newer]))()
  for (const row of await rows()) await expect(createKeyring([older]).openSigner(row)).resolves.toBeDefined()
})

test('a single key is wrapped with the first key-encryption key', async () => {
  await newKeys(createKeyring([older]), 1)
  await rewrapWith(rotated())()
  expect(await rows()).toMatchObject([{ wrappedUnder: rotated().keyEncryptionKeys[0] }])
})

test('the first key-encryption key is never reported as unused', async () => {
  const [nameOfNewer, nameOfOlder] = rotated().keyEncryptionKeys
  await rewrapWith(rotated())()
  expect([inLog(nameOfNewer).length, inLog(nameOfOlder).length]).toEqual([0, 1])
})

test('an older key-encryption key that was used again is reported again when it is unused', async () => {
  const [, nameOfOlder] = rotated().keyEncryptionKeys
  const rewrap = rewrapWith(rotated())
  await rewrap()
  const [unopenable] = await newKeys(createKeyring([randomBytes(32)]), 1, { wrappedUnder: nameOfOlder! })
  for (let n = 0; n < 2; n++) await rewrap()
  expect(inLog(nameOfOlder)).toHaveLength(1)
  await database.db.tx((tx) => tx.delete(keys).where(eq(keys.id, unopenable!.id)))
  for (let n = 0; n < 2; n++) await rewrap()
  expect(inLog(nameOfOlder)).toHaveLength(2)
})

test('an index finds keys that are wrapped with an older key-encryption key', async () => {
  const plans = await plansOf(database.url, async (tx) => {
    await findWrapped(tx, 'name', '', 200)
    await findWrapped(tx, null, '', 200)
  })
  expect(scansIn(plans)).toEqual([])
})
