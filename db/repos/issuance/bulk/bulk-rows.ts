import { and, asc, eq, getTableColumns, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { dialect, inRow } from '../../../columns.ts'
import { param, prepared, preparedInsert } from '../../../engine/prepared.ts'
import { bulkRows as rows } from '../../../tables/issuance/bulk-issuances.ts'
import { users } from '../../../tables/issuance/users.ts'
import type { BulkIssuanceRow } from './bulk-issuances.ts'
import { lastRowWithin } from './rows-within.ts'

export type BulkRow = typeof rows.$inferSelect

export const insertBulkRows = preparedInsert('insert_bulk_rows', rows)

/** Returns the rows that have one of these external ids. */
export async function findExternalIds(
  db: Reader,
  tenantId: string,
  bulkId: string,
  externalIds: string[],
): Promise<{ row: number; externalId: string | null }[]> {
  if (externalIds.length === 0) return []
  return db
    .select({ row: rows.row, externalId: rows.externalId })
    .from(rows)
    .where(and(inRow(rows.tenantId, tenantId), eq(rows.bulkId, bulkId), inArray(rows.externalId, externalIds)))
}

/**
 * Returns those of the users that exist, and locks them shared (hold.ts). The erasure of one of them waits, and then finds the rows that
 * this transaction inserts.
 */
export async function holdUsersShared(tx: Writer, tenantId: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const query = tx
    .select({ id: users.id })
    .from(users)
    .where(and(inRow(users.tenantId, tenantId), inArray(users.id, ids)))
    .orderBy(asc(users.id))
  const held = await (dialect === 'postgres' ? query.for('key share') : query)
  return new Set(held.map(({ id }) => id))
}

const finish = prepared('finish_bulk_rows', (tx) =>
  tx
    .update(rows)
    .set({ state: 'done', sealedClaims: null, code: null, message: null })
    .where(
      and(
        inRow(rows.tenantId, param('tenantId')),
        eq(rows.bulkId, param('bulkId')),
        inRow(rows.state, param('issues')),
        gt(rows.row, param('after')),
        lte(rows.row, param('last')),
      ),
    )
    .returning({ row: rows.row }),
)

/** Marks the rows of a portion as done, and removes their claims. Returns the numbers of those that still existed. */
export async function finishRows(
  tx: Writer,
  { tenantId, id: bulkId, issues }: Pick<BulkIssuanceRow, 'tenantId' | 'id' | 'issues'>,
  { after, last }: { after: number; last: number },
): Promise<Set<number>> {
  const finished = await finish(tx, { tenantId, bulkId, issues, after, last })
  return new Set(finished.map(({ row }) => row))
}

export interface BulkRowQuery {
  state?: BulkRow['state'] | undefined
  /** The number of the last row of the page before. */
  cursor?: number | undefined
  limit: number
}

const { sealedClaims: _, sealedResult, sealedKept, ...listed } = getTableColumns(rows)

/** A row without its sealed content, which can be large. */
export type ListedBulkRow = Omit<BulkRow, 'sealedClaims' | 'sealedResult' | 'sealedKept'>

/** Returns a page of rows in their order, and one additional row if there are more. */
export async function listBulkRows(
  db: Reader,
  tenantId: string,
  bulkId: string,
  query: BulkRowQuery,
): Promise<ListedBulkRow[]> {
  return db
    .select(listed)
    .from(rows)
    .where(pageOf(tenantId, bulkId, query))
    .orderBy(asc(rows.row))
    .limit(query.limit + 1)
}

/** Returns the next rows with a result, at most `limit`. The row that reaches `maxBytes` of sealed results is the last one. */
export async function listBulkResults(
  db: Reader,
  tenantId: string,
  bulkId: string,
  { cursor, limit, maxBytes }: { cursor: number; limit: number; maxBytes: number },
): Promise<(ListedBulkRow & Pick<BulkRow, 'sealedResult'>)[]> {
  const after = pageOf(tenantId, bulkId, { state: 'done', cursor })
  // Neither database reads the content for its length.
  const bytes = sql`octet_length(${sealedResult})`.mapWith(Number)
  const sizes = await db.select({ row: rows.row, bytes }).from(rows).where(after).orderBy(asc(rows.row)).limit(limit)
  const last = lastRowWithin(sizes, maxBytes)
  if (last === undefined) return []
  return db
    .select({ ...listed, sealedResult })
    .from(rows)
    .where(and(after, lte(rows.row, last)))
    .orderBy(asc(rows.row))
}

/** Returns the sealed kept cells of rows that have some, by the numbers of the rows. */
export async function findKeptCells(
  db: Reader,
  tenantId: string,
  bulkId: string,
  numbers: number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map()
  const ofRows = and(inRow(rows.tenantId, tenantId), eq(rows.bulkId, bulkId), inArray(rows.row, numbers))
  const cells = await db.select({ row: rows.row, sealed: sealedKept }).from(rows).where(ofRows)
  return new Map(cells.flatMap(({ row, sealed }) => (sealed === null ? [] : [[row, sealed]])))
}

function pageOf(tenantId: string, bulkId: string, { state, cursor = 0 }: Omit<BulkRowQuery, 'limit'>) {
  const ofBulk = and(inRow(rows.tenantId, tenantId), eq(rows.bulkId, bulkId), gt(rows.row, cursor))
  return and(ofBulk, state && eq(rows.state, state))
}
