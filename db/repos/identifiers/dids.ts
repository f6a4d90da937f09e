import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { dialect } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { dids } from '../../tables/identifiers/dids.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import { listPage } from '../list-page.ts'

export type DidRow = typeof dids.$inferSelect

/** The content that the signing process creates for a row. */
export interface DidRowContent {
  did: string
  document: NonNullable<DidRow['document']>
  documentedKeys: NonNullable<DidRow['documentedKeys']>
}
export type CompleteDid = DidRow & DidRowContent

/** Returns false if the tenant already has the DID. */
export async function insertDid(tx: Writer, row: typeof dids.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(dids).values(row).onConflictDoNothing().returning({ id: dids.id })
  return rows.length === 1
}

/** Returns the row with or without content. */
export function findDidRow(db: Reader, tenantId: string, id: string): Promise<DidRow | undefined> {
  return findRow(db, dids, tenantId, id)
}

/** Returns a DID with content. */
export async function findDid(db: Reader, tenantId: string, did: string): Promise<CompleteDid | undefined> {
  const [row] = await db
    .select()
    .from(dids)
    .where(and(eq(dids.tenantId, tenantId), eq(dids.did, did)))
  return isCompleteDid(row) ? row : undefined
}

/** Returns DIDs with content. */
export async function listDids(db: Reader, tenantId: string, page: PageRequest): Promise<CompleteDid[]> {
  const rows = await listPage(db, dids, tenantId, page, isNotNull(dids.document))
  return rows.filter(isCompleteDid)
}

export function isCompleteDid(row: DidRow | undefined): row is CompleteDid {
  return row !== undefined && row.did !== null && row.document !== null && row.documentedKeys !== null
}

/** Sets the content of a row. Returns false if the row has content or does not exist. */
export async function completeDid(tx: Writer, tenantId: string, id: string, content: DidRowContent): Promise<boolean> {
  const rows = await tx
    .update(dids)
    .set(content)
    .where(and(eq(dids.tenantId, tenantId), eq(dids.id, id), isNull(dids.document)))
    .returning({ id: dids.id })
  return rows.length === 1
}

/** Deletes a DID with content and returns the id of its row. Returns undefined if there is none. */
export async function deleteDid(tx: Writer, tenantId: string, did: string): Promise<string | undefined> {
  const [row] = await tx
    .delete(dids)
    .where(and(eq(dids.tenantId, tenantId), eq(dids.did, did), isNotNull(dids.document)))
    .returning({ id: dids.id })
  return row?.id
}

/** Deletes a row without content. Returns false if the row has content or does not exist. */
export async function deleteIncompleteDid(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(dids)
    .where(and(eq(dids.tenantId, tenantId), eq(dids.id, id), isNull(dids.document)))
    .returning({ id: dids.id })
  return rows.length === 1
}

/** Locks a DID against its deletion (hold.ts). Returns false if it does not exist. */
export async function holdDidShared(tx: Writer, tenantId: string, did: string): Promise<boolean> {
  const rows = tx
    .select({ id: dids.id })
    .from(dids)
    .where(and(eq(dids.tenantId, tenantId), eq(dids.did, did)))
  return (await (dialect === 'postgres' ? rows.for('key share') : rows)).length > 0
}

/** Returns rows of all tenants that have stayed without content, because the process that requested it died. */
export async function findIncompleteDids(
  db: Reader,
  before: Date,
  limit: number,
): Promise<{ tenantId: string; id: string }[]> {
  return db
    .select({ tenantId: dids.tenantId, id: dids.id })
    .from(dids)
    .innerJoin(tenants, and(eq(tenants.id, dids.tenantId), eq(tenants.state, 'active')))
    .where(and(isNull(dids.document), lt(dids.createdAt, before)))
    .limit(limit)
}
