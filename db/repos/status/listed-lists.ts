import { and, asc, eq, sql } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { afterCursor, type PageRequest } from '../../page.ts'
import { statusChanges } from '../../tables/status/changes.ts'
import { statusLists } from '../../tables/status/lists.ts'
import { publishedLists } from '../../tables/status/published-lists.ts'

/** A status list for operators: without its content, with the data of its publication. */
export type ListedList = Pick<
  typeof statusLists.$inferSelect,
  'id' | 'kind' | 'series' | 'caId' | 'configurationId' | 'format' | 'size' | 'taken' | 'createdAt'
> & {
  published: Pick<
    typeof publishedLists.$inferSelect,
    'version' | 'issuedAt' | 'expiresAt' | 'renewAt' | 'ttlSeconds'
  > | null
  /** The time of the oldest change that the published list does not contain. */
  changedAt: Date | null
}

/** Returns a page of the tenant's status lists of all kinds, oldest first. */
export async function listStatusLists(
  db: Reader,
  tenantId: string,
  { limit, cursor }: PageRequest,
): Promise<ListedList[]> {
  const { id, kind, series, caId, configurationId, format, size, taken, createdAt } = statusLists
  const { version, issuedAt, expiresAt, renewAt, ttlSeconds } = publishedLists
  const oldest = db
    .select({ at: statusChanges.changedAt })
    .from(statusChanges)
    .where(and(eq(statusChanges.tenantId, statusLists.tenantId), eq(statusChanges.listId, id)))
    .orderBy(asc(statusChanges.changedAt))
    .limit(1)
  return db
    .select({
      ...{ id, kind, series, caId, configurationId, format, size, taken, createdAt },
      published: { version, issuedAt, expiresAt, renewAt, ttlSeconds },
      changedAt: sql<Date | null>`(${oldest})`.mapWith(statusChanges.changedAt).as('changed'),
    })
    .from(statusLists)
    .leftJoin(publishedLists, and(inRow(publishedLists.tenantId, tenantId), eq(publishedLists.listId, id)))
    .where(and(eq(statusLists.tenantId, tenantId), afterCursor(createdAt, id, cursor)))
    .orderBy(asc(createdAt), asc(id))
    .limit(limit + 1)
}
