import { and, desc, eq, getTableColumns, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { ListKind } from '../../../shared/domain/ecosystems/list-kinds.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { ecosystems } from '../../tables/ecosystems/ecosystems.ts'
import { trustedListConfigurations, trustedLists } from '../../tables/ecosystems/trusted-lists.ts'
import { deletePolicyOfList } from './policies.ts'

type Row = typeof trustedLists.$inferSelect
/** A list without its content and the columns after it. To read those, SQLite would read the whole content. */
export type TrustedListRow = Omit<Row, 'content' | 'signerId'>
export type PublishedTrustedList = Omit<TrustedListRow, 'createdAt'> & { number: number; date: Date }
export type TrustedListOfPage = PublishedTrustedList & Pick<Row, 'createdAt'>
export type StoredTrustedListContent = {
  [Key in 'number' | 'date' | 'nextUpdate' | 'content' | 'signerId']-?: NonNullable<Row[Key]>
}

const {
  content: _content,
  signerId: _signerId,
  createdAt: _createdAt,
  ...beforeContent
} = getTableColumns(trustedLists)
/** Pages are sorted by the creation time, and read it from the index. */
const withoutContent = { ...beforeContent, createdAt: trustedLists.createdAt }

/** Inserts a list that is to be published. */
export async function insertTrustedList(
  tx: Writer,
  row: Pick<Row, 'id' | 'tenantId' | 'ecosystemId' | 'kind' | 'isAutoPublished' | 'createdAt'>,
): Promise<void> {
  await tx.insert(trustedLists).values(row)
}

/** Returns a list by its id, published or not. */
export async function findTrustedListRow(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<TrustedListRow | undefined> {
  const [row] = await db.select(withoutContent).from(trustedLists).where(byId(tenantId, id))
  return row
}

/** Publishes a list. Returns false if it was published or cancelled before. */
export async function completeTrustedList(
  tx: Writer,
  tenantId: string,
  id: string,
  content: StoredTrustedListContent,
): Promise<boolean> {
  const rows = await tx
    .update(trustedLists)
    .set(content)
    .where(and(byId(tenantId, id), isNull(trustedLists.number)))
    .returning({ id: trustedLists.id })
  return rows.length === 1
}

/** Cancels a list. Returns false if it was published or does not exist. */
export async function deleteUnpublishedTrustedList(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(trustedLists)
    .where(and(byId(tenantId, id), isNull(trustedLists.number)))
    .returning({ id: trustedLists.id })
  return rows.length === 1
}

/** Returns a list by its number, or the last one. Returns undefined if it or its ecosystem does not exist. */
export async function findPublishedTrustedList(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  kind: ListKind,
  number: number | 'latest',
): Promise<PublishedTrustedList | undefined> {
  const [row] = await db
    .select(beforeContent)
    .from(trustedLists)
    .innerJoin(ecosystems, and(eq(ecosystems.id, trustedLists.ecosystemId), eq(ecosystems.tenantId, tenantId)))
    .where(
      and(published(tenantId, ecosystemId, kind), number === 'latest' ? undefined : eq(trustedLists.number, number)),
    )
    .orderBy(desc(trustedLists.number))
    .limit(1)
  return row && isPublished(row) ? row : undefined
}

/** Returns the content of a list, which never changes for an id. */
export async function findTrustedListContent(db: Reader, tenantId: string, id: string): Promise<Buffer | undefined> {
  const [row] = await db.select({ content: trustedLists.content }).from(trustedLists).where(byId(tenantId, id))
  return row?.content ?? undefined
}

/** Returns a page of published lists, oldest first, and one more row if there are more. */
export async function listPublishedTrustedLists(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  kind: ListKind,
  limit: number,
  cursor?: Cursor,
): Promise<TrustedListOfPage[]> {
  const { createdAt, id } = trustedLists
  const rows = await db
    .select(withoutContent)
    .from(trustedLists)
    .where(and(published(tenantId, ecosystemId, kind), afterCursor(createdAt, id, cursor)))
    .orderBy(createdAt, id)
    .limit(limit + 1)
  return rows.filter(isPublished)
}

/** Deletes a list and the policy that was published with it. Returns false if no list has the number. */
export async function deleteTrustedList(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  kind: ListKind,
  number: number,
): Promise<boolean> {
  const [list] = await tx
    .delete(trustedLists)
    .where(and(published(tenantId, ecosystemId, kind), eq(trustedLists.number, number)))
    .returning({ id: trustedLists.id })
  if (!list) return false
  await deletePolicyOfList(tx, tenantId, list.id)
  return true
}

function isPublished<Found extends Omit<TrustedListRow, 'createdAt'>>(row: Found): row is Found & PublishedTrustedList {
  return row.number !== null && row.date !== null
}

function published(tenantId: string, ecosystemId: string, kind: ListKind): SQL | undefined {
  return and(
    eq(trustedLists.tenantId, tenantId),
    eq(trustedLists.ecosystemId, ecosystemId),
    eq(trustedLists.kind, kind),
    isNotNull(trustedLists.number),
  )
}

function byId(tenantId: string, id: string): SQL | undefined {
  return and(inRow(trustedLists.tenantId, tenantId), eq(trustedLists.id, id))
}

/** Returns the sub-select of the `nextUpdate` of the last list, for a query of `trustedListConfigurations`. */
export function nextUpdateOfLast(db: Reader) {
  return db
    .select({ nextUpdate: trustedLists.nextUpdate })
    .from(trustedLists)
    .where(
      and(
        eq(trustedLists.tenantId, trustedListConfigurations.tenantId),
        eq(trustedLists.ecosystemId, trustedListConfigurations.ecosystemId),
        eq(trustedLists.kind, trustedListConfigurations.kind),
        isNotNull(trustedLists.number),
      ),
    )
    .orderBy(desc(trustedLists.number))
    .limit(1)
}
