import { setImmediate } from 'node:timers/promises'
import { and, eq, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '../../../db/client.ts'
import { findBulkIssuance } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { findConfiguration } from '../../../db/repos/issuance/configurations.ts'
import { bulkRows } from '../../../db/tables/issuance/bulk-issuances.ts'
import { issuePortion } from '../../../workers/signing/bulk/issue-bulk.ts'
import { signCredentials } from '../../../workers/signing/sign-credentials.ts'
import { createWalletActivity } from '../../../workers/signing/wallet-activity.ts'
import { checkRows } from '../../../workers/upkeep/bulk/check-rows.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { signingDeps } from '../../harness/published.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'

const path = '/v1/bulk-issuances'
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Returns the number of ticks of the event loop during the work. */
async function countTicks(work: () => Promise<unknown>): Promise<number> {
  let ticks = 0
  let isDone = false
  const counting = (async () => {
    for (; !isDone; ticks++) await setImmediate()
  })()
  await work()
  isDone = true
  await counting
  return ticks
}

test('other work runs while the rows of a portion are checked with many configurations', async () => {
  const tenant = await service.addTenant()
  const configuration = await findConfiguration(service.deps.db.read, tenant.id, await compactConfiguration(tenant))
  const rules = {
    ...{ mode: 'links' as const, signIn: null, configurations: Array.from({ length: 90 }, () => configuration!) },
    columns: { claims: null, externalId: 'number', userId: null },
    claimColumns: [{ column: 'given_name', path: ['given_name'] }],
    ...{ users: new Map(), conditions: { now: new Date(), authorities: new Map() } },
  }
  const rows = Array.from({ length: 500 }, (_, at) => ({
    number: at + 1,
    values: { number: `${at}`, given_name: 'A' },
  }))
  let valid = 0
  const ticks = await countTicks(async () => {
    const checked = await checkRows(rules, rows)
    valid = checked.filter(({ content }) => content !== undefined).length
  })
  expect(valid).toBe(500)
  expect(ticks).toBeGreaterThan(10)
})

/** Starts a bulk issuance with a row for each name. No worker issues the rows until `service.workers.start()`. */
async function startWithoutWorkers(tenant: TestTenant, mode: string, names: string[]) {
  const { operator } = tenant
  const fields = bulkFields(await compactConfiguration(tenant), { mode, validateOnly: 'true' })
  const file = csvFile(`number,given_name\n${names.map((name, at) => `${at},${name}\n`).join('')}`)
  const { body } = await uploadTo(operator, path, ['file', file], ...fields)
  const get = async () => (await operator.get(`${path}/${body.id}`)).body
  await eventually(async () => (await get()).state === 'ready')
  await service.workers.stop()
  await operator.post(`${path}/${body.id}/start`)
  return { run: { tenantId: tenant.id, bulkId: String(body.id), run: 1 }, get }
}

test('while wallets collect credentials, portions are small and pauses are long', async () => {
  const tenant = await service.addTenant()
  const { run, get } = await startWithoutWorkers(tenant, 'sign', Array(80).fill('Ada'))
  let time = 0
  const walletActivity = createWalletActivity(() => time)
  const { db } = service.deps
  let transactionMs = 0
  const tx: Database['tx'] = async (work, options) => {
    const startedAt = performance.now()
    const result = await db.tx(work, options)
    transactionMs = performance.now() - startedAt
    return result
  }
  const deps = signingDeps(service, { walletActivity, db: { ...db, tx } })
  await signCredentials(deps, [])
  expect(await issuePortion(deps, run)).toBeGreaterThan(2 * transactionMs)
  expect(transactionMs).toBeGreaterThan(0)
  expect(await get()).toMatchObject({ done: 25 })
  time += 1_000
  expect(await issuePortion(deps, run)).toBeUndefined()
  expect(await get()).toMatchObject({ state: 'done', done: 80 })
  await service.workers.start()
})

test.each(['links', 'sign'])('a portion of large rows has about 1 MB: %s', async (mode) => {
  const tenant = await service.addTenant()
  const rows = 30
  const { run, get } = await startWithoutWorkers(tenant, mode, Array(rows).fill('A'.repeat(90_000)))
  const progress: number[] = []
  for (let portions = 0; portions < 20; portions++) {
    const pauseMs = await issuePortion(signingDeps(service), run)
    progress.push((await findBulkIssuance(service.deps.db.read, tenant.id, run.bulkId))?.progress ?? 0)
    if (pauseMs === undefined) break
  }
  expect(progress.at(-1)).toBe(rows)
  const sizes = progress.map((last, at) => last - (progress[at - 1] ?? 0))
  expect(Math.max(...sizes)).toBeLessThan(12)
  expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(4)
  expect(await get()).toMatchObject({ state: 'done', valid: rows, done: rows, failed: 0 })
  await service.workers.start()
})

test('a run continues if all rows of a portion are erased while it reads them', async () => {
  const tenant = await service.addTenant()
  const { run, get } = await startWithoutWorkers(tenant, 'sign', ['Ada', 'Bob', 'Eve'])
  const { db } = service.deps
  const erased = and(eq(bulkRows.bulkId, run.bulkId), eq(bulkRows.row, 1))
  // The portion is chosen by the sizes of its rows. The statement that reads whole rows is the next one.
  const select = db.read.select.bind(db.read)
  const readRows = (table: PgTable) => {
    const reading = select().from(table)
    const where = (condition: SQL) => ({
      async orderBy(order: SQL) {
        await db.tx((tx) => tx.delete(bulkRows).where(erased))
        return reading.where(condition).orderBy(order)
      },
    })
    return table === (bulkRows as unknown) ? { where } : reading
  }
  const spy = vi.spyOn(db.read, 'select')
  // Boundary: only the parts that the portion uses.
  spy.mockImplementation(((columns: never) => (columns ? select(columns) : { from: readRows })) as never)
  expect(await issuePortion(signingDeps(service), run, 1)).toBeGreaterThan(0)
  spy.mockRestore()
  expect(await get()).toMatchObject({ state: 'running', done: 0 })
  await service.workers.start()
  await eventually(async () => (await get()).state === 'done')
  expect(await get()).toMatchObject({ done: 2, failed: 0 })
})
