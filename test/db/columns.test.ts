import { setTimeout as sleep } from 'node:timers/promises'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { openNewDatabase } from '../harness/database.ts'

const at = new Date('2025-06-30T23:59:59.987Z')

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
})
afterAll(() => drop())

const newJob = (id: string, payload: unknown = {}) => ({
  ...{ id, job: 'columns', payload, priority: 0 },
  ...{ createdAt: at, takenUntil: at },
})

const jobs = () => db.read.select().from(outbox).orderBy(asc(outbox.id))

test('bytes, times, texts and nulls are read as they were written', async () => {
  const wrappedPrivateKey = Buffer.from([0, 255, 128, 10, 0])
  const text = 'ünïcode \u{1f600} \'"\\ \n %_'
  const row = {
    ...{ ownerKind: 'did' as const, ownerId: text },
    ...{ id: text, tenantId: 't', purpose: 'did' as const, algorithm: 'ES256' as const, wrappedPrivateKey },
    publicJwk: { kty: 'OKP' as const, crv: 'Bls12381G2' as const, x: '' },
    ...{ createdAt: at, retiredAt: null, publishedUntil: new Date(0), wrappedUnder: null },
    ...{ provider: 'pkcs11', handle: 'pkcs11:token=issuer%20one' },
  }
  const [written] = await db.tx((tx) => tx.insert(keys).values(row).returning())
  const [read] = await db.read.select().from(keys).where(eq(keys.id, text))
  for (const found of [written, read]) {
    expect(found).toEqual(row)
    expect(found!.createdAt).toBeInstanceOf(Date)
    expect(Buffer.isBuffer(found!.wrappedPrivateKey)).toBe(true)
  }
})

test('booleans are read as booleans', async () => {
  const health = { failures: 0, failingSince: null, pausedUntil: null, leasedUntil: null, foundUntil: null }
  const row = { tenantId: 't', events: [], generation: 0, url: 'https://a.example', ...health, createdAt: at }
  await db.tx(async (tx) => {
    await tx.insert(webhooks).values([true, false].map((disabled) => ({ ...row, id: String(disabled), disabled })))
  })
  const rows = await db.read.select().from(webhooks).where(eq(webhooks.disabled, false))
  expect(rows).toEqual([{ ...row, id: 'false', disabled: false }])
})

test.each([
  ['an object in its order', { b: 1, a: { z: null, y: [] }, '': '' }],
  ['texts', { ключ: 'ünïcode \u{1f600} \u2028 \\ " \n' }],
  ['numbers', [0, -0.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER]],
  ['a list', [[], [null, true]]],
  ['a text', 'null'],
  ['a number', 7],
  ['false', false],
])('JSON is read as it was written: %s', async (name, value) => {
  await db.tx(async (tx) => {
    await tx.insert(outbox).values(newJob(`json ${name}`, value))
  })
  const [row] = await db.read
    .select()
    .from(outbox)
    .where(eq(outbox.id, `json ${name}`))
  expect(JSON.stringify(row!.payload)).toBe(JSON.stringify(value))
})

test('the read connection refuses writes', async () => {
  const writer = db.read as unknown as Parameters<Parameters<Database['tx']>[0]>[0]
  const before = await jobs()
  await expect((async () => writer.insert(outbox).values(newJob('through read')))()).rejects.toThrow()
  await expect((async () => writer.delete(outbox))()).rejects.toThrow()
  expect(await jobs()).toEqual(before)
})

test('a nested transaction throws at once, and the outer one is rolled back', async () => {
  const nested = db.tx(async (tx) => {
    await tx.insert(outbox).values(newJob('outer'))
    await db.tx(async (inner) => inner.insert(outbox).values(newJob('inner')))
  })
  await expect(nested).rejects.toThrow('db.tx cannot be called inside db.tx')
  expect((await jobs()).filter(({ id }) => id === 'outer' || id === 'inner')).toEqual([])
})

test('a transaction that throws leaves nothing and does not disturb the next one', async () => {
  const failed = db.tx(async (tx) => {
    await tx.insert(outbox).values(newJob('rolled back'))
    await sleep(5)
    throw new Error('on purpose')
  })
  const next = db.tx((tx) => tx.insert(outbox).values(newJob('kept')).returning({ id: outbox.id }))
  await expect(failed).rejects.toThrow('on purpose')
  expect(await next).toEqual([{ id: 'kept' }])
  expect((await jobs()).map(({ id }) => id)).not.toContain('rolled back')
})

test('if every third of a hundred concurrent transactions fails, exactly the others take effect', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, (_, i) =>
      db.tx(async (tx) => {
        await tx.insert(outbox).values(newJob(`crowd ${i}`))
        if (i % 3 === 0) throw new Error('on purpose')
        await tx
          .update(outbox)
          .set({ priority: i })
          .where(eq(outbox.id, `crowd ${i}`))
        return i
      }),
    ),
  )
  const succeeded = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const stored = (await jobs()).filter(({ id }) => id.startsWith('crowd'))
  expect(stored.map(({ priority }) => priority).sort((a, b) => a - b)).toEqual(succeeded)
  expect(succeeded).toHaveLength(66)
})

test('each of several consecutive transactions starts when the previous one ends', async () => {
  for (let i = 0; i < 50; i++) await db.tx((tx) => tx.update(outbox).set({ priority: i }))
  expect((await jobs()).every(({ priority }) => priority === 49)).toBe(true)
})

test('uncommitted changes are invisible to others', async () => {
  const looked = await db.tx(async (tx) => {
    await tx.insert(outbox).values(newJob('unseen'))
    const inside = await tx.select().from(outbox).where(eq(outbox.id, 'unseen'))
    const outside = await db.read.select().from(outbox).where(eq(outbox.id, 'unseen'))
    return [inside.length, outside.length]
  })
  expect(looked).toEqual([1, 0])
})

test('of twenty concurrent claims exactly one succeeds, by update and by insert', async () => {
  await db.tx(async (tx) => {
    await tx.insert(outbox).values(newJob('contended'))
  })
  const attempt = (turn: number) =>
    db.tx(async (tx) => {
      await sleep(turn % 3)
      const updated = await tx
        .update(outbox)
        .set({ job: 'taken' })
        .where(eq(outbox.job, 'columns'))
        .returning({ id: outbox.id })
      const inserted = await tx
        .insert(outbox)
        .values(newJob('unique', turn))
        .onConflictDoNothing()
        .returning({ id: outbox.id })
      return [updated.some(({ id }) => id === 'contended'), inserted.length === 1]
    })
  const results = await Promise.all(Array.from({ length: 20 }, (_each, turn) => attempt(turn)))
  expect(results.filter(([updated]) => updated)).toHaveLength(1)
  expect(results.filter(([, inserted]) => inserted)).toHaveLength(1)
})
