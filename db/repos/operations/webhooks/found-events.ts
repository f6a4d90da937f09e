import { and, asc, eq, gt, gte, isNotNull, isNull, lt, lte } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { afterCursor, type Cursor } from '../../../page.ts'
import { certificates } from '../../../tables/certificates/certificates.ts'
import { offerFailures } from '../../../tables/issuance/offer-failures.ts'
import { offers } from '../../../tables/issuance/offers.ts'
import { webhooks } from '../../../tables/operations/webhooks.ts'

/**
 * Returns webhooks of all tenants that receive events which a job finds, and whose events were found until `before` at most. Those that wait
 * longest come first.
 */
export async function findFindingWebhooks(db: Reader, before: Date, limit: number, cursor?: Cursor) {
  const { id, tenantId, events, disabled, foundUntil } = webhooks
  const waits = and(isNotNull(foundUntil), lte(foundUntil, before), afterCursor(foundUntil, id, cursor))
  const rows = await db
    .select({ id, tenantId, events, disabled, foundUntil })
    .from(webhooks)
    .where(waits)
    .orderBy(asc(foundUntil), asc(id))
    .limit(limit)
  return rows.flatMap(({ foundUntil: until, ...row }) => (until ? [{ ...row, foundUntil: until }] : []))
}

/** Stores until when the events of webhooks were found. Pass the ids in order, which is that of locks. */
export async function advanceFound(tx: Writer, tenantId: string, ids: string[], until: Date): Promise<void> {
  for (const id of ids) {
    await tx
      .update(webhooks)
      .set({ foundUntil: until })
      .where(and(eq(webhooks.tenantId, tenantId), eq(webhooks.id, id), lt(webhooks.foundUntil, until)))
  }
}

/** Times of rows, and where a page begins. */
export interface Range {
  after: Date
  until: Date
  cursor?: Cursor | undefined
  limit: number
}

/**
 * Returns offers of all tenants that expired after `after` and until `until`, the first expired first. `isUnclaimed`: no wallet took the offer. The
 * other offers are returned too, so that a page reads a limited part of the index.
 */
export async function findExpiredOffers(db: Reader, { after, until, cursor, limit }: Range) {
  const { id, tenantId, expiresAt, state, claimLinkId } = offers
  const behind = and(cursor && gte(expiresAt, cursor.at), afterCursor(expiresAt, id, cursor))
  const rows = await db
    .select({ id, tenantId, expiresAt, state, claimLinkId })
    .from(offers)
    .where(and(gt(expiresAt, after), lte(expiresAt, until), behind))
    .orderBy(asc(expiresAt), asc(id))
    .limit(limit)
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenantId,
    expiresAt: row.expiresAt,
    isUnclaimed: row.state === 'usable' && row.claimLinkId === null,
  }))
}

/**
 * Returns failures of offers of all tenants that were recorded after `after` and until `until`, the first recorded first. `isCurrent`: the offer
 * made no progress since then. The other failures are returned too, so that a page reads a limited part of the index.
 */
export async function findRecordedFailures(db: Reader, { after, until, cursor, limit }: Range) {
  const { id, tenantId, recordedAt, failedAt, failedState, check } = offerFailures
  const behind = and(cursor && gte(recordedAt, cursor.at), afterCursor(recordedAt, id, cursor))
  const rows = await db
    .select({ id, tenantId, recordedAt, failedAt, failedState, check, state: offers.state })
    .from(offerFailures)
    .innerJoin(offers, and(inRow(offers.tenantId, tenantId), eq(offers.id, id)))
    .where(and(gt(recordedAt, after), lte(recordedAt, until), behind))
    .orderBy(asc(recordedAt), asc(id))
    .limit(limit)
  return rows.map(({ state, failedState: before, recordedAt: recorded, ...row }) => ({
    ...row,
    recordedAt: recorded ?? after, // the condition excludes null
    isCurrent: state === before,
  }))
}

/** Returns the certificates in use that end after `after` and until `until`, the first end first. */
export async function findEndingCertificates(
  db: Reader,
  tenantId: string,
  { after, until, cursor, limit }: Range,
): Promise<{ id: string; notAfter: Date }[]> {
  const { id, notAfter, isActive, revokedAt, retiredAt, certificate } = certificates
  const isInUse = and(eq(isActive, true), isNull(revokedAt), isNull(retiredAt), isNotNull(certificate))
  const ends = and(gt(notAfter, after), lte(notAfter, until), afterCursor(notAfter, id, cursor))
  const rows = await db
    .select({ id, notAfter })
    .from(certificates)
    .where(and(eq(certificates.tenantId, tenantId), ends, isInUse))
    .orderBy(asc(notAfter), asc(id))
    .limit(limit)
  return rows.flatMap(({ id: certificateId, notAfter: end }) => (end ? [{ id: certificateId, notAfter: end }] : []))
}
