import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, gt, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import {
  claimLinkKeptDays,
  claimLinkReferenceOf,
  openClaimLink,
  sealClaimLink,
} from '../../../shared/domain/issuance/claim-links.ts'
import { newTransactionCode } from '../../../shared/domain/issuance/transaction-code.ts'
import { hashSecret } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { withoutIndex } from '../../columns.ts'
import { bulkIssuances as bulks } from '../../tables/issuance/bulk-issuances.ts'
import { type ClaimLinkState, claimLinks } from '../../tables/issuance/claim-links.ts'
import { type ClaimLinkRow, findClaimLinkOfRow } from './claim-links.ts'
import {
  type ClaimLinkTenant,
  type LinkMaking,
  type MadeClaimLink,
  presentClaimLink,
  type StoredClaimLink,
  storedColumns,
} from './new-claim-links.ts'
import { endOffer } from './offers.ts'

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
    const found = await inState('open')
      .unionAll(inState('opened'))
      .unionAll(inState('collected'))
      .unionAll(inState('revoked'))
    for (const { state, count, over } of found) {
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
  'id' | 'row' | 'externalId' | 'userId' | 'expiresAt' | 'openedAt' | 'endedAt'
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
  const found = await db
    .select(listedColumns)
    .from(claimLinks)
    .where(and(ofBulk(tenantId, bulkId), inArray(claimLinks.row, rows)))
  return found.map((each) => ({ ...each, state: claimLinkStateOf(each, at) }))
}

/** Lists links of a bulk issuance in the order of their rows, after a row. */
export async function listClaimLinks(
  db: Reader,
  tenantId: string,
  bulkId: string,
  { state, after = 0, limit }: { state?: ShownLinkState; after?: number; limit: number },
  at: Date,
): Promise<ListedClaimLink[]> {
  const rows = await db
    .select(listedColumns)
    .from(claimLinks)
    .where(and(ofBulk(tenantId, bulkId), gt(claimLinks.row, after), state && isIn(state, at)))
    .orderBy(asc(claimLinks.row))
    .limit(limit)
  return rows.map((each) => ({ ...each, state: claimLinkStateOf(each, at) }))
}

const { id, row, externalId, userId, expiresAt, openedAt, endedAt } = claimLinks
const listedColumns = { id, row, externalId, userId, expiresAt, openedAt, endedAt, state: claimLinks.state }

/** A link with its sealed content, for its address and its transaction code. */
export type LinkResult = StoredClaimLink & Pick<ClaimLinkRow, 'externalId'>

/** Lists the results of a bulk issuance in the order of their rows, after a row. */
export async function listLinkResults(
  db: Reader,
  tenantId: string,
  bulkId: string,
  { after, limit }: { after: number; limit: number },
): Promise<LinkResult[]> {
  return db
    .select({ ...storedColumns, externalId })
    .from(claimLinks)
    .where(and(ofBulk(tenantId, bulkId), gt(row, after)))
    .orderBy(asc(row))
    .limit(limit)
}

/** Returns the bulk issuance that has a link of the configuration with which a credential can be collected at the moment. */
export async function findBulkWithLinks(
  db: Reader,
  tenantId: string,
  configurationId: string,
  at: Date,
): Promise<string | undefined> {
  // A tenant has few bulk issuances. One that has ended is kept for a time after the end of its last link.
  const mayHaveLinks = or(isNull(bulks.expiresAt), gt(bulks.expiresAt, plusMs(at, claimLinkKeptDays * dayMs)))
  const found = await db
    .select({ id: bulks.id, configurationIds: bulks.configurationIds })
    .from(bulks)
    .where(and(eq(bulks.tenantId, tenantId), eq(bulks.mode, 'links'), ne(bulks.state, 'removed'), mayHaveLinks))
  for (const { id: bulkId, configurationIds } of found) {
    if (!configurationIds.includes(configurationId)) continue
    for (const state of ['open', 'opened'] as const) {
      const usable = and(ofBulk(tenantId, bulkId), eq(claimLinks.state, state), gt(claimLinks.expiresAt, at))
      const links = await db.select({ id }).from(claimLinks).where(usable).limit(1)
      if (links.length > 0) return bulkId
    }
  }
  return undefined
}

function isIn(state: ShownLinkState, at: Date): SQL | undefined {
  if (state === 'expired')
    return and(withoutIndex(inArray(claimLinks.state, ['open', 'opened'])), lte(claimLinks.expiresAt, at))
  const isState = eq(claimLinks.state, state)
  return state === 'open' || state === 'opened' ? and(isState, gt(claimLinks.expiresAt, at)) : isState
}

/**
 * Revokes links of a bulk issuance that are not collected: those of the rows, or the next `limit`. Ends their offers and the tokens of
 * wallets. Returns how many were revoked. Call it with a limit until it returns 0.
 */
export async function revokeClaimLinks(
  tx: Writer,
  tenantId: string,
  bulkId: string,
  which: { rows: number[] } | { limit: number },
  at: Date,
): Promise<number> {
  const links = 'rows' in which ? await findOfRows(tx, tenantId, bulkId, which.rows) : []
  if ('limit' in which) {
    // One state after the other, as the index is sorted by state.
    for (const state of ['opened', 'open'] as const)
      links.push(...(await findInState(tx, tenantId, bulkId, state, which.limit - links.length)))
  }
  if (links.length === 0) return 0
  // The order of hold.ts: offers before links.
  for (const offerId of links.flatMap((link) => link.offerId ?? []).sort()) await endOffer(tx, tenantId, offerId)
  const ids = links.map(({ id }) => id)
  const revoked = await tx
    .update(claimLinks)
    .set({ state: 'revoked', endedAt: at })
    .where(
      and(
        eq(claimLinks.tenantId, tenantId),
        inArray(claimLinks.id, ids),
        inArray(claimLinks.state, ['open', 'opened']),
      ),
    )
    .returning({ id: claimLinks.id })
  return revoked.length
}

const toEnd = { id: claimLinks.id, offerId: claimLinks.offerId }

function findOfRows(tx: Writer, tenantId: string, bulkId: string, rows: number[]) {
  return tx
    .select(toEnd)
    .from(claimLinks)
    .where(and(ofBulk(tenantId, bulkId), inArray(claimLinks.row, rows)))
}

function findInState(tx: Writer, tenantId: string, bulkId: string, state: 'open' | 'opened', limit: number) {
  return tx
    .select(toEnd)
    .from(claimLinks)
    .where(and(ofBulk(tenantId, bulkId), eq(claimLinks.state, state)))
    .limit(limit)
}

/**
 * Gives the link of a row a new secret, a new transaction code and a new end. The old address is then invalid, and its offer ends.
 * Returns undefined if the row has no link or the link was collected.
 */
export async function renewClaimLink(
  tx: Writer,
  tenant: ClaimLinkTenant,
  { bulkId, row, expiresAt }: { bulkId: string; row: number; expiresAt: Date },
  making: LinkMaking,
): Promise<MadeClaimLink | undefined> {
  const link = await findClaimLinkOfRow(tx, tenant.id, bulkId, row)
  if (!link || link.sealedContent === null) return undefined
  const { id, offerId, transactionCode } = link
  if (offerId !== null && (await endOffer(tx, tenant.id, offerId)) === 'claimed') return undefined
  const { secrets } = making
  const generation = link.generation + 1
  const { claims } = openClaimLink(secrets, id, link.sealedContent)
  const content = { claims, ...(transactionCode && { transactionCode: newTransactionCode() }) }
  const renewed = {
    state: 'open' as const,
    generation,
    secretHash: hashSecret(claimLinkReferenceOf(secrets, { id, generation })),
    sealedContent: sealClaimLink(secrets, id, content),
    ...{ wrongCodes: 0, offerId: null, expiresAt, openedAt: null, endedAt: null },
  }
  const isSame = and(
    eq(claimLinks.tenantId, tenant.id),
    eq(claimLinks.id, id),
    eq(claimLinks.generation, link.generation),
    inArray(claimLinks.state, ['open', 'opened', 'revoked']),
  )
  const rows = await tx.update(claimLinks).set(renewed).where(isSame).returning({ id: claimLinks.id })
  return rows.length === 1 ? presentClaimLink(tenant, { ...link, ...renewed }, making) : undefined
}

function ofBulk(tenantId: string, bulkId: string): SQL | undefined {
  return and(eq(claimLinks.tenantId, tenantId), eq(claimLinks.bulkId, bulkId))
}
