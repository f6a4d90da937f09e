import { and, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { type Cursor, cutPage, type PageRequest } from '../../page.ts'
import { participantCertificates as certificates } from '../../tables/ecosystems/participant-certificates.ts'
import {
  participantCredentialTypes as assignments,
  participantIdentifiers as identifiers,
  participants,
} from '../../tables/ecosystems/participants.ts'
import { chunksOf } from '../chunks.ts'
import { listPage } from '../list-page.ts'
import { removeEvidenceOn } from './evidence.ts'

export type ParticipantRow = typeof participants.$inferSelect
export type IdentifierRow = typeof identifiers.$inferSelect
export type AssignmentRow = typeof assignments.$inferSelect

export async function insertParticipant(tx: Writer, row: ParticipantRow, dids: IdentifierRow[]): Promise<void> {
  await tx.insert(participants).values(row)
  await insertIdentifiers(tx, dids)
}

async function insertIdentifiers(tx: Writer, rows: IdentifierRow[]): Promise<void> {
  if (rows.length > 0) await tx.insert(identifiers).values(rows)
}

export async function findParticipant(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  id: string,
): Promise<ParticipantRow | undefined> {
  const [row] = await db
    .select()
    .from(participants)
    .where(byId(tenantId, ecosystemId, id))
  return row
}

export function listParticipants(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  page: PageRequest,
): Promise<ParticipantRow[]> {
  return listPage(db, participants, tenantId, page, eq(participants.ecosystemId, ecosystemId))
}

const pageSize = 200

/** Yields all participants of an ecosystem, oldest first, page by page. */
export async function* participantPages(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
): AsyncGenerator<ParticipantRow[]> {
  let cursor: Cursor | undefined
  do {
    const participantRows = await listParticipants(db, tenantId, ecosystemId, { limit: pageSize, cursor })
    const { rows, next } = cutPage(participantRows, pageSize, ({ createdAt: at, id }) => ({ at, id }))
    yield rows
    cursor = next
  } while (cursor)
}

/** Returns undefined if it does not exist. */
export async function updateParticipant(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  id: string,
  changes: Partial<ParticipantRow>,
  dids: IdentifierRow[],
): Promise<ParticipantRow | undefined> {
  const [row] = await tx
    .update(participants)
    .set(changes)
    .where(byId(tenantId, ecosystemId, id))
    .returning()
  if (!row) return undefined
  await tx.delete(identifiers).where(and(eq(identifiers.tenantId, tenantId), eq(identifiers.participantId, id)))
  await insertIdentifiers(tx, dids)
  return row
}

/**
 * Deletes a participant and its rows. The bytes of its evidence are deleted soon after. Returns false if it does not
 * exist.
 */
export async function deleteParticipant(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  id: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx
    .delete(participants)
    .where(byId(tenantId, ecosystemId, id))
    .returning({ id: participants.id })
  if (rows.length === 0) return false
  for (const table of [identifiers, assignments, certificates]) {
    await tx.delete(table).where(and(eq(table.tenantId, tenantId), eq(table.participantId, id)))
  }
  await removeEvidenceOn(tx, tenantId, { ecosystemId, participantId: id }, at)
  return true
}

/** Ignores an assignment that exists already. */
export async function insertAssignment(tx: Writer, row: AssignmentRow): Promise<void> {
  await tx.insert(assignments).values(row).onConflictDoNothing()
}

/** Returns false if the type is not assigned. */
export async function deleteAssignment(
  tx: Writer,
  tenantId: string,
  { ecosystemId, participantId, role, credentialTypeId }: Omit<AssignmentRow, 'tenantId'>,
): Promise<boolean> {
  const rows = await tx
    .delete(assignments)
    .where(
      and(
        inRow(assignments.tenantId, tenantId),
        inRow(assignments.ecosystemId, ecosystemId),
        eq(assignments.participantId, participantId),
        eq(assignments.role, role),
        eq(assignments.credentialTypeId, credentialTypeId),
      ),
    )
    .returning({ id: assignments.credentialTypeId })
  return rows.length === 1
}

/** Returns the assignments of these participants. */
export async function findAssignments(
  db: Reader,
  tenantId: string,
  participantIds: string[],
): Promise<Pick<AssignmentRow, 'participantId' | 'role' | 'credentialTypeId'>[]> {
  const { participantId, role, credentialTypeId } = assignments
  const allRows = []
  for (const chunk of chunksOf(participantIds)) {
    const rows = await db
      .select({ participantId, role, credentialTypeId })
      .from(assignments)
      .where(and(inRow(assignments.tenantId, tenantId), inArray(participantId, chunk)))
      .orderBy(credentialTypeId)
    allRows.push(...rows)
  }
  return allRows
}

function byId(tenantId: string, ecosystemId: string, id: string) {
  return and(
    inRow(participants.tenantId, tenantId),
    inRow(participants.ecosystemId, ecosystemId),
    eq(participants.id, id),
  )
}
