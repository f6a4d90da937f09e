import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import type { PageRequest } from '../../page.ts'
import { ecosystemCredentialTypes as types } from '../../tables/ecosystems/credential-types.ts'
import { participantCredentialTypes as assignments } from '../../tables/ecosystems/participants.ts'
import { listPage } from '../list-page.ts'

type AssignmentRow = typeof assignments.$inferSelect
export type CredentialTypeRow = typeof types.$inferSelect

/** Returns false if the ecosystem has it already. */
export async function insertCredentialType(tx: Writer, row: CredentialTypeRow): Promise<boolean> {
  const rows = await tx.insert(types).values(row).onConflictDoNothing().returning({ id: types.id })
  return rows.length === 1
}

export async function findCredentialType(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  id: string,
): Promise<CredentialTypeRow | undefined> {
  const [row] = await db
    .select()
    .from(types)
    .where(byId(tenantId, ecosystemId, id))
  return row
}

export function listCredentialTypes(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  page: PageRequest,
): Promise<CredentialTypeRow[]> {
  return listPage(db, types, tenantId, page, eq(types.ecosystemId, ecosystemId))
}

/** Returns the types that are assigned to a participant in a role. */
export async function listAssignedTypes(
  db: Reader,
  tenantId: string,
  { ecosystemId, participantId, role }: Pick<AssignmentRow, 'ecosystemId' | 'participantId' | 'role'>,
  page: PageRequest,
): Promise<CredentialTypeRow[]> {
  const assigned = db
    .select({ id: assignments.credentialTypeId })
    .from(assignments)
    .where(
      and(eq(assignments.tenantId, tenantId), eq(assignments.participantId, participantId), eq(assignments.role, role)),
    )
  const condition = and(eq(types.ecosystemId, ecosystemId), inArray(types.id, assigned))
  return listPage(db, types, tenantId, page, condition)
}

/** Returns all types of an ecosystem. A limit bounds their number. */
export async function findCredentialTypes(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
): Promise<CredentialTypeRow[]> {
  return db
    .select()
    .from(types)
    .where(and(eq(types.tenantId, tenantId), eq(types.ecosystemId, ecosystemId)))
    .orderBy(asc(types.createdAt), asc(types.id))
}

/** Deletes a type and its assignments. Returns false if it does not exist. */
export async function deleteCredentialType(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  id: string,
): Promise<boolean> {
  const rows = await tx
    .delete(types)
    .where(byId(tenantId, ecosystemId, id))
    .returning({ id: types.id })
  if (rows.length === 0) return false
  await tx.delete(assignments).where(and(eq(assignments.tenantId, tenantId), eq(assignments.credentialTypeId, id)))
  return true
}

function byId(tenantId: string, ecosystemId: string, id: string) {
  return and(inRow(types.tenantId, tenantId), inRow(types.ecosystemId, ecosystemId), eq(types.id, id))
}
