import { and, asc, eq, getTableColumns, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { plusMs } from '../../../shared/clock.ts'
import type { AuthorityKind } from '../../../shared/formats/x509/profiles.ts'
import type { Reader, Writer } from '../../client.ts'
import { paramOf, prepared } from '../../engine/prepared.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import { crls, revokedCertificates } from '../../tables/certificates/crls.ts'
import { chunksOf } from '../chunks.ts'

export type CrlRow = typeof crls.$inferSelect

export async function findCrl(db: Reader, tenantId: string, caId: string): Promise<CrlRow | undefined> {
  const [row] = await db
    .select()
    .from(crls)
    .where(and(eq(crls.tenantId, tenantId), eq(crls.caId, caId)))
  return row
}

/** Returns the CRL of an authority of this kind. */
export async function findCrlOf(
  db: Reader,
  tenantId: string,
  kind: AuthorityKind,
  caId: string,
): Promise<CrlRow | undefined> {
  const ofKind = and(eq(certificates.id, crls.caId), eq(certificates.kind, kind))
  const [row] = await db
    .select(getTableColumns(crls))
    .from(crls)
    .innerJoin(certificates, ofKind)
    .where(and(eq(crls.tenantId, tenantId), eq(crls.caId, caId)))
  return row
}

export async function insertCrl(tx: Writer, row: CrlRow): Promise<void> {
  await tx.insert(crls).values(row)
}

/** Replaces the CRL with the number `replaces`. Returns false if another transaction replaced it. */
export async function replaceCrl(tx: Writer, { tenantId, caId, ...next }: CrlRow, replaces: number): Promise<boolean> {
  const rows = await tx
    .update(crls)
    .set(next)
    .where(and(eq(crls.tenantId, tenantId), eq(crls.caId, caId), eq(crls.number, replaces)))
    .returning({ caId: crls.caId })
  return rows.length === 1
}

export async function findRevokedCertificates(db: Reader, tenantId: string, caId: string) {
  return db
    .select()
    .from(revokedCertificates)
    .where(and(eq(revokedCertificates.tenantId, tenantId), eq(revokedCertificates.caId, caId)))
    .orderBy(asc(revokedCertificates.revokedAt), asc(revokedCertificates.serialNumber))
}

/** Adds a revocation. A revocation is permanent, and a second one of the same serial number has no effect. */
export async function insertRevoked(tx: Writer, row: typeof revokedCertificates.$inferInsert): Promise<void> {
  await tx.insert(revokedCertificates).values(row).onConflictDoNothing()
}

/** Marks revocations that a stored CRL contains. */
export async function markPublished(
  tx: Writer,
  tenantId: string,
  caId: string,
  serialNumbers: string[],
  at: Date,
): Promise<void> {
  for (const chunk of chunksOf(serialNumbers)) {
    await tx
      .update(revokedCertificates)
      .set({ publishedAt: at })
      .where(
        and(
          eq(revokedCertificates.tenantId, tenantId),
          eq(revokedCertificates.caId, caId),
          inArray(revokedCertificates.serialNumber, chunk),
        ),
      )
  }
}

/** Deletes the CRL and the revocations of a deleted authority. */
export async function deleteCrl(tx: Writer, tenantId: string, caId: string): Promise<void> {
  await tx.delete(crls).where(and(eq(crls.tenantId, tenantId), eq(crls.caId, caId)))
  await tx
    .delete(revokedCertificates)
    .where(and(eq(revokedCertificates.tenantId, tenantId), eq(revokedCertificates.caId, caId)))
}

/** The age at which a CRL is replaced even without changes. */
const renewedAfterMs = 24 * 3_600_000
/** A CRL that is dated further in the future was created with a wrong clock. Verifiers do not accept it yet. */
const clocksApartMs = 5 * 60_000

export function isCrlDue({ thisUpdate }: Pick<CrlRow, 'thisUpdate'>, at: Date): boolean {
  return thisUpdate <= plusMs(at, -renewedAfterMs) || thisUpdate > plusMs(at, clocksApartMs)
}

export interface CrlRef {
  tenantId: string
  caId: string
}

const ofValid = (id: PgColumn) =>
  and(eq(certificates.id, id), gt(certificates.notAfter, paramOf(certificates.notAfter, 'at')))

const lackingRevocation = prepared('crls_lacking_revocation', (db) =>
  db
    .selectDistinct({ tenantId: revokedCertificates.tenantId, caId: revokedCertificates.caId })
    .from(revokedCertificates)
    .innerJoin(certificates, ofValid(revokedCertificates.caId))
    .where(isNull(revokedCertificates.publishedAt))
    .limit(sql.placeholder('limit')),
)

const outdated = prepared('outdated_crls', (db) => {
  const { tenantId, caId, thisUpdate } = crls
  return db
    .select({ tenantId, caId })
    .from(crls)
    .innerJoin(certificates, ofValid(caId))
    .where(or(lte(thisUpdate, paramOf(thisUpdate, 'old')), gt(thisUpdate, paramOf(thisUpdate, 'future'))))
    .orderBy(asc(thisUpdate))
    .limit(sql.placeholder('limit'))
})

/**
 * Returns CRLs of all tenants that must be replaced, of unexpired authorities. Those that lack a revocation come first.
 */
export async function findDueCrls(db: Reader, at: Date, limit: number): Promise<CrlRef[]> {
  const missing = await lackingRevocation(db, { at, limit })
  const times = { at, old: plusMs(at, -renewedAfterMs), future: plusMs(at, clocksApartMs) }
  const old = await outdated(db, { ...times, limit })
  return [...new Map([...missing, ...old].map((ref) => [ref.caId, ref])).values()]
}
