import type { Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import { addRows } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import {
  type BulkRow,
  findExternalIds,
  holdUsersShared,
  insertBulkRows,
} from '../../../db/repos/issuance/bulk/bulk-rows.ts'
import { bulkIssuances } from '../../../db/tables/issuance/bulk-issuances.ts'
import { addWarnings, type BulkWarning } from '../../../shared/domain/issuance/bulk-warnings.ts'
import type { ColumnUse } from '../../../shared/domain/issuance/column-use.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import { bulkKeptContext, bulkRowContext } from '../../../shared/secrets/stored-contexts.ts'
import type { CheckedRow } from './check-rows.ts'
import { shownText, storableText } from './shown-text.ts'

/** The whole file is refused for this reason. */
export class BulkFileError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'BulkFileError'
    this.code = code
  }
}

export interface ValidatedPortion {
  tenantId: string
  bulkId: string
  /** The last row that was stored before this portion was read. */
  after: number
  rows: CheckedRow[]
  /** The use of the columns of the file up to this portion. */
  columnUse: ColumnUse
}

/**
 * Stores checked rows, and the number of the last one, in one transaction. Returns false if another worker stored them, or if the bulk
 * issuance is not validated any more. Throws `BulkFileError` for a duplicate external id, unless the rest of the file counts.
 */
export async function storePortion(
  tx: Writer,
  secrets: Secrets,
  { tenantId, bulkId, after, rows, columnUse }: ValidatedPortion,
): Promise<boolean> {
  const bulk = await hold(tx, bulkIssuances, tenantId, bulkId)
  if (bulk?.state !== 'validating' || bulk.progress !== after) return false
  const checkedRows = await rejectDuplicateIds(tx, bulk, rows)
  const userIds = checkedRows.flatMap(({ userId }) => userId ?? [])
  const users = await holdUsersShared(tx, tenantId, [...new Set(userIds)])
  const stored = checkedRows.map((row) =>
    rowOf({ tenantId, bulkId }, withUser(row, users, bulk.columns.userId), secrets),
  )
  await insertBulkRows(tx, stored)
  const valid = stored.filter(({ state }) => state === 'valid').length
  const counts = { total: stored.length, valid, invalid: stored.length - valid }
  const warnings = withWarnings(bulk, checkedRows, stored)
  const columns = { ...bulk.columns, use: columnUse, warnings }
  await addRows(tx, bulk, counts, { progress: rows.at(-1)?.row ?? after, columns })
  return true
}

/** Adds the warnings of the valid rows. */
function withWarnings(
  { columns: { warnings: earlier = [] } }: typeof bulkIssuances.$inferSelect,
  checked: readonly CheckedRow[],
  stored: readonly BulkRow[],
): readonly BulkWarning[] {
  const valid = new Set(stored.flatMap(({ row, state }) => (state === 'valid' ? row : [])))
  return checked
    .filter(({ row }) => valid.has(row))
    .reduce((all, { row, warnings = [] }) => addWarnings(all, row, warnings), earlier)
}

/** Rejects rows whose external id an earlier row has. Throws `BulkFileError` if such a row refuses the whole file. */
async function rejectDuplicateIds(
  tx: Writer,
  { tenantId, id, onDuplicate, columns }: typeof bulkIssuances.$inferSelect,
  rows: CheckedRow[],
): Promise<CheckedRow[]> {
  const ids = rows.flatMap(({ externalId }) => externalId ?? [])
  const stored = await findExternalIds(tx, tenantId, id, [...new Set(ids)])
  const first = new Map(stored.map(({ externalId, row }) => [externalId, row]))
  return rows.map((row) => {
    if (row.externalId === null) return row
    const earlier = first.get(row.externalId)
    if (earlier === undefined) {
      first.set(row.externalId, row.row)
      return row
    }
    const message = `The external id is the same as in row ${earlier}.`
    if (onDuplicate === 'fail') {
      const both = `Rows ${earlier} and ${row.row} have the same value in the column ${columns.externalId}.`
      throw new BulkFileError('duplicate_external_id', both)
    }
    const fault = { column: columns.externalId, code: 'duplicate_external_id', message }
    return { row: row.row, externalId: null, userId: row.userId, fault }
  })
}

/** A user who was erased since the check is unknown. */
function withUser(row: CheckedRow, users: ReadonlySet<string>, column: string | null): CheckedRow {
  if (row.userId === null || users.has(row.userId)) return row
  const fault = { column, code: 'unknown_user', message: 'There is no user with this id.' }
  return { row: row.row, externalId: row.externalId, userId: null, fault }
}

function rowOf(
  of: Pick<BulkRow, 'tenantId' | 'bulkId'>,
  { row, externalId, userId, content, kept, fault }: CheckedRow,
  secrets: Secrets,
): BulkRow {
  const sealedClaims = content ? secrets.seal(JSON.stringify(content), bulkRowContext(of.bulkId, row)) : null
  const sealedKept = kept === undefined ? null : secrets.seal(kept, bulkKeptContext(of.bulkId, row))
  const { column = null, code = null, message = null } = fault ?? {}
  const nothing = { credentialId: null, sealedResult: null }
  const state = content ? ('valid' as const) : ('invalid' as const)
  const errorColumn = column === null ? null : storableText(column)
  const text = message === null ? null : shownText(message)
  return {
    ...of,
    row,
    state,
    externalId,
    userId,
    sealedClaims,
    sealedKept,
    errorColumn,
    code,
    message: text,
    ...nothing,
  }
}
