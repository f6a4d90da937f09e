import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setStatuses } from '../../../db/repos/status/entries.ts'
import { credentials } from '../../../db/tables/issuance/credentials.ts'
import { outbox } from '../../../db/tables/outbox.ts'
import { statusBulks } from '../../../db/tables/status/bulks.ts'
import { statusChanges } from '../../../db/tables/status/changes.ts'
import { plusMs } from '../../../shared/clock.ts'
import { bulkSettlesMs } from '../../../shared/domain/status/status-bulks.ts'
import { Postpone } from '../../../workers/serve.ts'
import { setBulkStatus, setNextPortion } from '../../../workers/upkeep/set-bulk-status.ts'
import type { Api } from '../../harness/api-client.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { newCredentials, newList } from '../../harness/revocable.ts'

const path = '/v2/credentials/revocation-status'
let service: Service
let tenant: TestTenant
beforeAll(async () => {
  service = await startService({ roles: ['signing', 'relay', 'upkeep'] })
  tenant = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const make = (count: number, extra: Omit<Parameters<typeof newCredentials>[2], 'count'> = {}, of = tenant) =>
  newCredentials(service, of.id, { count, ...extra })
const idsOf = (made: { credentialId: string }[]) => made.map(({ credentialId }) => credentialId)

async function revokedOf(ids: string[]): Promise<string[]> {
  const rows = await service.deps.db.read
    .select({ id: credentials.id, status: credentials.status })
    .from(credentials)
    .where(inArray(credentials.id, ids))
  return rows.filter(({ status }) => status === 'invalid').map(({ id }) => id)
}

async function request(body: object, operator: Api = tenant.operator): Promise<{ id: string; accepted: number }> {
  const answer = await operator.post(path, body)
  expect([answer.status, answer.body]).toEqual([202, { id: expect.any(String), accepted: expect.any(Number) }])
  return answer.body
}

const stateOf = async (id: string, operator: Api = tenant.operator) => (await operator.get(`${path}/${id}`)).body

async function finished(id: string) {
  return eventually(async () => {
    const state = await stateOf(id)
    return state.state === 'done' && state
  })
}

/** Sets the next portion, like the worker's job. Returns false if nothing is left. */
async function portion(bulkId: string): Promise<boolean> {
  return (await setNextPortion(service.deps, { tenantId: tenant.id, bulkId })) !== undefined
}

test('a bulk request revokes and restores credentials by id and names those that it cannot change', async () => {
  const listId = await newList(service, tenant.id)
  const revocable = idsOf(await make(700, { listId }))
  const [plain] = idsOf(await make(1))
  const [foreign] = idsOf(await make(1, {}, await service.addTenant()))
  const unknown = randomUUID()
  const ids = [...revocable, plain!, foreign!, unknown, revocable[0]!, revocable[1]!.toUpperCase()]
  const { id, accepted } = await request({ credentials: ids, isRevoked: true })
  expect(accepted).toBe(703)
  const { failed, ...state } = await finished(id)
  expect(state).toEqual({ id, state: 'done', total: 703, done: 703 })
  const reasonOf = (each: string) => failed.find((failure: { id: string }) => failure.id === each)?.reason
  expect(failed).toHaveLength(3)
  expect(reasonOf(plain!)).toBe('This credential is not revocable')
  expect([reasonOf(foreign!), reasonOf(unknown)]).toEqual(
    Array(2).fill(expect.stringMatching(/^No credential .* GET /)),
  )
  expect((await revokedOf([...revocable, foreign!])).sort()).toEqual([...revocable].sort())
  expect(await service.deps.db.read.$count(outbox, eq(outbox.id, id))).toBe(0)

  const back = await request({ credentials: revocable, isRevoked: false })
  expect(await finished(back.id)).toMatchObject({ done: 700, failed: [] })
  expect(await revokedOf(revocable)).toEqual([])
})

describe('a filter selects credentials', () => {
  const day = 24 * 3_600_000
  const [configurationId, userId] = [randomUUID(), randomUUID()]
  let now: Date
  let old: string[]
  let ofUser: string[]
  let ofOthers: string[]
  let fromTomorrow: string[]
  beforeAll(async () => {
    const listId = await newList(service, tenant.id)
    now = service.clock.now()
    const entry = (extra: object, from: number) => make(3, { listId, from, ...extra }).then(idsOf)
    old = await entry({ configurationId, issuedAt: plusMs(now, -10 * day) }, 0)
    ofUser = await entry({ configurationId, userId }, 3)
    ofOthers = await entry({ userId, issuedAt: plusMs(now, -3 * day) }, 6)
    fromTomorrow = await entry({ configurationId, userId, issuedAt: plusMs(now, day) }, 9)
    await service.workers.stop()
  })
  afterAll(() => service.workers.start())

  const iso = (days: number) => plusMs(now, days * day).toISOString()
  const all = () => [...old, ...ofUser, ...ofOthers, ...fromTomorrow]
  // No filter selects credentials that are issued after the request.
  const rows: [name: string, filter: () => object, found: () => string[]][] = [
    ['of a configuration', () => ({ configurationId }), () => [...old, ...ofUser]],
    ['of a user', () => ({ userId }), () => [...ofUser, ...ofOthers]],
    ['of both', () => ({ configurationId, userId }), () => ofUser],
    ['of a configuration from a day on', () => ({ configurationId, issuedFrom: iso(-1) }), () => ofUser],
    ['up to a moment, of any configuration', () => ({ issuedTo: iso(-2) }), () => [...old, ...ofOthers]],
    ['of a period', () => ({ issuedFrom: iso(-4), issuedTo: iso(-2) }), () => ofOthers],
    [
      'of a period given in days',
      () => ({ issuedFrom: iso(-4).slice(0, 10), issuedTo: iso(2) }),
      () => [...ofUser, ...ofOthers],
    ],
    ['of an unknown configuration', () => ({ configurationId: randomUUID() }), () => []],
  ]
  test.each(rows)('%s', async (_name, filter, found) => {
    const { id, accepted } = await request({ filter: filter(), isRevoked: true })
    expect(await portion(id)).toBe(true)
    expect(await stateOf(id)).toMatchObject({ state: 'pending' })
    // Issuances that were running at the time of the request are committed by then.
    service.clock.advance(bulkSettlesMs)
    while (await portion(id));
    const done = await stateOf(id)
    expect(done).toMatchObject({ state: 'done' })
    // Other tests create credentials at the same time.
    const count = done.done - done.failed.length
    expect(accepted).toBe(done.done)
    expect(count).toBeGreaterThanOrEqual(found().length)
    expect((await revokedOf(all())).sort()).toEqual([...found()].sort())
    await service.deps.db.tx((tx) => setStatuses(tx, tenant.id, all(), { status: 'valid', at: now }))
  })
})

test('a filter selects credentials that are committed soon after the request, but none that are issued long after it', async () => {
  const listId = await newList(service, tenant.id)
  const configurationId = randomUUID()
  const before = idsOf(await make(2, { listId, configurationId }))
  await service.workers.stop()
  const { id } = await request({ filter: { configurationId }, isRevoked: true })
  // This credential was signed before the request and is committed now.
  const late = idsOf(await make(1, { listId, configurationId, from: 2, issuedAt: plusMs(service.clock.now(), -500) }))
  expect(await portion(id)).toBe(true)
  expect(await stateOf(id)).toMatchObject({ state: 'pending', done: 0, total: 2 })
  service.clock.advance(60_000)
  const after = idsOf(await make(1, { listId, configurationId, from: 3 }))
  expect(await portion(id)).toBe(false)
  expect(await stateOf(id)).toMatchObject({ state: 'done', done: 3, total: 3 })
  expect((await revokedOf([...before, ...late, ...after])).sort()).toEqual([...before, ...late].sort())
  await service.workers.start()
})

test.each(['ids', 'filter'])('a request by %s continues after a crash, and no credential counts twice', async (by) => {
  const listId = await newList(service, tenant.id)
  const configurationId = randomUUID()
  const ids = idsOf(await make(1_200, { listId, configurationId }))
  await service.workers.stop()
  const what = by === 'ids' ? { credentials: ids } : { filter: { configurationId } }
  const { id } = await request({ ...what, isRevoked: true })
  service.clock.advance(60_000)
  // Two workers run the job, because one of them was considered dead.
  expect(await Promise.all([portion(id), portion(id)])).toEqual([true, true])
  expect(await stateOf(id)).toMatchObject({ state: 'running', total: 1_200, done: 1_000 })
  expect(await revokedOf(ids)).toHaveLength(1_000)
  // A portion is committed completely or not at all.
  const tx = service.deps.db.tx
  service.deps.db.tx = (work) =>
    tx(async (inner) => {
      await work(inner)
      throw new Error('killed')
    })
  await expect(portion(id)).rejects.toThrow('killed')
  service.deps.db.tx = tx
  expect(await stateOf(id)).toMatchObject({ state: 'running', done: 1_000 })
  expect(await revokedOf(ids)).toHaveLength(1_000)

  await service.workers.start()
  expect(await finished(id)).toMatchObject({ total: 1_200, done: 1_200, failed: [] })
  expect(await revokedOf(ids)).toHaveLength(1_200)
  // The list has a change per portion, not per credential.
  expect(await service.deps.db.read.$count(statusChanges, eq(statusChanges.listId, listId))).toBe(3)
})

test('a request continues at once after its time slice, and waits until earlier transactions are committed', async () => {
  const listId = await newList(service, tenant.id)
  const configurationId = randomUUID()
  const ids = idsOf(await make(600, { listId, configurationId }))
  await service.workers.stop()
  const byIds = await request({ credentials: ids, isRevoked: true })
  const byFilter = await request({ filter: { configurationId }, isRevoked: true })
  const sliceOf = ({ id: bulkId }: { id: string }) =>
    setBulkStatus(service.deps, { tenantId: tenant.id, bulkId }, 0).catch((error: unknown) => error)
  // BullMQ can take a second longer for a job that is delayed.
  expect(await sliceOf(byIds)).toEqual(new Postpone(0))
  expect(await sliceOf(byIds)).toBeUndefined()
  service.clock.advance(-500)
  const early = await sliceOf(byFilter)
  expect(early).toBeInstanceOf(Postpone)
  expect(early).toMatchObject({ delayMs: expect.toSatisfy((ms: number) => ms > 1_000) })
  service.clock.advance(500)
  service.clock.advance(bulkSettlesMs)
  expect(await sliceOf(byFilter)).toEqual(new Postpone(0))
  expect(await sliceOf(byFilter)).toBeUndefined()
  await service.workers.start()
})

test('large requests of one tenant do not delay those of others', async () => {
  const other = await service.addTenant()
  const listId = await newList(service, tenant.id)
  const large = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => idsOf(await make(5_000, { listId, from: index * 5_000 }))),
  )
  const small = idsOf(await make(2, { listId: await newList(service, other.id) }, other))
  // A large request takes more than one time slice of a second on every machine, because each of its ten portions is delayed.
  const tx = service.deps.db.tx
  service.deps.db.tx = async (work) => {
    await sleep(300)
    return tx(work)
  }
  const firsts = await Promise.all(large.map((ids) => request({ credentials: ids, isRevoked: true })))
  const doneOf = async () => Promise.all(firsts.map(async ({ id }) => (await stateOf(id)).done))
  // The large requests have all four slots of the worker.
  await eventually(async () => (await doneOf()).filter((done) => done > 0).length >= 4)
  const second = await request({ credentials: small, isRevoked: true }, other.operator)
  await eventually(async () => (await stateOf(second.id, other.operator)).state === 'done')
  service.deps.db.tx = tx
  const endOf = async ({ id }: { id: string }) => {
    const [row] = await service.deps.db.read.select().from(statusBulks).where(eq(statusBulks.id, id))
    return row?.endedAt?.getTime() ?? Number.POSITIVE_INFINITY
  }
  // Without time slices, the small request would wait until a large one was done.
  expect(Math.min(...(await Promise.all(firsts.map(endOf))))).toBeGreaterThan(await endOf(second))
  expect(await other.operator.get(`${path}/${firsts[0]?.id}`)).toMatchObject({ status: 404 })
})

test.each<[what: string, body: object, message: RegExp]>([
  ['an empty filter', { filter: {}, isRevoked: true }, /all credentials/],
  ['a filter without known members', { filter: { type: 'x' }, isRevoked: true }, /all credentials/],
  ['neither ids nor filter', { isRevoked: true }, /either credentials or filter/],
  [
    'both ids and filter',
    { credentials: [randomUUID()], filter: { userId: randomUUID() }, isRevoked: true },
    /not both/,
  ],
  ['no ids', { credentials: [], isRevoked: true }, /./],
  ['10,001 ids', { credentials: Array.from({ length: 10_001 }, () => randomUUID()), isRevoked: true }, /./],
  ['an invalid id', { credentials: ['one'], isRevoked: true }, /./],
  ['an invalid time', { filter: { issuedFrom: 'yesterday' }, isRevoked: true }, /ISO 8601/],
  ['no status', { credentials: [randomUUID()] }, /./],
])('a request with %s is refused', async (_what, body, message) => {
  const refused = await tenant.operator.post(path, body)
  expect(refused).toMatchObject({ status: 400, body: { details: [{ msg: expect.stringMatching(message) }] } })
})

test('a body of more than 1 MB is refused', async () => {
  const body = { credentials: [randomUUID()], isRevoked: true, more: 'x'.repeat(1_000_000) }
  expect(await tenant.operator.post(path, body)).toMatchObject({ status: 413 })
})
