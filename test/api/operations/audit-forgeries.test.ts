import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Writer } from '../../../db/client.ts'
import { checkChains } from '../../../db/repos/operations/audit/audit-chain.ts'
import { hashOfAuditRow } from '../../../db/repos/operations/audit/audit-hash.ts'
import { changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { auditCheckpoints } from '../../../db/tables/operations/audit-checkpoints.ts'
import { auditEvents } from '../../../db/tables/operations/audit-events.ts'
import { auditHeads } from '../../../db/tables/operations/audit-heads.ts'
import { type Checkpoint, ed25519KeysOf, openCheckpoint } from '../../../shared/formats/checkpoint.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { runNow } from '../../harness/run-now.ts'

type Rows = (typeof auditEvents.$inferSelect)[]
type Forge = (rows: Rows) => Rows

/** Replaces the rows of an audit. With `isWhole`, also numbers, hashes and the head match, as a person with write access can do. */
async function forge(tx: Writer, tenantId: string, change: Forge, { isWhole }: { isWhole: boolean }): Promise<void> {
  const ofTenant = eq(auditEvents.tenantId, tenantId)
  const rows = change(await tx.select().from(auditEvents).where(ofTenant).orderBy(asc(auditEvents.number)))
  await tx.delete(auditEvents).where(ofTenant)
  let hash = ''
  for (const [index, row] of rows.entries()) {
    const forged = isWhole ? { ...row, number: index + 1, previousHash: hash } : row
    hash = isWhole ? hashOfAuditRow(forged) : row.hash
    await tx.insert(auditEvents).values({ ...forged, hash })
  }
  if (isWhole) await tx.update(auditHeads).set({ number: rows.length, hash }).where(eq(auditHeads.tenantId, tenantId))
}

const edit =
  (number: number): Forge =>
  (rows) =>
    rows.map((row) => (row.number === number ? { ...row, data: { ...row.data, forged: true } } : row))
const remove =
  (number: number): Forge =>
  (rows) =>
    rows.filter((row) => row.number !== number)
/** The new row has the right hash. The later rows have other numbers than before. */
const add =
  (number: number): Forge =>
  (rows) =>
    rows.flatMap((row) => {
      if (row.number < number) return [row]
      const later = { ...row, number: row.number + 1 }
      const added = { ...row, id: `${row.id}0`, data: { forged: true } }
      return row.number === number ? [{ ...added, hash: hashOfAuditRow(added) }, later] : [later]
    })

const forgeries: [name: string, change: Forge, isWhole: boolean, fault: (size: number) => string][] = [
  ['an edited row', edit(5), false, () => 'row 5 was changed'],
  ['a removed row', remove(5), false, () => 'row 5 was removed'],
  ['an added row', add(5), false, () => 'row 5 was added'],
  ['an edited row in a new chain', edit(5), true, replaced],
  ['a removed row in a new chain', remove(5), true, replaced],
  ['an added row in a new chain', add(5), true, replaced],
  [
    'a new chain with fewer rows',
    (rows) => rows.slice(0, 5),
    true,
    () => 'row 6 was removed: a checkpoint has more rows',
  ],
]

function replaced(size: number): string {
  return `rows 1 to ${size} were replaced: they differ from the checkpoint of ${size} rows`
}

let service: Service
/** A tenant for each forgery, with its checkpoint of yesterday. */
let tenants: { tenant: TestTenant; yesterday: Checkpoint }[]

beforeAll(async () => {
  service = await startService()
  const made = await Promise.all(forgeries.map(() => service.addTenant()))
  await addRows(made, 8)
  await runNow(service.deps.bus, 'queueDueCheckpoints', 'signing-bulk')
  tenants = await Promise.all(made.map(async (tenant) => ({ tenant, yesterday: await checkpointOf(tenant) })))
  await addRows(made, 3)
})
afterAll(() => service[Symbol.asyncDispose]())

async function addRows(to: TestTenant[], count: number): Promise<void> {
  const change = changesBy(service.deps, { event: 'TEST', clientId: 'test' })
  await change(async (_tx, record) => {
    for (const { id } of to) for (let row = 0; row < count; row++) record(id, { row })
  })
}

async function checkpointOf({ anonymous }: TestTenant): Promise<Checkpoint> {
  const keys = ed25519KeysOf((await anonymous.get('/v1/audit/jwks')).body)
  return openCheckpoint((await anonymous.get('/v1/audit/checkpoint')).body, keys)!
}

test.each(forgeries.map((each, index) => [...each, index] as const))(
  '%s is found by number against the checkpoint of yesterday, also if the stored checkpoints were removed',
  async (_name, change, isWhole, faultOf, index) => {
    const { tenant, yesterday } = tenants[index]!
    const { db } = service.deps
    const noted = new Map([[tenant.id, { checkpoints: [yesterday] }]])
    const report = async () => {
      const reports = await Array.fromAsync(checkChains(db.read, noted))
      return reports.find(({ tenantId }) => tenantId === tenant.id)
    }
    expect(await report()).toMatchObject({ head: { number: yesterday.size + 3 } })
    await db.tx(async (tx) => {
      await forge(tx, tenant.id, change, { isWhole })
      await tx.delete(auditCheckpoints).where(eq(auditCheckpoints.tenantId, tenant.id))
    })
    expect(await report()).toEqual({ tenantId: tenant.id, fault: faultOf(yesterday.size) })
  },
)
