import { and, asc, eq, gt, ne } from 'drizzle-orm'
import type { Checkpoint } from '../../../../shared/formats/checkpoint.ts'
import type { Reader } from '../../../client.ts'
import { auditEvents } from '../../../tables/operations/audit-events.ts'
import { auditHeads } from '../../../tables/operations/audit-heads.ts'
import { tenants } from '../../../tables/tenancy/tenants.ts'
import type { AuditHead, AuditRow } from './audit.ts'
import { createCheckpointCheck } from './audit-checkpoint-check.ts'
import { hashOfAuditRow } from './audit-hash.ts'

/** The result of the check of a tenant's chain. */
export type ChainReport = { tenantId: string } & ({ head: AuditHead } | { fault: string })

const rowsAtOnce = 1000

/** The heads and checkpoints of the audit of a tenant that were stored elsewhere. */
export interface Noted {
  /** A head of an earlier day. */
  head?: AuditHead
  /** Checkpoints whose signatures were verified. */
  checkpoints?: readonly Pick<Checkpoint, 'size' | 'root'>[]
}

/**
 * Checks all chains, one after the other, with their stored checkpoints. `noted` is by tenant: their chains must still contain it.
 */
export async function* checkChains(db: Reader, noted: ReadonlyMap<string, Noted>): AsyncGenerator<ChainReport> {
  // A tenant that is being deleted has no head any more. The audit of the platform has recorded it.
  const ofTenants = await db.select({ id: tenants.id }).from(tenants).where(ne(tenants.state, 'deleting'))
  const ofHeads = await db.select({ id: auditHeads.tenantId }).from(auditHeads)
  const ids = new Set([...ofTenants, ...ofHeads].map(({ id }) => id).concat([...noted.keys()]))
  for (const tenantId of [...ids].sort()) yield await checkChain(db, tenantId, noted.get(tenantId) ?? {})
}

async function checkChain(db: Reader, tenantId: string, noted: Noted): Promise<ChainReport> {
  const fault = (text: string) => ({ tenantId, fault: text })
  const checkpoints = createCheckpointCheck({ db, tenantId }, noted.checkpoints ?? [])
  let last: AuditHead = { number: 0, hash: '' }
  for (;;) {
    // Read before the rows, so that the head never counts a row that is not visible yet. Compared after the last row.
    const head = await findHead(db, tenantId)
    const rows = await rowsAfter(db, tenantId, last.number)
    await checkpoints.read(last.number, rows.at(-1)?.number ?? last.number)
    for (const row of rows) {
      const wrong = faultOf(row, last) ?? checkpoints.faultAt(row)
      if (wrong) return fault(wrong)
      last = { number: row.number, hash: row.hash }
      if (noted.head?.number === row.number && noted.head.hash !== row.hash)
        return fault(`row ${row.number} differs from the noted head`)
    }
    if (rows.length > 0) continue
    if (!head) return fault(last.number > 0 ? 'the head was removed' : 'there is no chain')
    return compare(head) ?? { tenantId, head }
  }

  function compare(head: AuditHead): ChainReport | undefined {
    if (head.number > last.number) return fault(`row ${last.number + 1} was removed`)
    if (head.number < last.number) return fault(`row ${head.number + 1} was added`)
    if (head.hash !== last.hash) return fault(`row ${last.number} was changed: the head has another hash`)
    const isShort = (number = 0) => number > last.number
    if (isShort(noted.head?.number)) return fault(`row ${last.number + 1} was removed: a later head was noted`)
    if (noted.checkpoints?.some(({ size }) => isShort(size)))
      return fault(`row ${last.number + 1} was removed: a checkpoint has more rows`)
    return undefined
  }
}

async function findHead(db: Reader, tenantId: string): Promise<AuditHead | undefined> {
  const [head] = await db.select().from(auditHeads).where(eq(auditHeads.tenantId, tenantId))
  return head && { number: head.number, hash: head.hash }
}

async function rowsAfter(db: Reader, tenantId: string, number: number): Promise<AuditRow[]> {
  return db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), gt(auditEvents.number, number)))
    .orderBy(asc(auditEvents.number))
    .limit(rowsAtOnce)
}

/** Returns the fault of the row after `last`, or of `last` itself if only the row's reference to it differs. */
function faultOf(row: AuditRow, last: AuditHead): string | undefined {
  const expected = last.number + 1
  if (row.number > expected) return `row ${expected} was removed`
  if (row.number < expected) return `row ${row.number} was added`
  if (hashOfAuditRow(row) === row.hash) {
    if (row.previousHash === last.hash) return undefined
    // This row is intact, but the row before it has changed.
    return `row ${Math.max(last.number, 1)} was changed`
  }
  // The hash includes the number, so a moved row reveals its original number.
  if (isIntactAs(row, expected - 1)) return `row ${expected - 1} was added`
  if (isIntactAs(row, expected + 1)) return `row ${expected} was removed or moved`
  return `row ${expected} was changed`
}

function isIntactAs(row: AuditRow, number: number): boolean {
  return hashOfAuditRow({ ...row, number }) === row.hash
}
