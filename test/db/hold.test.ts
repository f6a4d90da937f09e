import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, exists } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Writer } from '../../db/client.ts'
import { hold, holdColumns, holdShared, holdTenant, shared } from '../../db/hold.ts'
import { insertTenant } from '../../db/repos/tenancy/tenants.ts'
import { configurations } from '../../db/tables/issuance/configurations.ts'
import { sharedOffers } from '../../db/tables/issuance/shared-offers.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { defaultSettings, tenants } from '../../db/tables/tenancy/tenants.ts'
import { openNewDatabase } from '../harness/database.ts'

const at = new Date('2025-06-30T23:59:59.987Z')
const [tenantId, id] = ['t', 'one']

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
  await db.tx(async (tx) => {
    await tx.insert(users).values({ id, tenantId, claims: { count: 0 }, createdAt: at })
    const values = { kind: 'tenant' as const, name: '', subdomain: 't', canonicalHost: 't', did: 'd' }
    const more = { id: tenantId, state: 'active' as const, settings: defaultSettings, createdAt: at }
    await tx.insert(tenants).values({ ...values, ...more })
  })
})
afterAll(() => drop())

const newConfiguration = (id: string) => ({
  ...{ id, tenantId, profile: 'web-semantic' as const, type: 'T', uniqueType: null, createdAt: at },
  settings: { claimMappings: {}, revocable: false },
})

test('returns the row of this tenant only', async () => {
  await db.tx(async (tx) => {
    for (const held of [hold, holdColumns, holdShared]) {
      expect(await held(tx, users, tenantId, id)).toMatchObject({ id, claims: { count: 0 } })
      expect(await held(tx, users, 'another', id)).toBeUndefined()
      expect(await held(tx, users, tenantId, 'another')).toBeUndefined()
    }
    expect(await holdTenant(tx, tenantId)).toMatchObject({ id: tenantId })
    expect(await holdTenant(tx, 'another')).toBeUndefined()
  })
})

test('twenty concurrent increments of a held row are all counted', async () => {
  const countUp = () =>
    db.tx(async (tx) => {
      const user = await hold(tx, users, tenantId, id)
      await sleep(1)
      const count = Number(user!.claims.count) + 1
      await tx.update(users).set({ claims: { count } }).where(eq(users.id, id))
    })
  await Promise.all(Array.from({ length: 20 }, countUp))
  const [user] = await db.read.select().from(users).where(eq(users.id, id))
  expect(user!.claims).toEqual({ count: 20 })
})

test('a held tenant is changed by one transaction after another', async () => {
  const values = { kind: 'tenant' as const, name: '', subdomain: 's', canonicalHost: 's', did: 'd' }
  const row = await db.tx((tx) => insertTenant(tx, { ...values, settings: defaultSettings }, at))
  await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      db.tx(async (tx) => {
        const held = await holdTenant(tx, row!.id)
        await sleep(1)
        await tx
          .update(tenants)
          .set({ name: `${held!.name}${turn} ` })
          .where(eq(tenants.id, held!.id))
      }),
    ),
  )
  const [renamed] = await db.read.select().from(tenants).where(eq(tenants.id, row!.id))
  expect(
    renamed!.name
      .trim()
      .split(' ')
      .map(Number)
      .sort((a, b) => a - b),
  ).toEqual([...Array(20).keys()])
})

test('either a reference finds its row, or the removal of the row sees the reference', async () => {
  for (let round = 0; round < 60; round++) {
    const name = `round ${round}`
    await db.tx((tx) => tx.insert(configurations).values(newConfiguration(name)))
    const refer = db.tx(async (tx) => {
      if (round % 2) await sleep(round % 3)
      if (!(await holdShared(tx, configurations, tenantId, name))) return false
      await sleep(round % 3)
      await tx
        .insert(sharedOffers)
        .values({ id: name, tenantId, configurationIds: [name], requestParameters: {}, createdAt: at })
      return true
    })
    const remove = db.tx(async (tx) => {
      await tx.delete(configurations).where(and(eq(configurations.tenantId, tenantId), eq(configurations.id, name)))
      const rows = await tx.select().from(sharedOffers).where(eq(sharedOffers.id, name))
      if (rows.length > 0) throw new Error('in use')
    })
    const [referred, removed] = await Promise.all([
      refer,
      remove.then(
        () => true,
        () => false,
      ),
    ])
    expect(referred).toBe(!removed)
  }
})

test('any number of transactions share a row, and an exclusive holder waits for all of them', {
  tags: 'postgres',
}, async () => {
  const name = 'shared'
  await db.tx((tx) => tx.insert(configurations).values(newConfiguration(name)))
  const { promise: allHere, resolve } = Promise.withResolvers<void>()
  let here = 0
  let gone = 0
  const shared = Array.from({ length: 4 }, () =>
    db.tx(async (tx) => {
      await holdShared(tx, configurations, tenantId, name)
      if (++here === 4) resolve()
      await allHere
      await sleep(20)
      gone += 1
    }),
  )
  await allHere
  const goneWhenHeld = await db.tx(async (tx) => {
    await hold(tx, configurations, tenantId, name)
    return gone
  })
  expect(goneWhenHeld).toBe(4)
  await Promise.all(shared)
})

/** PostgreSQL's locks on rows, from weak to strong. */
const strengths = ['key share', 'share', 'no key update', 'update'] as const

/** What each function leaves to other transactions. */
const granted: [name: string, take: (tx: Writer) => Promise<unknown>, strengths: readonly string[]][] = [
  ['hold', (tx) => hold(tx, users, tenantId, id), []],
  ['holdTenant', (tx) => holdTenant(tx, tenantId), []],
  ['holdColumns', (tx) => holdColumns(tx, users, tenantId, id), ['key share']],
  ['holdShared', (tx) => holdShared(tx, users, tenantId, id), ['key share', 'share', 'no key update']],
  [
    'shared',
    (tx) => {
      const user = tx.select({ id: users.id }).from(users).innerJoin(tenants, eq(tenants.id, users.tenantId))
      return tx
        .update(configurations)
        .set({ type: 'changed' })
        .where(exists(shared(user, users)))
    },
    ['key share', 'share', 'no key update'],
  ],
]

test.each(granted)('%s allows others no stronger lock', { tags: 'postgres' }, async (name, take, expected) => {
  const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = db.tx(async (tx) => {
    await take(tx)
    taken.resolve()
    await released.promise
  })
  await Promise.race([taken.promise, holder])
  const grantedOn = async (table: typeof tenants | typeof users) => {
    const grants: string[] = []
    for (const strength of strengths) {
      const lock = db.tx((tx) => tx.select().from(table).for(strength, { noWait: true }))
      await lock.then(
        () => grants.push(strength),
        () => undefined,
      )
    }
    return grants
  }
  const [table, other] = name === 'holdTenant' ? [tenants, users] : [users, tenants]
  const grantsOfTables = [await grantedOn(table), await grantedOn(other)]
  released.resolve()
  await holder
  expect(grantsOfTables).toEqual([expected, strengths])
})
