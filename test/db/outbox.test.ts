import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import {
  addToOutbox,
  findOutboxBacklog,
  isInOutbox,
  type OutboxEntry,
  removeFromOutbox,
  takeFromOutbox,
} from '../../db/outbox.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { plusMs } from '../../shared/clock.ts'
import { openNewDatabase } from '../harness/database.ts'

const at = new Date('2025-06-30T23:59:59.987Z')

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
})
beforeEach(() => db.tx(async (tx) => void (await tx.delete(outbox))))
afterAll(() => drop())

const payload = { tenantId: 't', kind: 'issuance', subjectId: 's' } as const
const add = (entries: Omit<OutboxEntry<'fanOut'>, 'payload'>[], when = at) =>
  db.tx((tx) =>
    addToOutbox(
      tx,
      'fanOut',
      entries.map((entry) => ({ payload, ...entry })),
      when,
    ),
  )
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort()
const take = async (most: number, when: Date) => idsOf(await takeFromOutbox(db, most, when))

test('a job is taken as it was added, and gets an id if it has none', async () => {
  await add([])
  expect(await takeFromOutbox(db, 10, at)).toEqual([])
  await add([{ id: 'urgent', priority: 1 }, {}])
  const rows = await takeFromOutbox(db, 10, at)
  expect(rows).toHaveLength(2)
  expect(rows).toContainEqual({ id: 'urgent', job: 'fanOut', payload, priority: 1 })
  const other = rows.find(({ id }) => id !== 'urgent')
  expect(other).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/), job: 'fanOut', payload, priority: 0 })
})

test('a second job with the same id is ignored while the first waits', async () => {
  await add([{ id: 'one' }])
  await add([{ id: 'one', priority: 1 }, { id: 'two' }])
  const rows = await takeFromOutbox(db, 10, at)
  expect(idsOf(rows)).toEqual(['one', 'two'])
  expect(rows.map(({ priority }) => priority)).toEqual([0, 0])
})

test('the oldest rows are taken first, and none before it is due', async () => {
  for (const seconds of [3, 1, 2]) await add([{ id: `after ${seconds} s` }], plusMs(at, seconds * 1000))
  expect(await take(2, plusMs(at, 999))).toEqual([])
  expect(await take(2, plusMs(at, 5_000))).toEqual(['after 1 s', 'after 2 s'])
  expect(await take(2, plusMs(at, 5_000))).toEqual(['after 3 s'])
})

test('a taken row is taken again after 20 s, after rows that have waited longer', async () => {
  await add([{ id: 'taken' }])
  expect(await take(1, at)).toEqual(['taken'])
  await add([{ id: 'waiting' }], plusMs(at, 19_000))
  expect(await take(10, plusMs(at, 19_999))).toEqual(['waiting'])
  expect(await take(10, plusMs(at, 19_999))).toEqual([])
  expect(await take(10, plusMs(at, 20_000))).toEqual(['taken'])
})

test('concurrent relays share the rows', async () => {
  const ids = Array.from({ length: 60 }, (_, number) => `row ${number}`)
  await add(ids.map((id) => ({ id })))
  const taken = await Promise.all(Array.from({ length: 10 }, () => take(12, at)))
  while (taken.flat().length < ids.length) taken.push(await take(60, at))
  expect(taken.flat().sort()).toEqual(ids.sort())
})

test('polling an empty outbox writes nothing, so a running transaction does not delay it', async () => {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = db.tx(async (tx) => {
    await addToOutbox(tx, 'fanOut', [{ id: 'uncommitted', payload }], at)
    begun.resolve()
    await released.promise
  })
  await begun.promise
  // A write would wait for the transaction.
  expect(await take(10, at)).toEqual([])
  released.resolve()
  await writing
  expect(await take(10, at)).toEqual(['uncommitted'])
})

test('its backlog counts waiting and taken rows and contains the time of the oldest', async () => {
  expect(await findOutboxBacklog(db.read, at)).toEqual({ waiting: 0, taken: 0, waitsSince: undefined })
  await add([{ id: 'taken 1' }, { id: 'taken 2' }])
  await take(10, at)
  const now = plusMs(at, 5_000)
  for (const seconds of [4, 2, 3, 5]) await add([{}], plusMs(at, seconds * 1000))
  expect(await findOutboxBacklog(db.read, now)).toEqual({ waiting: 4, taken: 2, waitsSince: plusMs(at, 2_000) })
})

test('removed rows are not taken', async () => {
  await add(['one', 'two', 'three', 'four'].map((id) => ({ id })))
  await db.tx((tx) => removeFromOutbox(tx, ['one', 'none']))
  expect(await isInOutbox(db.read, 'one')).toBe(false)
  expect(await isInOutbox(db.read, 'two')).toBe(true)
  expect(await take(10, at)).toEqual(['four', 'three', 'two'])
})
