import { randomBytes, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertKeys, tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { createKeyring } from '../../workers/signing/keys/keyring.ts'
import { type NewKey, txWithNewKeys } from '../../workers/signing/keys/new-keys.ts'
import { requireOpenKeys } from '../../workers/signing/keys/stored-keys.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'
import { createTestKeyProvider } from '../harness/test-key-provider.ts'

let database: OpenDatabase
let token: ReturnType<typeof createTestKeyProvider>
let logged: Record<string, unknown>[]
beforeEach(async () => {
  database = await openNewDatabase()
  token = createTestKeyProvider()
  logged = []
})
afterEach(() => database.drop())

const log = pino({ level: 'info' }, { write: (line) => logged.push(JSON.parse(line)) })
const tenantId = randomUUID()
const policy = { default: 'pkcs11' }

function newDeps() {
  const keyring = createKeyring([randomBytes(32)])
  keyring.custody.providers.set('pkcs11', token.provider)
  return { db: database.db, keyring, log }
}

const create = (newKey: NewKey, algorithm: 'ES256' | 'Ed25519' | 'X25519') =>
  newKey({ tenantId, owner: tenantOwner, part: 'dids', policy, purpose: 'did', algorithm }, new Date())
const rows = () => database.db.read.select().from(keys)

test('keys are generated before the transaction that stores them, and those that it does not use are destroyed', async () => {
  const generated: number[] = []
  let runs = 0
  await txWithNewKeys(newDeps(), async (tx, newKey) => {
    generated.push(token.stored.size)
    runs++
    const made = [create(newKey, 'ES256'), create(newKey, 'ES256'), create(newKey, 'X25519')]
    // The last run stores one of the two keys of the token.
    await insertKeys(tx, [made[0]!, made[2]!])
  })
  expect([runs, generated]).toEqual([3, [0, 1, 2]])
  const stored = await rows()
  expect(stored.map(({ provider, algorithm }) => `${provider} ${algorithm}`).sort()).toEqual([
    'pkcs11 ES256',
    'software X25519',
  ])
  expect([...token.stored.keys()]).toEqual(stored.flatMap(({ handle }) => handle ?? []))
})

test('a transaction that fails leaves no key in the provider', async () => {
  const failing = txWithNewKeys(newDeps(), async (tx, newKey) => {
    await insertKeys(tx, [create(newKey, 'ES256')])
    throw new Error('it fails')
  })
  await expect(failing).rejects.toThrow('it fails')
  expect([await rows(), token.stored.size]).toEqual([[], 0])
})

test('a key whose row was stored although the commit reported an error is kept, and one that cannot be destroyed is logged', async () => {
  const deps = newDeps()
  const reported = {
    ...deps,
    db: {
      ...database.db,
      tx: (async (work) => {
        await database.db.tx(work)
        throw new Error('the connection was lost')
      }) as typeof database.db.tx,
    },
  }
  const lost = txWithNewKeys(reported, async (tx, newKey) => insertKeys(tx, [create(newKey, 'ES256')]))
  await expect(lost).rejects.toThrow('the connection was lost')
  expect([(await rows()).length, token.stored.size]).toEqual([1, 1])

  const away = txWithNewKeys(deps, async (_tx, newKey) => {
    create(newKey, 'Ed25519')
    token.setAway(true)
  })
  await away
  expect(logged).toMatchObject([{ level: 50, provider: 'pkcs11', msg: 'unused key not destroyed' }])
})

test('nothing that opens or wraps keys reads those of a provider', async () => {
  const deps = newDeps()
  await txWithNewKeys(deps, async (tx, newKey) => insertKeys(tx, [create(newKey, 'ES256')]))
  await requireOpenKeys(database.db.read, createKeyring([randomBytes(32)]), log)
  expect(logged).toEqual([])
  const [row] = await rows()
  expect(() => createKeyring([randomBytes(32)]).openSigner(row!)).toThrow('Configure this provider')
})
