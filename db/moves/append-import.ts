import { newOrderedId } from '../../shared/ids.ts'
import type { CopiedTable } from '../copy/copied-tables.ts'
import type { Side } from '../copy/side.ts'
import { hashOfAuditRow } from '../repos/operations/audit/audit-hash.ts'
import { getPlatformId, importEvent } from './check-target.ts'
import type { MoveHeader, MoveSummary } from './move-file.ts'
import { tablesOfMove } from './moved-tables.ts'
import { digestOfSummary } from './proof.ts'

export interface RecordedImport {
  header: MoveHeader
  summary: MoveSummary
  at: Date
}

/** Records an import in the audits of the tenant and of the platform, in the transaction of the import. It is not one of db/client.ts. */
export async function appendImport(side: Side, { header, summary, at }: RecordedImport): Promise<void> {
  const data = { id: header.tenant.id, exportId: header.exportId, digest: digestOfSummary(summary) }
  const requestId = newOrderedId(at)
  // The order of appendToAudit, so that two transactions never deadlock.
  for (const tenantId of [await getPlatformId(side), header.tenant.id].sort())
    await append(side, { tenantId, type: importEvent, data, requestId }, at)
}

type Entry = { tenantId: string; type: string; data: object; requestId: string }

async function append(side: Side, { tenantId, ...entry }: Entry, at: Date): Promise<void> {
  const [one, two] = [side.syntax.parameter('text', 1), side.syntax.parameter('text', 2)]
  const [head] = await side.query(
    `UPDATE audit_heads SET number = number + 1 WHERE tenant_id = ${one} RETURNING number, hash`,
    [tenantId],
  )
  if (!head) throw new Error(`The tenant ${tenantId} has no audit.`)
  const row = {
    ...{ tenantId, number: Number(head[0]), id: newOrderedId(at), type: entry.type, timestamp: at },
    ...{ requestId: entry.requestId, clientId: null, managementUserId: null },
    ...{ data: { ...entry.data }, previousHash: String(head[1]) },
  }
  const hash = hashOfAuditRow(row)
  const stored: Record<string, string | number | null> = {
    ...{ tenant_id: tenantId, number: row.number, id: row.id, type: row.type, timestamp: at.getTime() },
    ...{ request_id: row.requestId, client_id: null, management_user_id: null },
    ...{ data: JSON.stringify(row.data), previous_hash: row.previousHash, hash },
  }
  const table = auditTable()
  await side.insertRows(table, [table.columns.map(({ name }) => stored[name] ?? null)])
  await side.query(`UPDATE audit_heads SET hash = ${one} WHERE tenant_id = ${two} RETURNING hash`, [hash, tenantId])
}

function auditTable(): CopiedTable {
  const table = tablesOfMove().find(({ name }) => name === 'audit_events')
  if (!table) throw new Error('The schema has no audit.')
  return table
}
