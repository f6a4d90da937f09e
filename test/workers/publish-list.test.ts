import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { setStatuses } from '../../db/repos/status/entries.ts'
import { publishList } from '../../workers/signing/lists/publish-list.ts'
import { type Statement, writingBetweenReads } from '../harness/between-reads.ts'
import { type Service, startService } from '../harness/harness.ts'
import { openChanges, publishedRow, readList, signingDeps } from '../harness/published.ts'
import { firstContent, newCredentials, newList, type Revocable } from '../harness/revocable.ts'
import { type DidDocument, fetchDidDocument } from '../verifiers/outside-verifiers.ts'

const dayMs = 24 * 3_600_000

let service: Service
let did: DidDocument
let db: Database
beforeAll(async () => {
  // What is published, these tests publish.
  service = await startService({ roles: ['signing'] })
  did = await fetchDidDocument(service.anonymous)
  db = service.deps.db
})
afterAll(() => service[Symbol.asyncDispose]())

async function newFilledList(count: number) {
  const listId = await newList(service, service.id)
  const made = await newCredentials(service, service.id, { listId, count })
  return { listId, made, ref: { tenantId: service.id, listId } }
}

const set = (status: 'valid' | 'invalid', ...made: Revocable[]) => {
  const ids = made.map(({ credentialId }) => credentialId)
  return db.tx((tx) => setStatuses(tx, service.id, ids, { status, at: service.clock.now() }))
}
const revoke = (...made: Revocable[]) => set('invalid', ...made)

/** A database whose write transactions wait at a gate. */
function gated() {
  const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const waiting: Database = {
    ...db,
    async tx(work) {
      reached.resolve()
      await gate.promise
      return db.tx(work)
    },
  }
  return { db: waiting, open: gate.resolve, fail: gate.reject, reached: reached.promise }
}

const stateOf = async (listId: string) => {
  const { version, content } = await publishedRow(db, service.id, listId)
  const positions = content.equals(firstContent) ? [] : readList(content, did).positions
  return { version, positions, open: await openChanges(db, listId) }
}

test('a publication contains changes in both directions, and without changes nothing is published', async () => {
  const { listId, made, ref } = await newFilledList(5)
  await revoke(made[1]!, made[3]!)
  await revoke(made[4]!)
  await publishList(signingDeps(service), ref)
  expect(await stateOf(listId)).toEqual({ version: 2, positions: [1, 3, 4], open: 0 })
  await publishList(signingDeps(service), ref)
  expect(await stateOf(listId)).toMatchObject({ version: 2 })
  await set('valid', made[3]!)
  await revoke(made[1]!)
  await publishList(signingDeps(service), ref)
  expect(await stateOf(listId)).toEqual({ version: 3, positions: [1, 4], open: 0 })
})

test('a list with more than one page of positions is published completely', async () => {
  const { listId, made, ref } = await newFilledList(20_001)
  await revoke(...made)
  await publishList(signingDeps(service), ref)
  const { positions } = await stateOf(listId)
  expect(positions).toEqual(made.map(({ position }) => position))
})

test('one of several concurrent publishers publishes a list', async () => {
  const { listId, made, ref } = await newFilledList(3)
  await revoke(...made)
  const gates = Array.from({ length: 6 }, gated)
  const publishers = gates.map((gate) => publishList(signingDeps(service, { db: gate.db }), ref))
  await Promise.all(gates.map(({ reached }) => reached))
  for (const { open } of gates) open()
  await Promise.all(publishers)
  expect(await stateOf(listId)).toEqual({ version: 2, positions: [0, 1, 2], open: 0 })
})

test('a delayed publisher does not replace a newer version', async () => {
  const { listId, made, ref } = await newFilledList(3)
  await revoke(made[0]!)
  const gate = gated()
  const late = publishList(signingDeps(service, { db: gate.db }), ref)
  await gate.reached
  await revoke(made[1]!)
  await publishList(signingDeps(service), ref)
  await revoke(made[2]!)
  gate.open()
  await late
  expect(await stateOf(listId)).toEqual({ version: 2, positions: [0, 1], open: 1 })
  await publishList(signingDeps(service), ref)
  expect(await stateOf(listId)).toEqual({ version: 3, positions: [0, 1, 2], open: 0 })
})

test('changes during the signature of a list are published with the next version', async () => {
  const { listId, made, ref } = await newFilledList(2)
  await revoke(made[0]!)
  const gate = gated()
  const under = publishList(signingDeps(service, { db: gate.db }), ref)
  await gate.reached
  await revoke(made[1]!)
  gate.open()
  await under
  expect(await stateOf(listId)).toEqual({ version: 2, positions: [0], open: 1 })
})

test('a publisher that ends before its commit leaves all work to the next one', async () => {
  const { listId, made, ref } = await newFilledList(1)
  await revoke(made[0]!)
  const gate = gated()
  const ended = publishList(signingDeps(service, { db: gate.db }), ref)
  await gate.reached
  gate.fail(new Error('it ended'))
  await expect(ended).rejects.toThrow('it ended')
  expect(await stateOf(listId)).toEqual({ version: 1, positions: [], open: 1 })
  await publishList(signingDeps(service), ref)
  expect(await stateOf(listId)).toEqual({ version: 2, positions: [0], open: 0 })
})

test('a list that cannot be signed does not change', async () => {
  const { listId, made, ref } = await newFilledList(1)
  await revoke(made[0]!)
  const currentKeys = { of: () => Promise.reject(new Error('no key')), forget: () => undefined }
  await expect(publishList(signingDeps(service, { currentKeys }), ref)).rejects.toThrow('no key')
  expect(await stateOf(listId)).toEqual({ version: 1, positions: [], open: 1 })
})

test('a clock that jumps during a signature does not cause an expired publication', async () => {
  const { listId, made, ref } = await newFilledList(1)
  await revoke(made[0]!)
  let offsetMs = 0
  const clock = { now: () => new Date(Date.now() + offsetMs) }
  const { currentKeys } = signingDeps(service)
  const jumping: typeof currentKeys = {
    ...currentKeys,
    of(...which) {
      offsetMs = 2 * dayMs
      return currentKeys.of(...which)
    },
  }
  await expect(publishList(signingDeps(service, { clock, currentKeys: jumping }), ref)).rejects.toThrow(
    'the list expired before it was published',
  )
  expect(await stateOf(listId)).toEqual({ version: 1, positions: [], open: 1 })
  await publishList(signingDeps(service, { clock }), ref)
  const { issuedAt, expiresAt } = await publishedRow(db, service.id, listId)
  expect([issuedAt.getTime() > Date.now() + dayMs, expiresAt! > clock.now()]).toEqual([true, true])
})

test('a list is renewed a day before it expires, and not earlier', async () => {
  const { listId, ref } = await newFilledList(1)
  const made = service.clock.now().getTime()
  const at = (ms: number) => signingDeps(service, { clock: { now: () => new Date(made + ms) } })
  await publishList(at(dayMs - 60_000), ref)
  expect((await publishedRow(db, service.id, listId)).version).toBe(1)
  await publishList(at(dayMs + 1_000), ref)
  const { version, content } = await publishedRow(db, service.id, listId)
  const { iat, exp } = readList(content, did)
  expect([version, iat, exp - iat]).toEqual([2, Math.floor((made + dayMs + 1_000) / 1000), (2 * dayMs) / 1000])
})

test('nothing is published for a tenant that is being removed', async () => {
  const tenant = await service.addTenant()
  const listId = await newList(service, tenant.id)
  const made = await newCredentials(service, tenant.id, { listId })
  const ids = made.map(({ credentialId }) => credentialId)
  await db.tx((tx) => setStatuses(tx, tenant.id, ids, { status: 'invalid', at: new Date() }))
  await service.platform.delete(`/v1/tenants/${tenant.id}`)
  await publishList(signingDeps(service), { tenantId: tenant.id, listId })
  expect((await publishedRow(db, tenant.id, listId)).version).toBe(1)
})

test('a revocation between the reads of a publication is in this version or in the next one', async () => {
  const { listId, made, ref } = await newFilledList(10)
  let revoked = 0
  const revokeNext = (): Statement[] => [
    [`UPDATE status_entries SET status = 'invalid' WHERE credential_id = $1`, made[revoked++]!.credentialId],
    [
      `INSERT INTO status_changes (id, tenant_id, list_id, changed_at)
        SELECT $1, tenant_id, id, created_at FROM status_lists WHERE id = $2`,
      randomUUID(),
      listId,
    ],
  ]
  const writing = writingBetweenReads(db, service.deps.config.databaseUrl, revokeNext)
  onTestFinished(() => writing.close())
  await publishList(signingDeps(service, { db: writing.db }), ref)
  const { version, positions, open } = await stateOf(listId)
  expect(version).toBe(2)
  // Before the list, its changes and its entries were read.
  expect(revoked).toBeGreaterThanOrEqual(3)
  expect(positions).toEqual(made.slice(0, positions.length).map(({ position }) => position))
  expect(open).toBeGreaterThanOrEqual(revoked - positions.length)
  await publishList(signingDeps(service), ref)
  expect(await stateOf(listId)).toMatchObject({ positions: made.slice(0, revoked).map(({ position }) => position) })
})

/** For as long as revocations come, two publish as fast as they can; every version is kept and looked at afterwards. */
test('a list contains every change that was answered before its issue time', async () => {
  const { listId, made, ref } = await newFilledList(150)
  const answered: { position: number; at: number }[] = []
  const versions = new Map<number, { issuedAt: number; content: Buffer }>()
  const seen: number[] = []
  let isOver = false
  const publisher = async () => {
    while (!isOver) {
      await publishList(signingDeps(service), ref)
      await setImmediate()
    }
  }
  const reader = async () => {
    while (!isOver) {
      const { version, issuedAt, content } = await publishedRow(db, service.id, listId)
      seen.push(version)
      versions.set(version, { issuedAt: issuedAt.getTime(), content })
      await setImmediate()
    }
  }
  const revoker = async (part: number) => {
    for (const each of made.filter((_, at) => at % 4 === part)) {
      await revoke(each)
      answered.push({ position: each.position, at: Date.now() })
      for (let tick = 0; tick < 10; tick++) await setImmediate()
    }
  }
  const running = [publisher(), publisher(), reader()]
  await Promise.all([0, 1, 2, 3].map(revoker))
  isOver = true
  await Promise.all(running)
  await publishList(signingDeps(service), ref)

  expect(seen).toEqual(seen.toSorted((one, other) => one - other))
  expect(versions.size).toBeGreaterThan(3)
  for (const { issuedAt, content } of versions.values()) {
    if (content.equals(firstContent)) continue
    const positions = new Set(readList(content, did).positions)
    const missing = answered.filter(({ at, position }) => at < issuedAt && !positions.has(position))
    expect(missing).toEqual([])
  }
  expect(await stateOf(listId)).toMatchObject({ positions: made.map(({ position }) => position), open: 0 })
})
