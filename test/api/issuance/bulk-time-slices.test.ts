import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { and, eq, lte } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../db/client.ts'
import { bulkFileChunks, bulkIssuances, bulkRows } from '../../../db/tables/issuance/bulk-issuances.ts'
import type { SealContext } from '../../../shared/secrets/sealing.ts'
import { Postpone } from '../../../workers/serve.ts'
import { createIssueBulk } from '../../../workers/signing/bulk/issue-bulk.ts'
import { createValidateBulk } from '../../../workers/upkeep/bulk/validate-bulk.ts'
import { createWipeBulk } from '../../../workers/upkeep/bulk/wipe-bulk.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { signingDeps } from '../../harness/published.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'

const path = '/v1/bulk-issuances'
let service: Service
beforeAll(async () => {
  service = await startService()
})
// Most tests stop the workers.
afterEach(() => service.workers.start())
afterAll(() => service[Symbol.asyncDispose]())

async function newTenant() {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const configurationId = await compactConfiguration(tenant)
  async function upload(rows: number, fields: Record<string, string> = {}, name = 'Ada', last = '') {
    const lines = [...Array.from({ length: rows }, (_, at) => `${at},${name}`), last]
    const file = csvFile(`number,given_name\n${lines.join('\n')}\n`)
    const sent = await uploadTo(operator, path, ['file', file], ...bulkFields(configurationId, fields))
    expect(sent.status).toBe(202)
    return { tenantId: tenant.id, bulkId: String(sent.body.id) }
  }
  const stateOf = async ({ bulkId }: { bulkId: string }) => (await operator.get(`${path}/${bulkId}`)).body.state
  const start = ({ bulkId }: { bulkId: string }) => operator.post(`${path}/${bulkId}/start`)
  const cancel = ({ bulkId }: { bulkId: string }) => operator.post(`${path}/${bulkId}/cancel`)
  const rowsOf = async ({ bulkId }: { bulkId: string }) => (await operator.get(`${path}/${bulkId}/rows`)).body
  return { tenant, upload, rowsOf, stateOf, start, cancel }
}

/** Returns a database whose first transaction waits for `open`. `reached` resolves when it begins. */
function gated(db: Database) {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isFirst = true
  const tx: Database['tx'] = async (...given) => {
    const waits = isFirst
    isFirst = false
    reached.resolve()
    if (waits) await opened.promise
    return db.tx(...given)
  }
  const open = () => opened.resolve()
  return { db: { ...db, read: db.read, tx }, reached: reached.promise, open }
}

const large = 2_000
const toTheEnd = 600_000

/** Uploads two large files of one tenant and a small one of another, and stops the workers before they read the files. */
async function uploaded(small: number, fields: Record<string, string> = {}, rows = large) {
  const [some, other] = [await newTenant(), await newTenant()]
  await service.workers.stop()
  const files = [await some.upload(rows, fields), await some.upload(rows, fields)] as const
  return { some, other, files, small: await other.upload(small, fields) }
}

test('large files of a tenant do not delay the validation of a small one of another tenant', async () => {
  const { some, other, files, small } = await uploaded(100, { validateOnly: 'true' })
  const { db, reached, open } = gated(service.deps.db)
  const validate = createValidateBulk({ ...service.deps, db }, toTheEnd)
  const first = validate(files[0])
  await reached
  await expect(validate(files[1])).rejects.toThrow(Postpone)
  await validate(small)
  expect(await other.stateOf(small)).toBe('ready')
  open()
  await first
  await validate(files[1])
  expect(await Promise.all(files.map((file) => some.stateOf(file)))).toEqual(['ready', 'ready'])
})

test('large bulk issuances of a tenant do not delay a small one of another tenant', async () => {
  const { some, other, files, small } = await uploaded(100, { validateOnly: 'true' }, 600)
  const validate = createValidateBulk(service.deps, toTheEnd)
  for (const file of [...files, small]) await validate(file)
  for (const file of files) expect(await some.start(file)).toMatchObject({ status: 200 })
  expect(await other.start(small)).toMatchObject({ status: 200 })
  const { db, reached, open } = gated(service.deps.db)
  const issue = createIssueBulk(signingDeps(service, { db }), toTheEnd)
  const first = issue({ ...files[0], run: 1 })
  await reached
  await expect(issue({ ...files[1], run: 1 })).rejects.toThrow(Postpone)
  await issue({ ...small, run: 1 })
  expect(await other.stateOf(small)).toBe('done')
  open()
  await first
  await issue({ ...files[1], run: 1 })
  expect(await Promise.all(files.map((file) => some.stateOf(file)))).toEqual(['done', 'done'])
})

test('a process wipes one bulk issuance at a time, so that other work of the queue has slots', async () => {
  const { some, files } = await uploaded(1, { validateOnly: 'true' })
  const validate = createValidateBulk(service.deps, toTheEnd)
  for (const file of files) {
    await validate(file)
    expect(await some.cancel(file)).toMatchObject({ status: 200 })
  }
  const { db, reached, open } = gated(service.deps.db)
  const wipe = createWipeBulk({ ...service.deps, db }, toTheEnd)
  const first = wipe(files[0])
  await reached
  await expect(wipe(files[1])).rejects.toThrow(Postpone)
  open()
  await first
  await wipe(files[1])
  const stored = await service.deps.db.read.select().from(bulkRows).where(eq(bulkRows.tenantId, some.tenant.id))
  expect([stored.length, stored.filter(({ sealedClaims }) => sealedClaims !== null).length]).toEqual([2 * large, 0])
})

test('the rows of a refused file are not listed, and are removed in time slices', async () => {
  const { tenant, upload, stateOf, rowsOf } = await newTenant()
  await service.workers.stop()
  // The last row has the external id of the first one.
  const file = await upload(large, { validateOnly: 'true' }, 'Ada', '0,Eve')
  const validate = createValidateBulk(service.deps, 0)
  const stored = () => service.deps.db.read.$count(bulkRows, eq(bulkRows.tenantId, tenant.id))
  const counts: number[] = []
  for (let slices = 0; slices < 50 && (await isPostponed(validate(file))); slices++) {
    if ((await stateOf(file)) !== 'failed') continue
    expect(await rowsOf(file)).toEqual({ data: [] })
    counts.push(await stored())
  }
  expect(await stateOf(file)).toBe('failed')
  // A time slice removes one batch.
  expect(counts).toEqual([1_500, 1_000, 500, 0])
  expect(await stored()).toBe(0)
})

/** Counts the chunks of files that are opened. */
function countingDeps() {
  const { secrets } = service.deps
  const opened: SealContext[] = []
  const openBytes: typeof secrets.openBytes = (sealed, context) => {
    opened.push(context)
    return secrets.openBytes(sealed, context)
  }
  return { opened, deps: { ...service.deps, secrets: { ...secrets, openBytes } } }
}

const isPostponed = async (run: Promise<void>) => (await run.catch((error: unknown) => error)) instanceof Postpone
const progressOf = async ({ bulkId }: { bulkId: string }) => {
  const [bulk] = await service.deps.db.read.select().from(bulkIssuances).where(eq(bulkIssuances.id, bulkId))
  return bulk?.progress
}

test('a tenant with more files than can be open finishes one after another, and each is read once', async () => {
  const { upload, stateOf } = await newTenant()
  await service.workers.stop()
  const uploadLarge = () => upload(2_000, { validateOnly: 'true' }, 'Ada'.repeat(100))
  const files = [
    await uploadLarge(),
    await uploadLarge(),
    await uploadLarge(),
    await uploadLarge(),
    await uploadLarge(),
  ]
  const chunks = await service.deps.db.read.$count(bulkFileChunks, eq(bulkFileChunks.tenantId, files[0]!.tenantId))
  const { deps, opened } = countingDeps()
  const validate = createValidateBulk(deps, 0)
  let slices = 0
  for (let left = files; left.length > 0 && slices < 500; slices++) {
    const still = []
    for (const file of left) if (await isPostponed(validate(file))) still.push(file)
    left = still
  }
  expect(await Promise.all(files.map(stateOf))).toEqual(files.map(() => 'ready'))
  expect(opened.length).toBe(chunks)
})

test('a time slice reads a limited part of the stored rows again, and the next one continues', async () => {
  const { upload, stateOf } = await newTenant()
  await service.workers.stop()
  const file = await upload(14_000, { validateOnly: 'true' }, 'Ada'.repeat(100))
  const first = createValidateBulk(service.deps, 0)
  while (((await progressOf(file)) ?? 0) < 8_000) expect(await isPostponed(first(file))).toBe(true)
  const progress = await progressOf(file)
  const { deps, opened } = countingDeps()
  const other = createValidateBulk(deps, 0, 1)
  // About 1 MB of 2.4 MB is read again in each of these time slices.
  for (let slice = 0; slice < 2; slice++) {
    expect(await isPostponed(other(file))).toBe(true)
    expect(await progressOf(file)).toBe(progress)
    expect(opened.length).toBeLessThan(5 * (slice + 2))
  }
  for (let slices = 0; (await isPostponed(other(file))) && slices < 100; slices++);
  expect(await stateOf(file)).toBe('ready')
  // Each chunk once.
  expect(new Set(opened).size).toBe(opened.length)
})

test('a file of blank rows runs round robin with others, and is read once', async () => {
  const [some, other] = [await newTenant(), await newTenant()]
  await service.workers.stop()
  const file = await some.upload(1, { validateOnly: 'true' }, 'Ada', `${'\n'.repeat(400_000)}1,Eve`)
  const small = await other.upload(3, { validateOnly: 'true' })
  const { deps, opened } = countingDeps()
  const validate = createValidateBulk(deps, 0)
  // The first time slice stores a row. The next ones read blank rows only.
  for (let slice = 0; slice < 3; slice++) expect(await isPostponed(validate(file))).toBe(true)
  expect(await progressOf(file)).toBe(1)
  while (await isPostponed(validate(small))) expect(await isPostponed(validate(file))).toBe(true)
  expect(await other.stateOf(small)).toBe('ready')
  for (let slices = 0; (await isPostponed(validate(file))) && slices < 100; slices++);
  expect(await some.rowsOf(file)).toMatchObject({ data: [{ row: 1 }, { row: 400_002 }] })
  // Each chunk once, also after time slices without a row.
  expect(new Set(opened).size).toBe(opened.length)
})

test('a time slice among blank rows ends when the bulk issuance is deleted, and the thread ends', async () => {
  const { tenant, upload } = await newTenant()
  await service.workers.stop()
  const file = await upload(1, { validateOnly: 'true' }, 'Ada', '\n'.repeat(400_000))
  const validate = createValidateBulk(service.deps, toTheEnd)
  const started = once(process, 'worker') as Promise<[Worker]>
  const { db, reached, open } = gated(service.deps.db)
  const run = createValidateBulk({ ...service.deps, db }, toTheEnd)(file)
  const [thread] = await started
  const ended = once(thread, 'exit')
  await reached
  expect(await tenant.operator.delete(`${path}/${file.bulkId}`)).toMatchObject({ status: 204 })
  open()
  expect(await isPostponed(run)).toBe(true)
  await ended
  await validate(file)
})

test('a wipe reads each row once, in however many time slices, and few rows in a step', async () => {
  const { some, files } = await uploaded(1, { validateOnly: 'true' })
  const [file] = files
  const { db } = service.deps
  await createValidateBulk(service.deps, toTheEnd)(file)
  // As after a part of its run.
  await db.tx((tx) => tx.update(bulkIssuances).set({ progress: 700 }).where(eq(bulkIssuances.id, file.bulkId)))
  expect(await some.cancel(file)).toMatchObject({ status: 200 })
  const withClaims = async () => {
    const stored = await db.read.select().from(bulkRows).where(eq(bulkRows.bulkId, file.bulkId))
    return stored.flatMap(({ row, sealedClaims }) => (sealedClaims === null ? [] : [row])).sort((a, b) => a - b)
  }
  const before = await withClaims()
  expect(before).toHaveLength(large)
  const setClaims = (last: number, sealedClaims: string | null) => {
    const first = and(eq(bulkRows.bulkId, file.bulkId), lte(bulkRows.row, last))
    return db.tx((tx) => tx.update(bulkRows).set({ sealedClaims }).where(first))
  }
  const wipe = createWipeBulk(service.deps, 0)
  await setClaims(1_000, null)
  // 500 rows are one step, also without claims.
  for (let slice = 0; slice < 2; slice++) await expect(wipe(file)).rejects.toThrow(Postpone)
  expect(await withClaims()).toEqual(before.filter((row) => row > 1_000))
  // A time slice that began at the first row again would remove these.
  await setClaims(1, 'sealed again')
  let slices = 2
  for (let end: unknown = new Postpone(0); end instanceof Postpone && slices < 20; slices++) {
    end = await wipe(file).catch((error: unknown) => error)
  }
  expect(await withClaims()).toEqual([1])
  expect(slices).toBe(large / 500 + 1)
})

test('a small file is issued while a large one of another tenant waits for a signature, with the workers of the service', async () => {
  const [some, other] = [await newTenant(), await newTenant()]
  const { keyring } = service
  const { signer } = keyring
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  onTestFinished(() => void Object.assign(keyring, { signer }))
  keyring.signer = async (db, tenantId, id) => {
    if (tenantId === some.tenant.id) {
      reached.resolve()
      await opened.promise
    }
    return signer(db, tenantId, id)
  }
  const files = [await some.upload(600), await some.upload(600)]
  await reached.promise
  const small = await other.upload(100)
  await eventually(async () => (await other.stateOf(small)) === 'done')
  opened.resolve()
  await eventually(async () => (await Promise.all(files.map(some.stateOf))).every((state) => state === 'done'))
})
