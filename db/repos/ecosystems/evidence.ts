import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import type { PageRequest } from '../../page.ts'
import { evidenceChunks as chunks, participantEvidence as evidence } from '../../tables/ecosystems/evidence.ts'
import { listPage } from '../list-page.ts'

export type EvidenceRow = typeof evidence.$inferSelect
/** The participant that the evidence belongs to. */
export type EvidenceSubject = Pick<EvidenceRow, 'ecosystemId' | 'participantId'>

/** Measures the evidence of a tenant in these states. Reads an index only. */
export async function measureEvidence(
  db: Reader,
  tenantId: string,
  states: EvidenceRow['state'][],
): Promise<{ files: number; bytes: number }> {
  const bytes = sql`coalesce(sum(${evidence.sizeBytes}), 0)`.mapWith(Number)
  const [held] = await db
    .select({ files: count(), bytes })
    .from(evidence)
    .where(and(eq(evidence.tenantId, tenantId), inArray(evidence.state, states)))
  return held ?? { files: 0, bytes: 0 }
}

/** Inserts evidence at the start of its upload. */
export async function insertEvidence(
  tx: Writer,
  row: Omit<EvidenceRow, 'state' | 'fileDescription' | 'sizeBytes' | 'sha256'>,
): Promise<void> {
  await tx.insert(evidence).values({ ...row, state: 'uploading', fileDescription: '', sizeBytes: 0 })
}

/**
 * Stores the next chunk of an upload and extends the upload. Returns false if the upload was abandoned, or the evidence
 * was removed with its participant.
 */
export async function appendChunk(
  tx: Writer,
  tenantId: string,
  id: string,
  { position, content, expiresAt }: { position: number; content: Buffer; expiresAt: Date },
): Promise<boolean> {
  const [row] = await tx
    .update(evidence)
    .set({ sizeBytes: sql`${evidence.sizeBytes} + ${content.length}`, expiresAt })
    .where(uploading(tenantId, id))
    .returning({ ecosystemId: evidence.ecosystemId })
  if (!row) return false
  await tx.insert(chunks).values({ ...row, tenantId, evidenceId: id, position, content })
  return true
}

/**
 * Completes an upload, which makes the evidence visible. Returns undefined if the upload was abandoned, or the evidence
 * was removed with its participant.
 */
export async function completeEvidence(
  tx: Writer,
  tenantId: string,
  id: string,
  content: Pick<EvidenceRow, 'fileDescription' | 'createdAt'> & { sha256: string },
): Promise<EvidenceRow | undefined> {
  const [row] = await tx
    .update(evidence)
    .set({ ...content, state: 'whole', expiresAt: null })
    .where(uploading(tenantId, id))
    .returning()
  return row
}

/** Abandons an upload. */
export async function abandonEvidence(tx: Writer, tenantId: string, id: string, at: Date): Promise<void> {
  await tx.update(evidence).set({ state: 'removed', expiresAt: at }).where(uploading(tenantId, id))
}

export async function findEvidence(
  db: Reader,
  tenantId: string,
  subject: EvidenceSubject,
  id: string,
): Promise<EvidenceRow | undefined> {
  const [row] = await db
    .select()
    .from(evidence)
    .where(whole(tenantId, subject, id))
  return row
}

export function listEvidence(
  db: Reader,
  tenantId: string,
  { ecosystemId, participantId }: EvidenceSubject,
  page: PageRequest,
): Promise<EvidenceRow[]> {
  const ofSubject = and(
    eq(evidence.ecosystemId, ecosystemId),
    eq(evidence.participantId, participantId),
    eq(evidence.state, 'whole'),
  )
  return listPage(db, evidence, tenantId, page, ofSubject)
}

/** Returns undefined if it does not exist. */
export async function findChunk(
  db: Reader,
  tenantId: string,
  evidenceId: string,
  position: number,
): Promise<Buffer | undefined> {
  const [row] = await db
    .select({ content: chunks.content })
    .from(chunks)
    .where(and(inRow(chunks.tenantId, tenantId), eq(chunks.evidenceId, evidenceId), eq(chunks.position, position)))
  return row?.content
}

/** Returns undefined if it does not exist. */
export async function updateEvidence(
  tx: Writer,
  tenantId: string,
  subject: EvidenceSubject,
  id: string,
  changes: Partial<Pick<EvidenceRow, 'filename' | 'fileDescription'>>,
): Promise<EvidenceRow | undefined> {
  const [row] = await tx
    .update(evidence)
    .set(changes)
    .where(whole(tenantId, subject, id))
    .returning()
  return row
}

/**
 * Removes evidence. It is invisible immediately, and its bytes are deleted soon. Returns false if it does not exist.
 */
export async function removeEvidence(
  tx: Writer,
  tenantId: string,
  subject: EvidenceSubject,
  id: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx
    .update(evidence)
    .set({ state: 'removed', expiresAt: at })
    .where(whole(tenantId, subject, id))
    .returning({ id: evidence.id })
  return rows.length === 1
}

/** Removes all evidence of a participant that is deleted, including unfinished uploads. */
export async function removeEvidenceOn(
  tx: Writer,
  tenantId: string,
  { ecosystemId, participantId }: EvidenceSubject,
  at: Date,
): Promise<void> {
  await tx
    .update(evidence)
    .set({ state: 'removed', expiresAt: at })
    .where(
      and(
        eq(evidence.tenantId, tenantId),
        eq(evidence.ecosystemId, ecosystemId),
        eq(evidence.participantId, participantId),
        inArray(evidence.state, ['uploading', 'whole']),
      ),
    )
}

function uploading(tenantId: string, id: string) {
  return and(inRow(evidence.tenantId, tenantId), eq(evidence.id, id), inRow(evidence.state, 'uploading'))
}

function whole(tenantId: string, { ecosystemId, participantId }: EvidenceSubject, id: string) {
  return and(
    inRow(evidence.tenantId, tenantId),
    inRow(evidence.ecosystemId, ecosystemId),
    inRow(evidence.participantId, participantId),
    inRow(evidence.state, 'whole'),
    eq(evidence.id, id),
  )
}
