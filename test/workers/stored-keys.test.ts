import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOneOfEachWrapping } from '../../db/repos/identifiers/key-wrapping.ts'
import { insertKeys, tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { newId } from '../../shared/ids.ts'
import { Misconfigured } from '../../shared/process/dependency.ts'
import { createKeyring, type Keyring } from '../../workers/signing/keys/keyring.ts'
import { requireOpenKeys } from '../../workers/signing/keys/stored-keys.ts'
import { plansOf, scansIn } from '../db/plans.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'

const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const [nameOfFirst, nameOfSecond] = createKeyring([first, second]).keyEncryptionKeys

let database: OpenDatabase
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.drop())

async function store(keyring: Keyring, algorithm: 'ES256' | 'Bls12381G2', wrappedUnder?: null): Promise<void> {
  const row = keyring.newKey({ tenantId: newId(), owner: tenantOwner, purpose: 'did', algorithm }, new Date())
  await database.db.tx((tx) => insertKeys(tx, [{ ...row, ...(wrappedUnder === null && { wrappedUnder }) }]))
}

/** The log messages. */
async function check(...keys: Buffer[]): Promise<Record<string, unknown>[]> {
  const logged: Record<string, unknown>[] = []
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) })
  await requireOpenKeys(database.db.read, createKeyring(keys), log)
  return logged
}

test('a key-encryption key that opens no stored key is refused by name, and a missing one among others is logged', async () => {
  expect(await check(third)).toEqual([]) // nothing is stored yet
  await store(createKeyring([first]), 'ES256')
  await store(createKeyring([first]), 'ES256')
  expect(await check(first)).toEqual([])
  expect(await check(third, first)).toEqual([])
  const refused = check(third)
  await expect(refused).rejects.toThrow(Misconfigured)
  await expect(refused).rejects.toThrow(
    `KEY_ENCRYPTION_KEY opens no private key in the database. Its name is ${createKeyring([third]).keyEncryptionKeys[0]}, and the keys are wrapped with ${nameOfFirst}.`,
  )
  await expect(refused).rejects.not.toThrow(third.toString('base64'))

  await store(createKeyring([second]), 'Bls12381G2')
  expect(await check(first, second)).toEqual([])
  expect(await check(second)).toMatchObject([{ level: 50, configured: nameOfSecond, wrapped: nameOfFirst }])
  await expect(check(third)).rejects.toThrow(`${[nameOfFirst, nameOfSecond].sort().join(', ')}.`)

  await store(createKeyring([first]), 'ES256', null) // by a version that did not store the name
  expect(await check(second, first)).toEqual([])
  await expect(check(third)).rejects.toThrow('wrapped with unknown, ')
})

test('an index finds one key of each key-encryption key', async () => {
  const plans = await plansOf(database.url, async (tx) => {
    await findOneOfEachWrapping(tx)
  })
  expect(scansIn(plans)).toEqual([])
})
