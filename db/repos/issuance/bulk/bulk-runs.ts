import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { type BulkIssuanceState, bulkKeptUntil } from '../../../../shared/domain/issuance/bulk-issuances.ts'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { bulkRows, bulkIssuances as bulks, type RenewalOfExpired } from '../../../tables/issuance/bulk-issuances.ts'
import type { BulkIssuanceRow } from './bulk-issuances.ts'
import type { BulkRow } from './bulk-rows.ts'

type Ref = Pick<BulkIssuanceRow, 'tenantId' | 'id'>

/** Starts or continues a run, or returns undefined if the bulk issuance is in none of the states. */
export async function startRun(
  tx: Writer,
  tenantId: string,
  id: string,
  { from, at, issues }: { from: BulkIssuanceState[]; at: Date; issues?: 'valid' | 'failed' },
): Promise<BulkIssuanceRow | undefined> {
  const [row] = await tx
    .update(bulks)
    .set({
      ...{ state: 'running', expiresAt: null, endedAt: null, failure: null, runningSince: at },
      ...(issues && { issues, progress: 0 }),
      run: sql`${bulks.run} + 1`,
      doneBefore: bulks.done,
    })
    .where(and(ofId(tenantId, id), inArray(bulks.state, from)))
    .returning()
  return row
}

/** Moves a bulk issuance that is in one of the states, and in the run if there is one. Returns undefined for any other. */
export async function moveBulk(
  tx: Writer,
  tenantId: string,
  id: string,
  {
    from,
    run,
    ...to
  }: { from: BulkIssuanceState[]; run?: number } & Pick<BulkIssuanceRow, 'state'> &
    Partial<Pick<BulkIssuanceRow, 'expiresAt' | 'endedAt' | 'failure' | 'progress'>>,
): Promise<BulkIssuanceRow | undefined> {
  const [row] = await tx
    .update(bulks)
    .set({ ...to, runningSince: null })
    .where(and(ofId(tenantId, id), inArray(bulks.state, from), run === undefined ? undefined : eq(bulks.run, run)))
    .returning()
  return row
}

/**
 * Returns the next rows of a run, in their order. Their sealed claims have at most `maxBytes` together, unless one row has more.
 */
export async function findRowsToIssue(
  db: Reader,
  { tenantId, id, issues, progress }: Pick<BulkIssuanceRow, 'tenantId' | 'id' | 'issues' | 'progress'>,
  { maxRows, maxBytes }: { maxRows: number; maxBytes: number },
): Promise<{ rows: BulkRow[]; isLast: boolean }> {
  const ofRun = and(inRow(bulkRows.tenantId, tenantId), eq(bulkRows.bulkId, id), eq(bulkRows.state, issues))
  const next = and(ofRun, gt(bulkRows.row, progress))
  const bytes = sql`coalesce(octet_length(${bulkRows.sealedClaims}), 0)`.mapWith(Number)
  const sizes = await db
    .select({ row: bulkRows.row, bytes })
    .from(bulkRows)
    .where(next)
    .orderBy(asc(bulkRows.row))
    .limit(maxRows)
  const taken = countWithin(sizes, maxBytes)
  const last = sizes[taken - 1]?.row
  if (last === undefined) return { rows: [], isLast: true }
  const rows = await db
    .select()
    .from(bulkRows)
    .where(and(next, lte(bulkRows.row, last)))
    .orderBy(asc(bulkRows.row))
  return { rows, isLast: taken === sizes.length && taken < maxRows }
}

/** Returns how many of these have at most `maxBytes` together, and at least one. */
function countWithin(sizes: { bytes: number }[], maxBytes: number): number {
  let sum = 0
  let count = 0
  for (const { bytes } of sizes) {
    sum += bytes
    if (count > 0 && sum > maxBytes) break
    count++
  }
  return count
}

/** Deletes rows, so that they can be written with their results. Returns the numbers of those that still existed. */
export async function takeRows(tx: Writer, { tenantId, id }: Ref, numbers: number[]): Promise<Set<number>> {
  if (numbers.length === 0) return new Set()
  const taken = await tx
    .delete(bulkRows)
    .where(and(inRow(bulkRows.tenantId, tenantId), eq(bulkRows.bulkId, id), inArray(bulkRows.row, numbers)))
    .returning({ row: bulkRows.row })
  return new Set(taken.map(({ row }) => row))
}

export interface RunProgress {
  progress: number
  done: number
  failed: number
  /** Set by the last portion. */
  ended?: { endedAt: Date; expiresAt: Date } | undefined
}

/** Stores the progress of a run. The caller holds the row. */
export async function advanceRun(tx: Writer, { tenantId, id }: Ref, { ended, ...changes }: RunProgress): Promise<void> {
  await tx
    .update(bulks)
    .set({ ...changes, ...(ended && { ...ended, state: 'done', runningSince: null }) })
    .where(ofId(tenantId, id))
}

/**
 * Ends the time in which the results of a bulk issuance that has ended contain transaction codes. A later end than the stored one
 * changes nothing.
 */
export async function showCodesUntil(tx: Writer, tenantId: string, id: string, until: Date): Promise<void> {
  await tx
    .update(bulks)
    .set({ codesShownUntil: until })
    .where(
      and(
        ofId(tenantId, id),
        inArray(bulks.state, ['done', 'cancelled']),
        or(isNull(bulks.codesShownUntil), gt(bulks.codesShownUntil, until)),
      ),
    )
}

/** Keeps a bulk issuance as long as a link that was renewed until `until` can be renewed again. The caller holds the row. */
export async function keepForLink(
  tx: Writer,
  { tenantId, id, linksUntil, expiresAt }: Ref & Pick<BulkIssuanceRow, 'linksUntil' | 'expiresAt'>,
  { until, at }: { until: Date; at: Date },
): Promise<void> {
  const latest = linksUntil && linksUntil > until ? linksUntil : until
  const kept = bulkKeptUntil({ linkSeconds: null, linksUntil: latest }, at)
  // It has no end while it is validated or issued.
  const isLonger = expiresAt !== null && kept > expiresAt
  const changes = { renewedAt: at, linksUntil: latest, ...(isLonger && { expiresAt: kept }) }
  await tx.update(bulks).set(changes).where(ofId(tenantId, id))
}

/** Stores a request to renew all expired claim links, or its progress. The caller holds the row. */
export async function setLinkRenewal(
  tx: Writer,
  { tenantId, id }: Ref,
  changes: { linkRenewal: RenewalOfExpired } & Partial<Pick<BulkIssuanceRow, 'codesShownUntil'>>,
): Promise<void> {
  await tx.update(bulks).set(changes).where(ofId(tenantId, id))
}

/**
 * Removes the claims and the kept cells of the next rows without a result of a cancelled bulk issuance, and stores their last number as its
 * progress. Reads at most `limit` rows, with claims or without. The caller holds the bulk issuance. Returns false if no row is left.
 */
export async function wipeClaims(
  tx: Writer,
  { tenantId, id, progress }: Ref & Pick<BulkIssuanceRow, 'progress'>,
  limit: number,
): Promise<boolean> {
  const ofBulk = and(inRow(bulkRows.tenantId, tenantId), eq(bulkRows.bulkId, id), gt(bulkRows.row, progress))
  const next = await tx
    .select({ row: bulkRows.row })
    .from(bulkRows)
    .where(ofBulk)
    .orderBy(asc(bulkRows.row))
    .limit(limit)
  const last = next.at(-1)?.row
  if (last === undefined) return false
  await tx
    .update(bulkRows)
    .set({ sealedClaims: null, sealedKept: null })
    .where(and(ofBulk, lte(bulkRows.row, last), isNotNull(bulkRows.sealedClaims)))
  await tx.update(bulks).set({ progress: last }).where(ofId(tenantId, id))
  return true
}

function ofId(tenantId: string, id: string) {
  return and(inRow(bulks.tenantId, tenantId), eq(bulks.id, id))
}
