import { and, asc, eq, exists, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { CertifiedProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { Reader } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { afterCursor, type PageRequest } from '../../page.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import { type StatusListKind, statusLists } from '../../tables/status/lists.ts'
import { publishedLists } from '../../tables/status/published-lists.ts'
import { listPage } from '../list-page.ts'

/** A status list as served. */
export type PublishedList = Pick<
  typeof publishedLists.$inferSelect,
  'version' | 'content' | 'jwt' | 'issuedAt' | 'expiresAt' | 'ttlSeconds'
>

export async function findPublishedList(
  db: Reader,
  tenantId: string,
  kind: StatusListKind,
  id: string,
): Promise<PublishedList | undefined> {
  const { version, content, jwt, issuedAt, expiresAt, ttlSeconds } = publishedLists
  const [row] = await db
    .select({ version, content, jwt, issuedAt, expiresAt, ttlSeconds })
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

/** Returns the published lists of a kind. */
export async function listPublishedLists(
  db: Reader,
  tenantId: string,
  kind: StatusListKind,
  page: PageRequest,
): Promise<(typeof statusLists.$inferSelect)[]> {
  const published = db
    .select({ one: sql`1` })
    .from(publishedLists)
    .where(and(eq(publishedLists.tenantId, tenantId), eq(publishedLists.listId, statusLists.id)))
  return listPage(db, statusLists, tenantId, page, and(eq(statusLists.kind, kind), exists(published)))
}

/** A token status list for operators. */
export interface TokenListRow {
  id: string
  caId: string | null
  configurationId: string | null
  size: number
  createdAt: Date
  content: Buffer
}

/** Matches lists that have not expired, under an authority that exists and has not expired. */
function isReadable(tenantId: string, kinds: readonly CertifiedProfile[], at: Date): SQL | undefined {
  return and(
    eq(statusLists.tenantId, tenantId),
    inArray(statusLists.kind, kinds),
    gt(publishedLists.expiresAt, at),
    gt(certificates.notAfter, at),
  )
}

/** The number of lists in an aggregation. A list has 100,000 entries. */
const maxAggregated = 10_000

/** Returns these lists, at most 10,000, oldest first. */
export async function findReadableTokenLists(
  db: Reader,
  tenantId: string,
  kinds: readonly CertifiedProfile[],
  at: Date,
): Promise<{ id: string; kind: CertifiedProfile }[]> {
  const { id, kind, caId, createdAt } = statusLists
  const rows = await db
    .select({ id, kind })
    .from(statusLists)
    .innerJoin(publishedLists, and(inRow(publishedLists.tenantId, tenantId), eq(publishedLists.listId, id)))
    .innerJoin(certificates, and(inRow(certificates.tenantId, tenantId), eq(certificates.id, caId)))
    .where(isReadable(tenantId, kinds, at))
    .orderBy(asc(createdAt), asc(id))
    .limit(maxAggregated)
  // Boundary: the query selects these kinds.
  return rows as { id: string; kind: CertifiedProfile }[]
}

/** Returns a page of the token status lists of mobile credentials. */
export async function listTokenLists(
  db: Reader,
  tenantId: string,
  { limit, cursor }: PageRequest,
): Promise<TokenListRow[]> {
  return tokenLists(db, tenantId, afterCursor(statusLists.createdAt, statusLists.id, cursor)).limit(limit + 1)
}

export async function findTokenList(db: Reader, tenantId: string, id: string): Promise<TokenListRow | undefined> {
  const [row] = await tokenLists(db, tenantId, eq(statusLists.id, id))
  return row
}

function tokenLists(db: Reader, tenantId: string, which: SQL | undefined) {
  const { id, caId, configurationId, size, createdAt, kind } = statusLists
  return db
    .select({ id, caId, configurationId, size, createdAt, content: publishedLists.content })
    .from(statusLists)
    .innerJoin(publishedLists, and(inRow(publishedLists.tenantId, tenantId), eq(publishedLists.listId, id)))
    .where(and(eq(statusLists.tenantId, tenantId), eq(kind, 'mobile'), which))
    .orderBy(asc(createdAt), asc(id))
}
