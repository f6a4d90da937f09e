import { and, eq, gt, inArray, lte, type SQL } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import type { PageRequest } from '../../page.ts'
import { participantCertificates as certificates } from '../../tables/ecosystems/participant-certificates.ts'
import { chunksOf } from '../chunks.ts'
import { listPage } from '../list-page.ts'

export type ParticipantCertificateRow = typeof certificates.$inferSelect
/** The participant of a certificate, and its role. */
export type CertificateHolder = Pick<ParticipantCertificateRow, 'ecosystemId' | 'participantId' | 'role'>

/**
 * Inserts a certificate and replaces the same one from the identifiers of the participant. Returns false if the
 * participant already has it from another source.
 */
export async function insertParticipantCertificate(tx: Writer, row: ParticipantCertificateRow): Promise<boolean> {
  const { tenantId, participantId, role, fingerprint } = row
  await tx
    .delete(certificates)
    .where(
      and(
        inRow(certificates.tenantId, tenantId),
        eq(certificates.participantId, participantId),
        eq(certificates.role, role),
        eq(certificates.fingerprint, fingerprint),
        eq(certificates.source, 'identifiers'),
      ),
    )
  return insert(tx, row)
}

async function insert(tx: Writer, row: ParticipantCertificateRow): Promise<boolean> {
  const rows = await tx.insert(certificates).values(row).onConflictDoNothing().returning({ id: certificates.id })
  return rows.length === 1
}

/** Returns a certificate that the operator added directly. */
export async function findParticipantCertificate(
  db: Reader,
  tenantId: string,
  holder: CertificateHolder,
  id: string,
): Promise<ParticipantCertificateRow | undefined> {
  const [row] = await db
    .select()
    .from(certificates)
    .where(byId(tenantId, holder, id))
  return row
}

/** Returns certificates that the operator added directly. */
export function listParticipantCertificates(
  db: Reader,
  tenantId: string,
  { ecosystemId, participantId, role }: CertificateHolder,
  page: PageRequest,
): Promise<ParticipantCertificateRow[]> {
  const ofHolder = and(
    eq(certificates.ecosystemId, ecosystemId),
    eq(certificates.participantId, participantId),
    eq(certificates.role, role),
    inRow(certificates.source, 'operator'),
  )
  return listPage(db, certificates, tenantId, page, ofHolder)
}

/** Returns the certificates that the operator added directly to these participants in a role, in no order. */
export async function findOperatorCertificates(
  db: Reader,
  tenantId: string,
  participantIds: string[],
  role: ParticipantCertificateRow['role'],
): Promise<ParticipantCertificateRow[]> {
  const rows: ParticipantCertificateRow[] = []
  for (const chunk of chunksOf(participantIds)) {
    const ofChunk = and(
      inRow(certificates.tenantId, tenantId),
      inArray(certificates.participantId, chunk),
      inRow(certificates.role, role),
      inRow(certificates.source, 'operator'),
    )
    for (const row of await db.select().from(certificates).where(ofChunk)) rows.push(row)
  }
  return rows
}

const { id, participantId, fingerprint, ski, docTypes, entry, certificatePem } = certificates
const ofAny = { id, participantId, fingerprint, docTypes }

/** Selects the published certificates of participants: active and valid at a time. */
export interface PublishedQuery {
  participantIds: string[]
  role: ParticipantCertificateRow['role']
  at: Date
}

/** Returns whether an ecosystem has more than `count` certificates of all participants. */
export async function hasMoreCertificates(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  count: number,
): Promise<boolean> {
  const ofEcosystem = and(eq(certificates.tenantId, tenantId), eq(certificates.ecosystemId, ecosystemId))
  const rows = await db.select({ id }).from(certificates).where(ofEcosystem).limit(1).offset(count)
  return rows.length > 0
}

/** Returns the data of certificates for lists, in no order. */
export async function findListedCertificates(db: Reader, tenantId: string, query: PublishedQuery) {
  return inChunks(tenantId, query, (isPublished) =>
    db
      .select({ ...ofAny, ski, entry })
      .from(certificates)
      .where(isPublished),
  )
}

/** Returns the data of certificates for policies, in no order. */
export async function findPolicyCertificates(db: Reader, tenantId: string, query: PublishedQuery) {
  return inChunks(tenantId, query, (isPublished) =>
    db
      .select({ ...ofAny, certificatePem })
      .from(certificates)
      .where(isPublished),
  )
}

async function inChunks<Found>(
  tenantId: string,
  { participantIds, role, at }: PublishedQuery,
  find: (isPublished: SQL | undefined) => PromiseLike<Found[]>,
): Promise<Found[]> {
  const rows: Found[] = []
  for (const chunk of chunksOf(participantIds)) {
    const isPublished = and(
      inRow(certificates.tenantId, tenantId),
      inArray(participantId, chunk),
      eq(certificates.role, role),
      eq(certificates.active, true),
      lte(certificates.notBefore, at),
      gt(certificates.notAfter, at),
    )
    for (const each of await find(isPublished)) rows.push(each)
  }
  return rows
}

/** Returns undefined if the certificate does not exist. */
export async function updateParticipantCertificate(
  tx: Writer,
  tenantId: string,
  holder: CertificateHolder,
  id: string,
  changes: Partial<Pick<ParticipantCertificateRow, 'docTypes' | 'active'>>,
): Promise<ParticipantCertificateRow | undefined> {
  const [row] = await tx
    .update(certificates)
    .set(changes)
    .where(byId(tenantId, holder, id))
    .returning()
  return row
}

/** Returns false if the certificate does not exist. */
export async function deleteParticipantCertificate(
  tx: Writer,
  tenantId: string,
  holder: CertificateHolder,
  id: string,
): Promise<boolean> {
  const rows = await tx
    .delete(certificates)
    .where(byId(tenantId, holder, id))
    .returning({ id: certificates.id })
  return rows.length === 1
}

/**
 * Replaces the certificates from the identifiers of a participant. A certificate from another source does not change.
 * Returns the number of new certificates.
 */
export async function replaceIdentifierCertificates(
  tx: Writer,
  tenantId: string,
  participantId: string,
  rows: ParticipantCertificateRow[],
): Promise<number> {
  const ofIdentifiers = and(
    eq(certificates.tenantId, tenantId),
    eq(certificates.participantId, participantId),
    eq(certificates.source, 'identifiers'),
  )
  const storedRows = await tx
    .select({ id: certificates.id, role: certificates.role, fingerprint: certificates.fingerprint })
    .from(certificates)
    .where(ofIdentifiers)
  const rowByKey = new Map(rows.map((row) => [keyOf(row), row]))
  const gone = storedRows.filter((row) => !rowByKey.has(keyOf(row))).map(({ id }) => id)
  // They are at most as many as in one request of an operator.
  if (gone.length > 0) await tx.delete(certificates).where(and(ofIdentifiers, inArray(certificates.id, gone)))
  let inserted = 0
  const idOf = new Map(storedRows.map((row) => [keyOf(row), row.id]))
  for (const [key, row] of rowByKey) {
    const id = idOf.get(key)
    const { active, certificatePem } = row
    if (id)
      await tx
        .update(certificates)
        .set({ active, certificatePem })
        .where(and(ofIdentifiers, eq(certificates.id, id)))
    else if (await insert(tx, row)) inserted++
  }
  return inserted
}

function keyOf({ role, fingerprint }: Pick<ParticipantCertificateRow, 'role' | 'fingerprint'>): string {
  return `${role} ${fingerprint}`
}

function byId(tenantId: string, { ecosystemId, participantId, role }: CertificateHolder, id: string) {
  return and(
    inRow(certificates.tenantId, tenantId),
    inRow(certificates.ecosystemId, ecosystemId),
    inRow(certificates.participantId, participantId),
    inRow(certificates.role, role),
    inRow(certificates.source, 'operator'),
    eq(certificates.id, id),
  )
}
