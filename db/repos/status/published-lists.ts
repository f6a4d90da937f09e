import { and, eq, exists, sql } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { listPage } from '../../list-page.ts'
import type { Cursor } from '../../page.ts'
import { type StatusListKind, statusLists } from '../../tables/status/lists.ts'
import { publishedLists } from '../../tables/status/published-lists.ts'

/** A list as it is served. */
export type PublishedList = Pick<typeof publishedLists.$inferSelect, 'version' | 'content' | 'issuedAt' | 'expiresAt'>

export async function findPublishedList(
  db: Reader,
  tenantId: string,
  kind: StatusListKind,
  id: string,
): Promise<PublishedList | undefined> {
  const { version, content, issuedAt, expiresAt } = publishedLists
  const [row] = await db
    .select({ version, content, issuedAt, expiresAt })
    .from(publishedLists)
    .innerJoin(statusLists, eq(statusLists.id, publishedLists.listId))
    .where(
      and(
        eq(publishedLists.tenantId, tenantId),
        eq(publishedLists.listId, id),
        eq(statusLists.tenantId, tenantId),
        eq(statusLists.kind, kind),
      ),
    )
  return row
}

/** The lists of a kind of which there is something to read. */
export async function listPublishedLists(
  db: Reader,
  tenantId: string,
  kind: StatusListKind,
  page: { limit: number; cursor?: Cursor | undefined },
): Promise<(typeof statusLists.$inferSelect)[]> {
  const published = db
    .select({ one: sql`1` })
    .from(publishedLists)
    .where(and(eq(publishedLists.tenantId, tenantId), eq(publishedLists.listId, statusLists.id)))
  return listPage(db, statusLists, tenantId, page, and(eq(statusLists.kind, kind), exists(published)))
}
