import { and, asc, eq, lte, or, sql } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { statusChanges } from '../../tables/status/changes.ts'
import { type StatusListKind, statusLists } from '../../tables/status/lists.ts'
import { publishedLists } from '../../tables/status/published-lists.ts'

export interface LateList {
  id: string
  kind: StatusListKind
  /** When the list was due for renewal. Null if its format has no expiry. */
  renewAt: Date | null
  expiresAt: Date | null
  /** The time of the oldest change that the published list does not contain. */
  changedAt: Date | null
}

/** Returns status lists of the tenant whose renewal or whose publication of a change has been due since `before`. */
export async function findLateLists(db: Reader, tenantId: string, before: Date, limit: number): Promise<LateList[]> {
  const oldest = db
    .select({ at: statusChanges.changedAt })
    .from(statusChanges)
    .where(and(eq(statusChanges.tenantId, statusLists.tenantId), eq(statusChanges.listId, statusLists.id)))
    .orderBy(asc(statusChanges.changedAt))
    .limit(1)
  const isBehind = sql`(${oldest}) <= ${sql.param(before, statusChanges.changedAt)}`
  return db
    .select({
      id: statusLists.id,
      kind: statusLists.kind,
      renewAt: publishedLists.renewAt,
      expiresAt: publishedLists.expiresAt,
      changedAt: sql<Date | null>`(${oldest})`.mapWith(statusChanges.changedAt).as('changed'),
    })
    .from(statusLists)
    .innerJoin(
      publishedLists,
      and(eq(publishedLists.tenantId, statusLists.tenantId), eq(publishedLists.listId, statusLists.id)),
    )
    .where(and(eq(statusLists.tenantId, tenantId), or(lte(publishedLists.renewAt, before), isBehind)))
    .orderBy(asc(statusLists.createdAt), asc(statusLists.id))
    .limit(limit)
}
