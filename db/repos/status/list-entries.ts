import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import type { CredentialStatus } from '../../tables/issuance/credentials.ts'
import { statusEntries } from '../../tables/status/entries.ts'
import { type StatusListKind, statusLists } from '../../tables/status/lists.ts'

export interface EntryQuery {
  kind: StatusListKind
  listId: string
  position: number
}

/**
 * Returns the current status of a list entry, which can be newer than the published list. `status` is null if no
 * credential has the position.
 */
export async function findListEntry(
  db: Reader,
  tenantId: string,
  { kind, listId, position }: EntryQuery,
): Promise<{ size: number; series: string; status: CredentialStatus | null } | undefined> {
  const [row] = await db
    .select({ size: statusLists.size, series: statusLists.series, status: statusEntries.status })
    .from(statusLists)
    .leftJoin(
      statusEntries,
      and(
        eq(statusEntries.tenantId, statusLists.tenantId),
        eq(statusEntries.listId, statusLists.id),
        eq(statusEntries.position, position),
      ),
    )
    .where(and(eq(statusLists.tenantId, tenantId), eq(statusLists.id, listId), eq(statusLists.kind, kind)))
  return row
}
