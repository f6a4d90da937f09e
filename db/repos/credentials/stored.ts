import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import {
  type StoredProfile,
  storedCredentials,
  storedCredentialTypes,
} from '../../tables/credentials/stored-credentials.ts'
import { listPage } from '../list-page.ts'

export type StoredCredentialRow = typeof storedCredentials.$inferSelect

/** A credential to store, with its types. */
export type NewStoredCredential = StoredCredentialRow & { types: readonly string[] }

/** Stores credentials with their types. */
export async function insertStored(tx: Writer, rows: NewStoredCredential[]): Promise<void> {
  if (rows.length === 0) return
  await tx.insert(storedCredentials).values(rows.map(({ types: _, ...row }) => row))
  await tx
    .insert(storedCredentialTypes)
    .values(
      rows.flatMap(({ id: credentialId, tenantId, tag, createdAt, types }) =>
        [...new Set(types)].map((type) => ({ tenantId, credentialId, type, tag, createdAt })),
      ),
    )
}

export interface StoredQuery {
  limit: number
  cursor?: Cursor | undefined
  tag?: string | undefined
  /** One of the types of the credential. */
  type?: string | undefined
}

/** Returns a page of the stored credentials of a profile, oldest first, and one additional row if there are more. */
export async function listStored(
  db: Reader,
  tenantId: string,
  profile: StoredProfile,
  { type, tag, limit, cursor }: StoredQuery,
): Promise<StoredCredentialRow[]> {
  if (type === undefined) {
    // An index of tags finds fewer rows than that of profiles.
    const isOfProfile =
      tag === undefined ? eq(storedCredentials.profile, profile) : inRow(storedCredentials.profile, profile)
    const condition = and(isOfProfile, tagged(storedCredentials, tag))
    return listPage(db, storedCredentials, tenantId, { limit, cursor }, condition)
  }
  const { createdAt, credentialId } = storedCredentialTypes
  const rows = await db
    .select({ stored: storedCredentials })
    .from(storedCredentialTypes)
    .innerJoin(
      storedCredentials,
      and(eq(storedCredentials.id, credentialId), inRow(storedCredentials.tenantId, storedCredentialTypes.tenantId)),
    )
    .where(
      and(
        eq(storedCredentialTypes.tenantId, tenantId),
        eq(storedCredentialTypes.type, type),
        tagged(storedCredentialTypes, tag),
        inRow(storedCredentials.profile, profile),
        afterCursor(createdAt, credentialId, cursor),
      ),
    )
    .orderBy(asc(createdAt), asc(credentialId))
    .limit(limit + 1)
  return rows.map(({ stored }) => stored)
}

function tagged(table: typeof storedCredentials | typeof storedCredentialTypes, tag?: string): SQL | undefined {
  return tag === undefined ? undefined : eq(table.tag, tag)
}

export async function findStored(
  db: Reader,
  tenantId: string,
  id: string,
  profile: StoredProfile,
): Promise<StoredCredentialRow | undefined> {
  const { profile: stored } = storedCredentials
  const [row] = await db
    .select()
    .from(storedCredentials)
    .where(and(inRow(storedCredentials.tenantId, tenantId), eq(storedCredentials.id, id), inRow(stored, profile)))
  return row
}

/** Deletes a stored credential, if there is one. */
export async function deleteStored(tx: Writer, tenantId: string, id: string): Promise<void> {
  const { tenantId: tenant, credentialId } = storedCredentialTypes
  await tx
    .delete(storedCredentials)
    .where(and(inRow(storedCredentials.tenantId, tenantId), eq(storedCredentials.id, id)))
  await tx.delete(storedCredentialTypes).where(and(eq(tenant, tenantId), eq(credentialId, id)))
}
