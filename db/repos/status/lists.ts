import { and, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { Problem } from '../../../shared/errors.ts'
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

/** Places of a list that are nobody else's: from `from`, and before `to`. */
export interface Reserved {
  list: StatusListRow
  from: number
  to: number
}

/** Lists of which one is opened after the other. */
export type Series = Pick<StatusListRow, 'kind' | 'series'>

/**
 * Takes places of the tenant's newest list of a series, at least one and at most `count`. Says which one is `full`, after which
 * the next is to be opened; undefined where there is none yet.
 */
export async function reservePlaces(
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
 * Opens a list with its first version published; false, and nothing happens, when another process has opened one of that
 * number. Throws `not_found` where it is in the name of a DID that is gone.
 */
export async function openList(tx: Writer, list: StatusListRow, published: PublishedListRow): Promise<boolean> {
  const isOfMadeDid = list.kind !== 'mobile' && list.series !== ''
  if (isOfMadeDid && !(await holdDidShared(tx, list.tenantId, list.series))) throw new Problem('not_found')
  const opened = await tx.insert(statusLists).values(list).onConflictDoNothing().returning({ id: statusLists.id })
  if (opened.length === 0) return false
  await tx.insert(publishedLists).values(published)
  return true
}

const kinds: RevocationListKind[] = ['compact', 'compact-semantic', 'web-semantic']

/** Whether there are revocation lists in the name of a DID, which have to be published for as long as the tenant is there. */
export async function hasListsOf(db: Reader, tenantId: string, did: string): Promise<boolean> {
  const [row] = await db
    .select({ id: statusLists.id })
    .from(statusLists)
    .where(and(eq(statusLists.tenantId, tenantId), inArray(statusLists.kind, kinds), eq(statusLists.series, did)))
    .limit(1)
  return row !== undefined
}

/**
 * For a database that was set back to an earlier moment: which places were given since then nobody knows, so that none of the
 * lists of all tenants gives any more. Returns how many had some left.
 */
export async function endAllLists(tx: Writer): Promise<number> {
  const ended = await tx
    .update(statusLists)
    .set({ taken: sql`${statusLists.size}` })
    .where(lt(statusLists.taken, statusLists.size))
    .returning({ id: statusLists.id })
  return ended.length
}

/** Writes where issued credentials stand; fails when a place is another's. */
export const insertEntries = preparedInsert('insert_status_entries', statusEntries)

/**
 * Whether a credential is valid, by its times, whose status is told by lists under an authority. When none is, all of them are
 * looked at: not for a transaction.
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
