import { isDeepStrictEqual } from 'node:util'
import { didWebOf } from '../../shared/formats/did.ts'
import { innermostMessage, Misconfigured } from '../../shared/process/dependency.ts'
import type { CopiedTable } from '../copy/copied-tables.ts'
import { type CopyProgress, rowsText } from '../copy/progress.ts'
import type { CopiedRow, CopiedValue, Side } from '../copy/side.ts'
import { appendImport } from './append-import.ts'
import { requireUnused } from './check-target.ts'
import { type MoveHeader, type MovePortion, type MoveSummary, readLine } from './move-file.ts'
import { digestOfMoved, findAuditEnd } from './moved-rows.ts'
import { tablesOfMove } from './moved-tables.ts'
import type { RowValues } from './row-values.ts'

export interface TenantImport {
  /** The target. */
  side: Side
  header: MoveHeader
  /** The texts of the lines after the header. */
  texts: AsyncIterable<string>
  values: RowValues
  progress: CopyProgress
  at: Date
  /** Is called when all rows are inserted and compared, and nothing is committed. */
  beforeCommit(summary: MoveSummary): Promise<void>
}

/**
 * Inserts a tenant with all its rows in one transaction, compares them with the counts and digests of the export, and records the import in
 * the audits of the tenant and of the platform. So the tenant exists as a whole or not at all. Throws Misconfigured for anything that the
 * target has already, and for rows that differ or belong to another tenant. The caller then closes the side, which discards all rows.
 */
export async function importTenant({ texts, progress, beforeCommit, at, ...target }: TenantImport): Promise<void> {
  const { side, header } = target
  await requireUnused(side, header)
  await side.begin()
  const summary = await insertAll(target, texts, progress)
  await compare(target, summary, progress)
  await beforeCommit(summary)
  await appendImport(side, { header, summary, at })
  await side.commit()
}

type Target = Pick<TenantImport, 'side' | 'header' | 'values'>

/** Inserts the rows of all lines. Returns the summary, which is the last line. */
async function insertAll(target: Target, texts: AsyncIterable<string>, progress: CopyProgress): Promise<MoveSummary> {
  const tables = new Map(tablesOfMove().map((table) => [table.name, table]))
  let inserted = 0
  let summary: MoveSummary | undefined
  // Up to the end, where the file is checked too.
  for await (const text of texts) {
    const line = readLine(text, tables)
    if ('tables' in line) {
      summary = line
      continue
    }
    await insertPortion(target, line)
    inserted += line.rows.length
    progress.report(`${line.table.name}: ${rowsText(inserted)} in all`)
  }
  if (!summary) throw new Misconfigured('The file has no counts of its rows. Export the tenant again.')
  return summary
}

async function insertPortion({ side, header, values }: Target, { table, rows }: MovePortion): Promise<void> {
  for (const row of rows) requireOwn(table, row, header)
  try {
    const sealed: CopiedRow[] = []
    for (const row of rows) sealed.push(await values.seal(table, row))
    await side.insertRows(table, sealed)
  } catch (error) {
    throw new Misconfigured(
      `Rows of ${table.name} could not be inserted: ${innermostMessage(error)}. Nothing was imported. Another tenant can have the same ids, for example a copy of this tenant.`,
      { cause: error },
    )
  }
}

/** Throws for a row that is not of the tenant. Otherwise a file could add rows to other tenants and to the platform. */
function requireOwn(table: CopiedTable, row: CopiedRow, { tenant }: MoveHeader): void {
  const cellOf: CellOf = (name) => row[table.columns.findIndex((column) => column.name === name)]
  if (ownersOf(table, cellOf).some((owner) => owner !== tenant.id))
    throw new Misconfigured(`The file has a row of another tenant in ${table.name}. Nothing was imported.`)
  if (table.name === 'tenants') requireSameTenant(cellOf, tenant)
  // Only the hosts of the header were compared with those of this installation.
  if (table.name === 'tenant_hosts' && !tenant.hosts.includes(String(cellOf('host'))))
    throw new Misconfigured(`The header of the file does not have the host ${cellOf('host')}. Nothing was imported.`)
}

/** Throws if the row of the tenant is not one that can be imported, or has another subdomain, host or DID than the header allows. */
function requireSameTenant(cellOf: CellOf, { subdomain, hosts }: MoveHeader['tenant']): void {
  if (cellOf('kind') !== 'tenant' || cellOf('state') !== 'active')
    throw new Misconfigured('The file has no tenant that can be imported. Nothing was imported.')
  const host = String(cellOf('canonical_host'))
  const differences = [
    ...(cellOf('subdomain') === subdomain ? [] : ['subdomain']),
    ...(hosts.includes(host) ? [] : ['canonical_host']),
    ...(cellOf('did') === didWebOf(host) ? [] : ['did']),
  ]
  if (differences.length > 0)
    throw new Misconfigured(
      `The tenant of the file has another ${differences.join(', ')} than its header. Nothing was imported.`,
    )
}

type CellOf = (name: string) => CopiedValue | undefined

function ownersOf({ name }: CopiedTable, cellOf: CellOf): unknown[] {
  if (name === 'tenants') return [cellOf('id')]
  if (name !== 'outbox') return [cellOf('tenant_id')]
  return tenantsIn(String(cellOf('payload')))
}

/** Returns the tenant of a payload, and those that its parts name: the items of a job have a tenant each. */
function tenantsIn(payload: string): unknown[] {
  const named: unknown[] = []
  const { tenantId } = JSON.parse(payload, (key, value) => {
    if (key === 'tenantId') named.push(value)
    return value
  })
  return [tenantId, ...named]
}

/** Reads all rows back, and throws if a table or the end of the audit differs from the export. */
async function compare({ side, header, values }: Target, summary: MoveSummary, progress: CopyProgress): Promise<void> {
  const rows = { side, tenantId: header.tenant.id, values }
  const differences: string[] = []
  for (const table of tablesOfMove()) {
    progress.report(`Comparing ${table.name}`)
    const digest = { name: table.name, ...(await digestOfMoved(rows, table)) }
    const exported = summary.tables.find(({ name }) => name === table.name)
    if (!isDeepStrictEqual(digest, exported)) differences.push(table.name)
  }
  if (!isDeepStrictEqual(await findAuditEnd(rows), summary.audit)) differences.push('the end of the audit')
  if (differences.length > 0)
    throw new Misconfigured(`The import differs from the export in ${differences.join(', ')}. Nothing was imported.`)
}
