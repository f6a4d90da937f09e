import { and, eq, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { CertificateKind } from '../../../shared/formats/x509/profiles.ts'
import type { Reader, Writer } from '../../client.ts'
import { constant, paramOf, prepared } from '../../engine/prepared.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import { countUpTo } from '../count-up-to.ts'
import { listPage } from '../list-page.ts'

export type CertificateRow = typeof certificates.$inferSelect
/** A row with a certificate. */
export type CompleteCertificate = CertificateRow & StoredCertificateContent

/** The content that the signing process creates or an operator uploads. */
export interface StoredCertificateContent {
  certificate: Buffer
  serialNumber: string
  fingerprint: string
  notBefore: Date
  notAfter: Date
  subject: CertificateRow['subject']
}

/** Returns whether the row has a certificate. A row with a certificate request has none. */
export function isComplete(row: CertificateRow | undefined): row is CompleteCertificate {
  return row?.certificate !== null && row !== undefined
}

// Rows without content are hidden from operators, because the content may never be created.
const hasContent: SQL | undefined = or(isNotNull(certificates.certificate), isNotNull(certificates.csr))

/** A higher count has no use. */
const maxEnding = 10_000

/** Counts certificates of all tenants that are in use and expire between two times, at most 10,000. */
export async function countEnding(db: Reader, kind: CertificateKind, from: Date, until: Date): Promise<number> {
  const { notAfter, certificate, isActive, revokedAt, retiredAt } = certificates
  const isInUse = and(isNotNull(certificate), eq(isActive, true), isNull(revokedAt), isNull(retiredAt))
  const ends = and(eq(certificates.kind, kind), gt(notAfter, from), lt(notAfter, until))
  return countUpTo(db, certificates, and(ends, isInUse), maxEnding)
}

export async function insertCertificate(tx: Writer, row: typeof certificates.$inferInsert): Promise<CertificateRow> {
  const [inserted] = await tx.insert(certificates).values(row).returning()
  if (!inserted) throw new Error('The inserted certificate was not returned.')
  return inserted
}

/** Returns the row with or without content. */
export function findCertificateRow(db: Reader, tenantId: string, id: string): Promise<CertificateRow | undefined> {
  return findRow(db, certificates, tenantId, id)
}

export async function findCertificate(
  db: Reader,
  tenantId: string,
  kind: CertificateKind,
  id: string,
): Promise<CertificateRow | undefined> {
  const [row] = await db
    .select()
    .from(certificates)
    .where(and(eq(certificates.tenantId, tenantId), eq(certificates.id, id), eq(certificates.kind, kind), hasContent))
  return row
}

export async function listCertificates(
  db: Reader,
  tenantId: string,
  kind: CertificateKind,
  page: PageRequest,
): Promise<CertificateRow[]> {
  return listPage(db, certificates, tenantId, page, and(eq(certificates.kind, kind), hasContent))
}

/** Counts the certificates of a kind that operators created and that are not expired, revoked or replaced. Hold the tenant first. */
export async function countCertificates(
  tx: Writer,
  tenantId: string,
  kind: CertificateKind,
  at: Date,
): Promise<number> {
  return tx.$count(
    certificates,
    and(
      eq(certificates.tenantId, tenantId),
      eq(certificates.kind, kind),
      eq(certificates.madeBy, 'operator'),
      isNull(certificates.revokedAt),
      isNull(certificates.retiredAt),
      or(isNull(certificates.notAfter), gt(certificates.notAfter, at)),
    ),
  )
}

/** Changes a row that the transaction holds. */
export async function updateCertificate(
  tx: Writer,
  { tenantId, id }: Pick<CertificateRow, 'tenantId' | 'id'>,
  changes: Partial<typeof certificates.$inferInsert>,
): Promise<CertificateRow | undefined> {
  const [row] = await tx
    .update(certificates)
    .set(changes)
    .where(and(eq(certificates.tenantId, tenantId), eq(certificates.id, id)))
    .returning()
  return row
}

/** Deletes a row without content and returns its kind. Returns undefined if the row has content or does not exist. */
export async function deleteIncompleteCertificate(
  tx: Writer,
  tenantId: string,
  id: string,
): Promise<CertificateKind | undefined> {
  const [row] = await tx
    .delete(certificates)
    .where(
      and(
        eq(certificates.tenantId, tenantId),
        eq(certificates.id, id),
        isNull(certificates.certificate),
        isNull(certificates.csr),
      ),
    )
    .returning({ kind: certificates.kind })
  return row?.kind
}

/**
 * Deletes a certificate and returns it. Returns undefined if there is none of the kind. Check its dependents afterwards
 * (hold.ts).
 */
export async function deleteCertificate(
  tx: Writer,
  tenantId: string,
  kind: CertificateKind,
  id: string,
): Promise<CertificateRow | undefined> {
  const [row] = await tx
    .delete(certificates)
    .where(and(eq(certificates.tenantId, tenantId), eq(certificates.id, id), eq(certificates.kind, kind), hasContent))
    .returning()
  return row
}

/** Deletes the managed signers of an authority, or only some of them, and returns their ids. */
export async function deleteSignersUnder(
  tx: Writer,
  tenantId: string,
  caId: string,
  madeBy?: CertificateRow['madeBy'],
): Promise<string[]> {
  const managed = and(
    eq(certificates.tenantId, tenantId),
    eq(certificates.caId, caId),
    eq(certificates.isManaged, true),
  )
  const rows = await tx
    .delete(certificates)
    .where(and(managed, madeBy && eq(certificates.madeBy, madeBy)))
    .returning({ id: certificates.id })
  return rows.map(({ id }) => id)
}

/** Returns whether an authority has signers, with or without content. */
export async function hasSigners(tx: Writer, tenantId: string, caId: string): Promise<boolean> {
  return (await tx.$count(certificates, and(eq(certificates.tenantId, tenantId), eq(certificates.caId, caId)))) > 0
}

/** Returns whether the tenant has the certificate as one of the kind, also if it is inactive, replaced or revoked. */
export async function isCertificateOf(
  db: Reader,
  tenantId: string,
  { kind, fingerprint }: { kind: CertificateKind; fingerprint: string },
): Promise<boolean> {
  const same = and(eq(certificates.kind, kind), eq(certificates.fingerprint, fingerprint))
  return (await db.$count(certificates, and(eq(certificates.tenantId, tenantId), same))) > 0
}

/** Returns whether another authority of the kind has the same certificate. */
export async function isTaken(
  tx: Writer,
  tenantId: string,
  { id, kind, fingerprint }: Pick<CertificateRow, 'id' | 'kind' | 'fingerprint'>,
): Promise<boolean> {
  const same = and(eq(certificates.kind, kind), eq(certificates.fingerprint, fingerprint ?? ''))
  return (await tx.$count(certificates, and(eq(certificates.tenantId, tenantId), ne(certificates.id, id), same))) > 0
}

const incomplete = prepared('incomplete_certificates', (db) =>
  db
    .select({ tenantId: certificates.tenantId, certificateId: certificates.id })
    .from(certificates)
    .innerJoin(tenants, and(eq(tenants.id, certificates.tenantId), eq(tenants.state, constant('active'))))
    .where(
      and(
        isNull(certificates.certificate),
        isNull(certificates.csr),
        lt(certificates.createdAt, paramOf(certificates.createdAt, 'before')),
      ),
    )
    .limit(sql.placeholder('limit')),
)

/** Returns the rows of a tenant without content. */
export async function findIncompleteCertificatesOf(db: Reader, tenantId: string): Promise<CertificateRow[]> {
  return db
    .select()
    .from(certificates)
    .where(and(eq(certificates.tenantId, tenantId), isNull(certificates.certificate), isNull(certificates.csr)))
}

/** Returns rows of all tenants that have stayed without content, because the process that requested it died. */
export async function findIncompleteCertificates(
  db: Reader,
  before: Date,
  limit: number,
): Promise<{ tenantId: string; certificateId: string }[]> {
  return incomplete(db, { before, limit })
}
