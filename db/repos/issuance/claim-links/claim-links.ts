import { and, asc, eq, getTableColumns, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { LinkSignIn } from '../../../../shared/domain/issuance/claim-links.ts'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { param, paramOf, prepared } from '../../../engine/prepared.ts'
import { bulkIssuances } from '../../../tables/issuance/bulk-issuances.ts'
import { claimLinks, maxWrongCodesOfLink } from '../../../tables/issuance/claim-links.ts'
import { isBulkOfLinkActive } from './active-bulk.ts'

export type ClaimLinkRow = typeof claimLinks.$inferSelect

/** A link with the view of its offers, which its bulk issuance has. */
export type ClaimLinkWithView = ClaimLinkRow & Pick<typeof bulkIssuances.$inferSelect, 'viewId'>

/**
 * The columns of a link. A signing process of a version that did not know the sign-in made links without it. Those have the sign-in of
 * their bulk issuance.
 */
const columns = {
  ...getTableColumns(claimLinks),
  signIn: sql<LinkSignIn | null>`coalesce(${claimLinks.signIn}, ${bulkIssuances.signIn})`.mapWith(claimLinks.signIn),
  viewId: bulkIssuances.viewId,
}
const isBulkOfLink = and(inRow(bulkIssuances.tenantId, claimLinks.tenantId), eq(bulkIssuances.id, claimLinks.bulkId))

const byId = prepared('claim_link', (db) =>
  db
    .select(columns)
    .from(claimLinks)
    .leftJoin(bulkIssuances, isBulkOfLink)
    .where(and(inRow(claimLinks.tenantId, param('tenantId')), eq(claimLinks.id, param('id')))),
)

export async function findClaimLink(db: Reader, tenantId: string, id: string): Promise<ClaimLinkWithView | undefined> {
  const [row] = await byId(db, { tenantId, id })
  return row
}

/** Finds the link of a row of a bulk issuance. */
export async function findClaimLinkOfRow(
  db: Reader,
  tenantId: string,
  bulkId: string,
  row: number,
): Promise<ClaimLinkWithView | undefined> {
  const [link] = await findClaimLinksOfRows(db, tenantId, bulkId, [row])
  return link
}

/** Finds the links of rows of a bulk issuance, in the order of their ids. */
export function findClaimLinksOfRows(
  db: Reader,
  tenantId: string,
  bulkId: string,
  rows: number[],
): Promise<ClaimLinkWithView[]> {
  return db
    .select(columns)
    .from(claimLinks)
    .leftJoin(bulkIssuances, isBulkOfLink)
    .where(and(eq(claimLinks.tenantId, tenantId), eq(claimLinks.bulkId, bulkId), inArray(claimLinks.row, rows)))
    .orderBy(asc(claimLinks.id))
}

/**
 * Makes an offer the newest of its link: `open` or `opened` -> `opened`. Returns false if the link has ended, was renewed, or is of
 * a removed bulk issuance, or if another opening was faster. The caller then rolls back.
 */
export async function openLink(
  tx: Writer,
  { tenantId, id, generation, offerId: before }: Pick<ClaimLinkRow, 'tenantId' | 'id' | 'generation' | 'offerId'>,
  { offerId, userId, at }: { offerId: string; userId: string | null; at: Date },
): Promise<boolean> {
  const isSameOffer = before === null ? isNull(claimLinks.offerId) : eq(claimLinks.offerId, before)
  const rows = await tx
    .update(claimLinks)
    .set({ state: 'opened', offerId, userId, openedAt: at })
    .where(
      and(
        inRow(claimLinks.tenantId, tenantId),
        eq(claimLinks.id, id),
        inArray(claimLinks.state, ['open', 'opened']),
        eq(claimLinks.generation, generation),
        isSameOffer,
        gt(claimLinks.expiresAt, at),
        isBulkOfLinkActive(tx),
      ),
    )
    .returning({ id: claimLinks.id })
  return rows.length === 1
}

const collect = prepared('collect_claim_link', (tx) =>
  tx
    .update(claimLinks)
    .set({ state: 'collected', sealedContent: null, endedAt: paramOf(claimLinks.endedAt, 'at') })
    .where(
      and(
        inRow(claimLinks.tenantId, param('tenantId')),
        eq(claimLinks.id, param('id')),
        inRow(claimLinks.offerId, param('offerId')),
        inArray(claimLinks.state, ['opened', 'collected']),
        isBulkOfLinkActive(tx),
      ),
    )
    .returning({ id: claimLinks.id }),
)

/**
 * Marks a link as collected and removes its claims. Returns false if the offer is not the newest of the link, the link is revoked, or
 * its bulk issuance is removed. The credential must then not be issued. An offer of several configurations collects its link several times.
 */
export async function collectClaimLink(
  tx: Writer,
  tenantId: string,
  { id, offerId }: { id: string; offerId: string },
  at: Date,
): Promise<boolean> {
  const rows = await collect(tx, { tenantId, id, offerId, at })
  return rows.length === 1
}

/** Counts a wrong transaction code of an offer of the link. Too many revoke the link. */
export async function countWrongCodeOfLink(tx: Writer, tenantId: string, id: string, at: Date): Promise<void> {
  const link = and(inRow(claimLinks.tenantId, tenantId), eq(claimLinks.id, id))
  const [counted] = await tx
    .update(claimLinks)
    .set({ wrongCodes: sql`${claimLinks.wrongCodes} + 1` })
    .where(link)
    .returning({ wrong: claimLinks.wrongCodes })
  if (!counted || counted.wrong < maxWrongCodesOfLink) return
  await tx
    .update(claimLinks)
    .set({ state: 'revoked', endedAt: at })
    .where(and(link, inArray(claimLinks.state, ['open', 'opened'])))
}

/**
 * Gives an opened link to the person who has signed in. Returns false if it is of another person, has ended, or has a newer offer. The
 * caller then rolls back.
 */
export async function assignLink(
  tx: Writer,
  tenantId: string,
  { id, offerId, userId }: { id: string; offerId: string; userId: string },
  at: Date,
): Promise<boolean> {
  const rows = await tx
    .update(claimLinks)
    .set({ userId })
    .where(
      and(
        inRow(claimLinks.tenantId, tenantId),
        eq(claimLinks.id, id),
        eq(claimLinks.offerId, offerId),
        inRow(claimLinks.state, 'opened'),
        or(isNull(claimLinks.userId), eq(claimLinks.userId, userId)),
        gt(claimLinks.expiresAt, at),
        isBulkOfLinkActive(tx),
      ),
    )
    .returning({ id: claimLinks.id })
  return rows.length === 1
}
