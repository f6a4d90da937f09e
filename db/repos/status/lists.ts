import { and, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { isCertifiedProfile } from '../../../shared/domain/issuance/profiles.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, prepared, preparedInsert } from '../../engine/prepared.ts'
import { hold } from '../../hold.ts'
import { credentials } from '../../tables/issuance/credentials.ts'
import { statusEntries } from '../../tables/status/entries.ts'
import { type RevocationListKind, statusLists } from '../../tables/status/lists.ts'
import { publishedLists } from '../../tables/status/published-lists.ts'
import { holdDidShared } from '../identifiers/dids.ts'

export type StatusListRow = typeof statusLists.$inferSelect
export type PublishedListRow = typeof publishedLists.$inferSelect
export type StatusEntryRow = typeof statusEntries.$inferSelect

/** Allocated positions of a list: from `from`, and before `to`. */
export interface Reserved {
  list: StatusListRow
  from: number
  to: number
}

/** Identifies a series of lists. */
export type Series = Pick<StatusListRow, 'kind' | 'series'>

/**
 * Allocates at least one and at most `count` positions of the tenant's newest list of a series. Returns the number of
 * that list as `full` if it has none left. Returns undefined if the series has no list.
 */
export async function reserveIndexes(
  tx: Writer,
  tenantId: string,
  { kind, series }: Series,
  count: number,
): Promise<Reserved | { full: number } | undefined> {
  const [newest] = await newestOf(tx, { tenantId, kind, series })
  const list = newest && (await hold(tx, statusLists, tenantId, newest.id))
  if (!list) return undefined
  if (list.taken >= list.size) return { full: list.number }
  const to = Math.min(list.taken + count, list.size)
  await setTaken(tx, { tenantId, id: list.id, to })
  return { list, from: list.taken, to }
}

const newestOf = prepared('newest_status_list', (db) =>
  db
    .select({ id: statusLists.id })
    .from(statusLists)
    .where(
      and(
        eq(statusLists.tenantId, param('tenantId')),
        eq(statusLists.kind, param('kind')),
        eq(statusLists.series, param('series')),
      ),
    )
    .orderBy(desc(statusLists.number))
    .limit(1),
)

const setTaken = prepared('set_status_list_taken', (tx) =>
  tx
    .update(statusLists)
    .set({ taken: param('to') })
    .where(and(inRow(statusLists.tenantId, param('tenantId')), eq(statusLists.id, param('id')))),
)

/**
 * Inserts a list with its first published version. Returns false and changes nothing if another process inserted a list
 * with this number. Throws `not_found` if the DID of the list does not exist.
 */
export async function openList(tx: Writer, list: StatusListRow, published: PublishedListRow): Promise<boolean> {
  const isOfMadeDid = !isCertifiedProfile(list.kind) && list.series !== ''
  if (isOfMadeDid && !(await holdDidShared(tx, list.tenantId, list.series))) throw new Problem('not_found')
  const opened = await tx.insert(statusLists).values(list).onConflictDoNothing().returning({ id: statusLists.id })
  if (opened.length === 0) return false
  await tx.insert(publishedLists).values(published)
  return true
}

const kinds: RevocationListKind[] = ['compact', 'compact-semantic', 'web-semantic']

/** Returns whether a DID has revocation lists. They must stay published until the tenant is deleted. */
export async function hasListsOf(db: Reader, tenantId: string, did: string): Promise<boolean> {
  const [row] = await db
    .select({ id: statusLists.id })
    .from(statusLists)
    .where(and(eq(statusLists.tenantId, tenantId), inArray(statusLists.kind, kinds), eq(statusLists.series, did)))
    .limit(1)
  return row !== undefined
}

/**
 * Fills all lists of all tenants. For a restored database: it does not record the positions that were allocated after
 * the backup. Returns how many lists had free positions.
 */
export async function endAllLists(tx: Writer): Promise<number> {
  const ended = await tx
    .update(statusLists)
    .set({ taken: sql`${statusLists.size}` })
    .where(lt(statusLists.taken, statusLists.size))
    .returning({ id: statusLists.id })
  return ended.length
}

/** Inserts the entries of issued credentials. Fails if a position is taken. */
export const insertEntries = preparedInsert('insert_status_entries', statusEntries)

/**
 * Returns whether an unexpired credential has its status in a list under an authority. Without a match it reads all
 * entries of these lists. Do not call it in a transaction.
 */
export async function hasStatusUnder(db: Reader, tenantId: string, caId: string, at: Date): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(statusLists)
    .innerJoin(statusEntries, eq(statusEntries.listId, statusLists.id))
    .innerJoin(
      credentials,
      and(eq(credentials.tenantId, statusLists.tenantId), eq(credentials.id, statusEntries.credentialId)),
    )
    .where(and(eq(statusLists.tenantId, tenantId), eq(statusLists.caId, caId), gt(credentials.validUntil, at)))
    .limit(1)
  return rows.length > 0
}
