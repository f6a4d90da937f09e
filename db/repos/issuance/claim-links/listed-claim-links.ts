import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../../client.ts'
import { type ClaimLinkState, claimLinks } from '../../../tables/issuance/claim-links.ts'
import { lastRowWithin } from '../bulk/rows-within.ts'
import type { ClaimLinkRow } from './claim-links.ts'
import { type StoredClaimLink, storedColumns } from './new-claim-links.ts'

export const claimLinkStates = ['open', 'opened', 'collected', 'expired', 'revoked'] as const

/** The state of a link as operators see it. `expired`: it was not collected before its end. */
export type ShownLinkState = (typeof claimLinkStates)[number]

/** Returns the state of a link at a time. */
export function claimLinkStateOf({ state, expiresAt }: Pick<ClaimLinkRow, 'state' | 'expiresAt'>, at: Date) {
  const hasEnded = state === 'collected' || state === 'revoked'
  return hasEnded || expiresAt > at ? state : 'expired'
}

export type LinkCounts = Record<ShownLinkState, number>

/** The rows of one query of a count. It reads an index only, for about 5 ms, so that other requests can run between two queries. */
const countedRows = 20_000

/** Counts the links of a bulk issuance by state. Each link counts once, also while people open links. */
export async function countClaimLinks(
  db: Reader,
  tenantId: string,
  bulkId: string,
  at: Date,
  rowsAtOnce = countedRows,
): Promise<LinkCounts> {
  const counts = { open: 0, opened: 0, collected: 0, expired: 0, revoked: 0 }
  const last = await findLastRow(db, tenantId, bulkId)
  for (let after = 0; after < last; after += rowsAtOnce) {
    const inRange = and(gt(claimLinks.row, after), lte(claimLinks.row, after + rowsAtOnce))
    const inState = (state: ClaimLinkState) => {
      const which = and(ofBulk(tenantId, bulkId), eq(claimLinks.state, state), inRange)
      return db.select(counted(state, at)).from(claimLinks).where(which)
    }
    // One statement sees each link in one state.
    const groups = await inState('open')
      .unionAll(inState('opened'))
      .unionAll(inState('collected'))
      .unionAll(inState('revoked'))
    for (const { state, count, over } of groups) {
      const expired = state === 'open' || state === 'opened' ? over : 0
      counts[state] += count - expired
      counts.expired += expired
    }
    await setImmediate()
  }
  return counts
}

function counted(state: ClaimLinkState, at: Date) {
  return {
    state: sql<ClaimLinkState>`${sql.raw(`'${state}'`)}`.as('state'),
    count: sql`count(*)`.mapWith(Number).as('count'),
    over: sql`coalesce(sum(case when ${lte(claimLinks.expiresAt, at)} then 1 else 0 end), 0)`
      .mapWith(Number)
      .as('over'),
  }
}

async function findLastRow(db: Reader, tenantId: string, bulkId: string): Promise<number> {
  const [last] = await db
    .select({ row: claimLinks.row })
    .from(claimLinks)
    .where(ofBulk(tenantId, bulkId))
    .orderBy(desc(claimLinks.row))
    .limit(1)
  return last?.row ?? 0
}

/** A link in a list, without its claims and its secret. */
export type ListedClaimLink = Pick<
  ClaimLinkRow,
  'id' | 'row' | 'generation' | 'externalId' | 'label' | 'userId' | 'expiresAt' | 'openedAt' | 'endedAt'
> & { state: ShownLinkState }

/** Returns the links of these rows. */
export async function findLinksOfRows(
  db: Reader,
  tenantId: string,
  bulkId: string,
  rows: number[],
  at: Date,
): Promise<ListedClaimLink[]> {
  if (rows.length === 0) return []
  const links = await db
    .select(listedColumns)
    .from(claimLinks)
    .where(and(ofBulk(tenantId, bulkId), inArray(claimLinks.row, rows)))
  return links.map((each) => ({ ...each, state: claimLinkStateOf(each, at) }))
}

interface LinkQuery {
  state?: ShownLinkState
  after?: number
  limit: number
}

/** Lists links of a bulk issuance in the order of their rows, after a row. */
export async function listClaimLinks(
  db: Reader,
  tenantId: string,
  bulkId: string,
  query: LinkQuery,
  at: Date,
  rowsAtOnce = countedRows,
): Promise<ListedClaimLink[]> {
  const { state, after: from = 0, limit } = query
  if (state !== 'expired') return listIn(db, tenantId, bulkId, { ...query, state }, at)
  // No index contains only expired links. The index of the states contains their ends too, so only the index is read.
  const last = await findLastRow(db, tenantId, bulkId)
  const page: ListedClaimLink[] = []
  for (let after = from; after < last && page.length < limit; after += rowsAtOnce) {
    const range = { after, upTo: after + rowsAtOnce, limit: limit - page.length }
    page.push(...(await listExpiredIn(db, tenantId, bulkId, range, at)))
    await setImmediate()
  }
  return page
}

interface RowRange {
  after: number
  upTo: number
  limit: number
}

/** Lists the expired links of a range of rows in the order of their rows. */
async function listExpiredIn(
  db: Reader,
  tenantId: string,
  bulkId: string,
  range: RowRange,
  at: Date,
): Promise<ListedClaimLink[]> {
  // An expired link changes its state by a renewal only, so that no link is in both.
  const links = await listOver(db, tenantId, bulkId, { ...range, state: 'open' }, at)
  links.push(...(await listOver(db, tenantId, bulkId, { ...range, state: 'opened' }, at)))
  return links.sort((a, b) => a.row - b.row).slice(0, range.limit)
}

/**
 * Returns the rows of the next expired links after a row, at most `limit`, and the last row that was checked. Reads a range of rows only,
 * so that a transaction is short. `isLast`: no row is left.
 */
export async function findNextExpired(
  db: Reader,
  tenantId: string,
  bulkId: string,
  { after, limit }: { after: number; limit: number },
  at: Date,
): Promise<{ rows: number[]; row: number; isLast: boolean }> {
  const last = await findLastRow(db, tenantId, bulkId)
  const upTo = after + countedRows
  const rows = (await listExpiredIn(db, tenantId, bulkId, { after, upTo, limit }, at)).map((link) => link.row)
  const row = rows.length === limit ? (rows.at(-1) ?? after) : Math.min(upTo, last)
  return { rows, row, isLast: row >= last }
}

function listIn(
  db: Reader,
  tenantId: string,
  bulkId: string,
  { state, after = 0, limit }: Omit<LinkQuery, 'state'> & { state: Exclude<ShownLinkState, 'expired'> | undefined },
  at: Date,
) {
  return listWhere(db, and(ofBulk(tenantId, bulkId), gt(claimLinks.row, after), state && isIn(state, at)), limit, at)
}

/** Lists expired links of a stored state. */
function listOver(
  db: Reader,
  tenantId: string,
  bulkId: string,
  { state, after, upTo, limit }: RowRange & { state: 'open' | 'opened' },
  at: Date,
) {
  const inRange = and(gt(claimLinks.row, after), lte(claimLinks.row, upTo))
  const isOver = and(eq(claimLinks.state, state), lte(claimLinks.expiresAt, at))
  return listWhere(db, and(ofBulk(tenantId, bulkId), inRange, isOver), limit, at)
}

async function listWhere(db: Reader, which: SQL | undefined, limit: number, at: Date): Promise<ListedClaimLink[]> {
  const rows = await db.select(listedColumns).from(claimLinks).where(which).orderBy(asc(claimLinks.row)).limit(limit)
  return rows.map((each) => ({ ...each, state: claimLinkStateOf(each, at) }))
}

const { id, row, generation, externalId, label, userId, expiresAt, openedAt, endedAt } = claimLinks
const listedColumns = {
  id,
  row,
  generation,
  externalId,
  label,
  userId,
  expiresAt,
  openedAt,
  endedAt,
  state: claimLinks.state,
}

/** A link with what its address needs, and its sealed content if its transaction code is asked for. */
export type LinkResult = StoredClaimLink & Pick<ClaimLinkRow, 'externalId' | 'expiresAt'>

const { sealedContent, ...addressColumns } = { ...storedColumns, externalId, expiresAt }

interface LinkResultQuery {
  after: number
  limit: number
  /** The row that reaches so many bytes of sealed content is the last one. */
  maxBytes: number
  /** Absent: the sealed content is not read. */
  withContent?: boolean
}

/** Lists the results of a bulk issuance in the order of their rows, after a row. */
export async function listLinkResults(
  db: Reader,
  tenantId: string,
  bulkId: string,
  { after, limit, maxBytes, withContent = false }: LinkResultQuery,
): Promise<LinkResult[]> {
  const next = and(ofBulk(tenantId, bulkId), gt(row, after))
  if (!withContent) {
    const links = await db.select(addressColumns).from(claimLinks).where(next).orderBy(asc(row)).limit(limit)
    return links.map((link) => ({ ...link, sealedContent: null }))
  }
  // Neither database reads the content for its length.
  const bytes = sql`coalesce(octet_length(${sealedContent}), 0)`.mapWith(Number)
  const sizes = await db.select({ row, bytes }).from(claimLinks).where(next).orderBy(asc(row)).limit(limit)
  const last = lastRowWithin(sizes, maxBytes)
  if (last === undefined) return []
  return db
    .select({ ...addressColumns, sealedContent })
    .from(claimLinks)
    .where(and(next, lte(row, last)))
    .orderBy(asc(row))
}

function isIn(state: Exclude<ShownLinkState, 'expired'>, at: Date): SQL | undefined {
  const isState = eq(claimLinks.state, state)
  return state === 'open' || state === 'opened' ? and(isState, gt(claimLinks.expiresAt, at)) : isState
}

function ofBulk(tenantId: string, bulkId: string): SQL | undefined {
  return and(eq(claimLinks.tenantId, tenantId), eq(claimLinks.bulkId, bulkId))
}
