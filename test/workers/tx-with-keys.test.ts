import { randomBytes, randomUUID, verify } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertKeys, tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { systemClock } from '../../shared/clock.ts'
import { createKeyring } from '../../workers/signing/keys/keyring.ts'
import type { NewKey } from '../../workers/signing/keys/new-keys.ts'
import { addProvider } from '../../workers/signing/keys/providers.ts'
import { requireOpenKeys } from '../../workers/signing/keys/stored-keys.ts'
import { txWithKeys } from '../../workers/signing/keys/tx-with-keys.ts'
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
  addProvider(keyring.custody, token.provider)
  return { db: database.db, keyring, clock: systemClock, log }
}

const create = (newKey: NewKey, algorithm: 'ES256' | 'Ed25519' | 'X25519') =>
  newKey({ tenantId, owner: tenantOwner, part: 'dids', policy, purpose: 'did', algorithm }, new Date())
const rows = () => database.db.read.select().from(keys)

test('keys are generated before the transaction that stores them, and those that it does not use are destroyed', async () => {
  const generated: number[] = []
  let runs = 0
  await txWithKeys(newDeps(), async (tx, { newKey }) => {
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
  const failing = txWithKeys(newDeps(), async (tx, { newKey }) => {
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
  const lost = txWithKeys(reported, async (tx, { newKey }) => insertKeys(tx, [create(newKey, 'ES256')]))
  await expect(lost).rejects.toThrow('the connection was lost')
  expect([(await rows()).length, token.stored.size]).toEqual([1, 1])

  const away = txWithKeys(deps, async (_tx, { newKey }) => {
    create(newKey, 'Ed25519')
    token.setAway(true)
  })
  await away
  expect(logged).toMatchObject([{ level: 50, provider: 'pkcs11', msg: 'unused key not destroyed' }])
})

test('nothing that opens or wraps keys reads those of a provider', async () => {
  const deps = newDeps()
  await txWithKeys(deps, async (tx, { newKey }) => insertKeys(tx, [create(newKey, 'ES256')]))
  await requireOpenKeys(database.db.read, createKeyring([randomBytes(32)]), log)
  expect(logged).toEqual([])
  const [row] = await rows()
  await expect(createKeyring([randomBytes(32)]).openSigner(row!)).rejects.toThrow('Configure this provider')
})

test('a transaction signs with a key of the provider outside of it, once for the same bytes', async () => {
  const deps = newDeps()
  const row = await txWithKeys(deps, async (tx, { newKey }) => {
    const made = create(newKey, 'ES256')
    await insertKeys(tx, [made])
    return made
  })
  const key = await deps.keyring.openSigner(row)
  const inside = database.db.tx(() => key.sign(Buffer.from('a')))
  await expect(inside).rejects.toThrow('A key provider cannot be used inside db.tx')

  let runs = 0
  const texts = new Set<string>()
  const signed = await txWithKeys(deps, async (tx, { keyring, once }) => {
    runs++
    const text = once('text', randomUUID)
    texts.add(text)
    const inTx = await keyring.signer(tx, tenantId, row.id)
    // The rows changed between the runs.
    const bytes = Buffer.from(runs === 1 ? 'a' : text)
    return [bytes, await inTx.sign(bytes), await inTx.sign(bytes)] as const
  })
  expect([runs, texts.size]).toEqual([3, 1])
  const [bytes, first, second] = signed
  expect(second).toEqual(first)
  expect(verify('sha256', bytes, { key: key.publicKey, dsaEncoding: 'ieee-p1363' }, first)).toBe(true)
})

test('a software key stays the same while a transaction runs again, and another owner gets another one', async () => {
  const made: string[] = []
  await txWithKeys(newDeps(), async (_tx, { newKey }) => {
    const owner = { kind: 'certificate', id: made.length < 2 ? 'a' : 'b' } as const
    const place = { part: 'dids', policy: {}, purpose: 'certificate', algorithm: 'ES256' } as const
    made.push(newKey({ tenantId, owner, ...place }, new Date()).id)
    create(newKey, 'ES256')
    create(newKey, 'ES256')
  })
  expect(made).toEqual([made[0], made[0], expect.not.stringContaining(made[0]!)])
})
