import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import { holdShared } from '../../hold.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { contexts } from '../../tables/credentials/contexts.ts'
import { findAllConfigurations } from '../issuance/configurations.ts'

export type ContextRow = typeof contexts.$inferSelect
export type ListedContext = Omit<ContextRow, 'document'>

/** Returns false if the tenant already has a context with this URL. */
export async function insertContext(tx: Writer, row: ContextRow): Promise<boolean> {
  const rows = await tx.insert(contexts).values(row).onConflictDoNothing().returning({ id: contexts.id })
  return rows.length === 1
}

export function findContextRow(db: Reader, tenantId: string, id: string): Promise<ContextRow | undefined> {
  return findRow(db, contexts, tenantId, id)
}

/** Returns the contexts of the tenant with these URLs. */
export async function findContextsAt(db: Reader, tenantId: string, urls: readonly string[]): Promise<ContextRow[]> {
  if (urls.length === 0) return []
  return db
    .select()
    .from(contexts)
    .where(and(eq(contexts.tenantId, tenantId), inArray(contexts.url, [...urls])))
}

/** Returns contexts without their documents, which are large. */
export async function listContexts(
  db: Reader,
  tenantId: string,
  limit: number,
  cursor?: Cursor,
): Promise<ListedContext[]> {
  const { id, url, createdAt } = contexts
  return db
    .select({ id, tenantId: contexts.tenantId, url, createdAt })
    .from(contexts)
    .where(and(eq(contexts.tenantId, tenantId), afterCursor(createdAt, id, cursor)))
    .orderBy(asc(createdAt), asc(id))
    .limit(limit + 1)
}

/** Holds contexts that a new row refers to. Returns false if one does not exist. */
export async function holdContexts(tx: Writer, tenantId: string, ids: readonly string[]): Promise<boolean> {
  for (const id of ids.toSorted()) if (!(await holdShared(tx, contexts, tenantId, id))) return false
  return true
}

/** Deletes a context and returns its URL, which can then be reused. Returns undefined if the context does not exist. */
export async function deleteContext(tx: Writer, tenantId: string, id: string): Promise<string | undefined> {
  const [row] = await tx.delete(contexts).where(byId(tenantId, id)).returning({ url: contexts.url })
  return row?.url
}

/** Returns whether a configuration refers to the URL. */
export async function isContextUsed(db: Reader, tenantId: string, url: string): Promise<boolean> {
  const configurations = await findAllConfigurations(db, tenantId)
  return configurations.some(
    ({ profile, settings }) => profile === 'web-semantic' && settings.contexts?.includes(url) === true,
  )
}

function byId(tenantId: string, id: string) {
  return and(inRow(contexts.tenantId, tenantId), eq(contexts.id, id))
}
