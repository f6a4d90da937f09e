import { and, count, eq, gt, ne, or, sql } from 'drizzle-orm'
import type { BulkSource } from '../../../../shared/domain/issuance/bulk-issuances.ts'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { hold } from '../../../hold.ts'
import type { Cursor, SortOrder } from '../../../page.ts'
import { bulkIssuances as bulks, bulkFileChunks as chunks } from '../../../tables/issuance/bulk-issuances.ts'
import { listPage } from '../../list-page.ts'

export type BulkIssuanceRow = typeof bulks.$inferSelect

export type NewBulkIssuanceRow = Pick<
  BulkIssuanceRow,
  'id' | 'tenantId' | 'fileName' | 'startedBy' | 'starter' | 'createdAt' | 'expiresAt'
>

/** Inserts a bulk issuance at the start of its upload. Its settings are set by `completeUpload`. */
export async function insertBulkIssuance(tx: Writer, row: NewBulkIssuanceRow): Promise<void> {
  await tx.insert(bulks).values({
    ...row,
    state: 'receiving',
    mode: 'sign',
    configurationIds: [],
    format: 'csv',
    columns: { claims: null, externalId: '', userId: null },
    onDuplicate: 'fail',
    validateOnly: true,
    ...{ sizeBytes: 0, total: 0, valid: 0, invalid: 0, done: 0, failed: 0, progress: 0, run: 0, doneBefore: 0 },
    ...{ issues: 'valid', failure: null, runningSince: null, endedAt: null },
    ...{
      linkSeconds: null,
      transactionCode: null,
      signIn: null,
      codesShownUntil: null,
      renewedAt: null,
      linksUntil: null,
      linkRenewal: null,
    },
  })
}

/** Counts what a tenant has at a time: bulk issuances of files, and the bytes of files whose rows are not stored. */
export async function measureBulkIssuances(
  db: Reader,
  tenantId: string,
  at: Date,
): Promise<{ files: number; bytes: number }> {
  const bytes = sql`coalesce(sum(case when ${bulks.state} in ('receiving', 'validating') then ${bulks.sizeBytes} else 0 end), 0)`
  const [held] = await db
    .select({ files: count(), bytes: bytes.mapWith(Number) })
    .from(bulks)
    .where(and(eq(bulks.tenantId, tenantId), eq(bulks.source, 'file'), isPresent(at)))
  return held ?? { files: 0, bytes: 0 }
}

/** Stores the next chunk of an upload and extends the upload. Returns false if the upload was abandoned. */
export async function appendBulkChunk(
  tx: Writer,
  tenantId: string,
  id: string,
  chunk: { position: number; content: Buffer; sizeBytes: number; expiresAt: Date },
): Promise<boolean> {
  const { position, content, sizeBytes, expiresAt } = chunk
  const rows = await tx
    .update(bulks)
    .set({ sizeBytes: sql`${bulks.sizeBytes} + ${sizeBytes}`, expiresAt })
    .where(and(ofId(tenantId, id), inRow(bulks.state, 'receiving')))
    .returning({ id: bulks.id })
  if (rows.length === 0) return false
  await tx.insert(chunks).values({ tenantId, bulkId: id, position, content })
  return true
}

/** Extends an upload whose sender is slow. */
export async function extendUpload(tx: Writer, tenantId: string, id: string, expiresAt: Date): Promise<void> {
  await tx
    .update(bulks)
    .set({ expiresAt })
    .where(and(ofId(tenantId, id), inRow(bulks.state, 'receiving')))
}

/** The settings of a bulk issuance, which are known at the end of its upload. */
export type BulkSettings = Pick<
  BulkIssuanceRow,
  | 'mode'
  | 'configurationIds'
  | 'format'
  | 'columns'
  | 'onDuplicate'
  | 'validateOnly'
  | 'linkSeconds'
  | 'transactionCode'
  | 'signIn'
  | 'viewId'
>

/** Completes an upload. Returns undefined if it was abandoned. */
export async function completeUpload(
  tx: Writer,
  tenantId: string,
  id: string,
  settings: BulkSettings,
): Promise<BulkIssuanceRow | undefined> {
  const [row] = await tx
    .update(bulks)
    .set({ ...settings, state: 'validating', expiresAt: null })
    .where(and(ofId(tenantId, id), inRow(bulks.state, 'receiving')))
    .returning()
  return row
}

/** Abandons an upload. Its chunks are deleted soon. */
export async function abandonUpload(tx: Writer, tenantId: string, id: string, at: Date): Promise<void> {
  await tx
    .update(bulks)
    .set({ state: 'removed', expiresAt: at })
    .where(and(ofId(tenantId, id), inRow(bulks.state, 'receiving')))
}

/** Returns a bulk issuance that is not removed. */
export async function findBulkIssuance(db: Reader, tenantId: string, id: string): Promise<BulkIssuanceRow | undefined> {
  const [row] = await db
    .select()
    .from(bulks)
    .where(and(ofId(tenantId, id), ne(bulks.state, 'removed')))
  return row
}

/** Returns true if the bulk issuance was removed, and its rows and links are not removed yet. */
export async function isRemovedBulk(db: Reader, tenantId: string, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: bulks.id })
    .from(bulks)
    .where(and(ofId(tenantId, id), eq(bulks.state, 'removed')))
  return rows.length > 0
}

interface BulkQuery {
  /** Default: `file`. */
  source?: BulkSource | undefined
  limit: number
  cursor?: Cursor | undefined
  /** Default: `oldest`. */
  order?: SortOrder
  at: Date
}

export async function listBulkIssuances(
  db: Reader,
  tenantId: string,
  { source = 'file', at, ...page }: BulkQuery,
): Promise<BulkIssuanceRow[]> {
  return listPage(db, bulks, tenantId, page, and(eq(bulks.source, source), isPresent(at)))
}

/** Whether the process of an upload has ended before the upload. The next purge removes it. */
export function isAbandoned({ state, expiresAt }: Pick<BulkIssuanceRow, 'state' | 'expiresAt'>, at: Date): boolean {
  return state === 'receiving' && expiresAt !== null && expiresAt <= at
}

/** The condition that a bulk issuance is not removed, and not abandoned. */
function isPresent(at: Date) {
  return and(ne(bulks.state, 'removed'), or(ne(bulks.state, 'receiving'), gt(bulks.expiresAt, at)))
}

/**
 * Removes a bulk issuance. It is invisible immediately, its claim links and their offers cannot be used, and its rows are deleted soon.
 * Returns false if there is none. Waits for transactions that use its links (active-bulk.ts).
 */
export async function removeBulkIssuance(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
  await hold(tx, bulks, tenantId, id)
  const rows = await tx
    .update(bulks)
    .set({ state: 'removed', expiresAt: at })
    .where(and(ofId(tenantId, id), ne(bulks.state, 'removed')))
    .returning({ id: bulks.id })
  return rows.length === 1
}

/** Returns undefined after the last chunk. */
export async function findBulkChunk(
  db: Reader,
  tenantId: string,
  bulkId: string,
  position: number,
): Promise<Buffer | undefined> {
  const [row] = await db
    .select({ content: chunks.content })
    .from(chunks)
    .where(and(inRow(chunks.tenantId, tenantId), eq(chunks.bulkId, bulkId), eq(chunks.position, position)))
  return row?.content
}

function ofId(tenantId: string, id: string) {
  return and(inRow(bulks.tenantId, tenantId), eq(bulks.id, id))
}

/** Adds the counts of a stored portion, and stores its other values. The caller holds the row. */
export async function addRows(
  tx: Writer,
  { tenantId, id }: Pick<BulkIssuanceRow, 'tenantId' | 'id'>,
  counts: Pick<BulkIssuanceRow, 'total' | 'valid' | 'invalid'>,
  values: Pick<BulkIssuanceRow, 'progress' | 'columns'>,
): Promise<void> {
  await tx
    .update(bulks)
    .set({
      total: sql`${bulks.total} + ${counts.total}`,
      valid: sql`${bulks.valid} + ${counts.valid}`,
      invalid: sql`${bulks.invalid} + ${counts.invalid}`,
      ...values,
    })
    .where(ofId(tenantId, id))
}

/** Ends the validation: the bulk issuance waits for its start. Returns false if it is not validated any more. */
export async function endValidation(
  tx: Writer,
  tenantId: string,
  id: string,
  { expiresAt }: { expiresAt: Date },
): Promise<boolean> {
  const rows = await tx
    .update(bulks)
    .set({ state: 'ready', expiresAt, progress: 0 })
    .where(and(ofId(tenantId, id), inRow(bulks.state, 'validating')))
    .returning({ id: bulks.id })
  return rows.length === 1
}

/** Refuses the file. Its rows are deleted soon. */
export async function refuseFile(
  tx: Writer,
  tenantId: string,
  id: string,
  ended: Pick<BulkIssuanceRow, 'failure' | 'endedAt' | 'expiresAt'>,
): Promise<void> {
  await tx
    .update(bulks)
    .set({ ...ended, state: 'failed', total: 0, valid: 0, invalid: 0 })
    .where(and(ofId(tenantId, id), inRow(bulks.state, 'validating')))
}
