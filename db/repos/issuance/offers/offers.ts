import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { constant, param, paramOf, prepared, preparedInsert } from '../../../engine/prepared.ts'
import { findRow } from '../../../find-row.ts'
import { hold } from '../../../hold.ts'
import { type OfferState, offers } from '../../../tables/issuance/offers.ts'
import { sharedOfferConfigurations, sharedOffers } from '../../../tables/issuance/shared-offers.ts'
import { isBulkOfOfferActive } from '../claim-links/active-bulk.ts'
import { countWrongCodeOfLink } from '../claim-links/claim-links.ts'
import { deleteSessions } from '../sessions/sessions.ts'

export type OfferRow = typeof offers.$inferSelect

const insertRows = preparedInsert('insert_offers', offers)

export async function insertOffer(tx: Writer, offer: OfferRow): Promise<void> {
  await insertRows(tx, [offer])
}

const toRedeemById = prepared('offer_to_redeem', (db) =>
  db
    .select({
      id: offers.id,
      userId: offers.userId,
      state: offers.state,
      configurationIds: offers.configurationIds,
      codeHash: offers.codeHash,
      viewId: offers.viewId,
      transactionCodeMac: offers.transactionCodeMac,
      sessionId: offers.sessionId,
      traceparent: offers.traceparent,
      expiresAt: offers.expiresAt,
    })
    .from(offers)
    .where(and(inRow(offers.tenantId, param('tenantId')), eq(offers.id, param('id')))),
)

/** The columns of an offer for the token endpoint, without its claims, which can be large. */
export type OfferToRedeem = NonNullable<Awaited<ReturnType<typeof findOfferToRedeem>>>

export async function findOfferToRedeem(db: Reader, tenantId: string, id: string) {
  const [row] = await toRedeemById(db, { tenantId, id })
  return row
}

const spend = prepared('spend_offer', (tx) =>
  tx
    .update(offers)
    .set({ state: 'spent', sessionId: paramOf(offers.sessionId, 'sessionId') })
    .where(
      and(
        inRow(offers.tenantId, param('tenantId')),
        eq(offers.id, param('id')),
        eq(offers.state, constant('usable')),
        gt(offers.expiresAt, paramOf(offers.expiresAt, 'at')),
        isBulkOfOfferActive(tx),
      ),
    )
    .returning({ id: offers.id }),
)

/**
 * Exchanges the code for a session: `usable` -> `spent`. Returns false if the offer is expired or not usable, or if the bulk issuance of
 * its claim link is removed.
 */
export async function spendOffer(
  tx: Writer,
  tenantId: string,
  id: string,
  sessionId: string,
  at: Date,
): Promise<boolean> {
  const spent = await spend(tx, { tenantId, id, sessionId, at })
  return spent.length === 1
}

const spendByCode = prepared('spend_offer_by_code', (tx) =>
  tx
    .update(offers)
    .set({ state: 'spent', sessionId: paramOf(offers.sessionId, 'sessionId') })
    .where(
      and(
        inRow(offers.tenantId, param('tenantId')),
        eq(offers.id, param('id')),
        inRow(offers.codeHash, param('codeHash')),
        sql`${offers.viewId} is not distinct from ${paramOf(offers.viewId, 'viewId')}`,
        isNull(offers.transactionCodeMac),
        or(
          and(inRow(offers.state, constant('usable')), gt(offers.expiresAt, paramOf(offers.expiresAt, 'at'))),
          and(inRow(offers.state, constant('spent')), inRow(offers.sessionId, param('sessionId'))),
        ),
        isBulkOfOfferActive(tx),
      ),
    )
    .returning({ userId: offers.userId, configurationIds: offers.configurationIds, traceparent: offers.traceparent }),
)

/**
 * Spends an offer without a transaction code like `spendOffer`, and also checks the code and the view. May run again for the same session
 * after a commit whose response was lost (`Database.txAtOnce`). Returns undefined if the offer cannot be spent this way.
 */
export async function spendOfferByCode(
  tx: Writer,
  tenantId: string,
  id: string,
  { codeHash, viewId, sessionId }: { codeHash: string; viewId: string | null; sessionId: string },
  at: Date,
): Promise<Pick<OfferRow, 'userId' | 'configurationIds' | 'traceparent'> | undefined> {
  const [spent] = await spendByCode(tx, { tenantId, id, codeHash, viewId, sessionId, at })
  return spent
}

const maxWrongTransactionCodes = 3

/**
 * Checks a transaction code. The same statement counts a wrong code, so concurrent guesses have no advantage
 * (OpenID4VCI 1.0, section 13.6.1). The third wrong code ends a usable offer. If the pre-authorized code was exchanged
 * already, the token stays valid, and later codes are not checked. The wrong codes of a claim link are counted over all its offers.
 */
export async function checkTransactionCode(
  tx: Writer,
  tenantId: string,
  id: string,
  isRight: boolean,
  at: Date,
): Promise<'right' | 'wrong' | 'not checked'> {
  const offer = and(inRow(offers.tenantId, tenantId), eq(offers.id, id))
  const [counted] = await tx
    .update(offers)
    .set({ wrongTransactionCodes: sql`${offers.wrongTransactionCodes} + ${isRight ? 0 : 1}` })
    .where(
      and(
        offer,
        inArray(offers.state, ['usable', 'spent', 'claimed']),
        lt(offers.wrongTransactionCodes, maxWrongTransactionCodes),
      ),
    )
    .returning({ wrong: offers.wrongTransactionCodes, claimLinkId: offers.claimLinkId })
  if (!counted) return 'not checked'
  if (isRight) return 'right'
  if (counted.wrong >= maxWrongTransactionCodes) {
    await tx
      .update(offers)
      .set({ state: 'ended' })
      .where(and(offer, eq(offers.state, 'usable')))
  }
  if (counted.claimLinkId !== null) await countWrongCodeOfLink(tx, tenantId, counted.claimLinkId, at)
  return 'wrong'
}

/** Revokes the token from the code of an offer (RFC 6749, section 4.1.2). An offer without a credential ends with its token. */
export async function revokeOfferSession(
  tx: Writer,
  tenantId: string,
  offerId: string,
  sessionId: string,
): Promise<void> {
  await tx
    .update(offers)
    .set({ state: 'ended' })
    .where(and(inRow(offers.tenantId, tenantId), eq(offers.id, offerId), eq(offers.state, 'spent')))
  await deleteSessions(tx, tenantId, { id: sessionId })
}

/**
 * Ends an offer and the token that a wallet has from it, before its claim link makes another offer. An offer for which a credential was
 * issued stays. Returns its earlier state, or undefined if it does not exist. Locks the offer until the transaction ends.
 */
export async function endOffer(tx: Writer, tenantId: string, id: string): Promise<OfferState | undefined> {
  const offer = await hold(tx, offers, tenantId, id)
  if (offer?.state === 'usable') await deleteOffer(tx, tenantId, id)
  if (offer?.state === 'spent' && offer.sessionId !== null) await revokeOfferSession(tx, tenantId, id, offer.sessionId)
  return offer?.state
}

const claim = prepared('claim_offer', (tx) =>
  tx
    .update(offers)
    .set({ state: 'claimed' })
    .where(
      and(
        inRow(offers.tenantId, param('tenantId')),
        eq(offers.id, param('id')),
        inArray(offers.state, ['spent', 'claimed']),
      ),
    )
    .returning({ id: offers.id, claimLinkId: offers.claimLinkId }),
)

/** Marks that a credential is issued: `spent` or `claimed` -> `claimed`. Returns undefined if the offer does not exist. */
export async function claimOffer(
  tx: Writer,
  tenantId: string,
  id: string,
): Promise<Pick<OfferRow, 'id' | 'claimLinkId'> | undefined> {
  const [claimed] = await claim(tx, { tenantId, id })
  return claimed
}

export async function deleteOffer(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(offers)
    .where(and(inRow(offers.tenantId, tenantId), eq(offers.id, id)))
    .returning({ id: offers.id })
  return rows.length === 1
}

export type SharedOfferRow = typeof sharedOffers.$inferSelect

export async function insertSharedOffer(tx: Writer, offer: SharedOfferRow): Promise<void> {
  const { id: offerId, tenantId, createdAt } = offer
  await tx.insert(sharedOffers).values(offer)
  await tx
    .insert(sharedOfferConfigurations)
    .values(offer.configurationIds.map((configurationId) => ({ tenantId, configurationId, offerId, createdAt })))
}

/** Finds a shared offer, also a deleted one. */
export function findSharedOffer(db: Reader, tenantId: string, id: string): Promise<SharedOfferRow | undefined> {
  return findRow(db, sharedOffers, tenantId, id)
}

/**
 * Marks a shared offer as deleted. No authorization can begin with it, and its configurations can be deleted. Returns
 * false if it does not exist or is deleted already.
 */
export async function deleteSharedOffer(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
  const [deleted] = await tx
    .update(sharedOffers)
    .set({ deletedAt: at, requestParameters: {}, label: null })
    .where(and(inRow(sharedOffers.tenantId, tenantId), eq(sharedOffers.id, id), isNull(sharedOffers.deletedAt)))
    .returning({ configurationIds: sharedOffers.configurationIds, createdAt: sharedOffers.createdAt })
  if (!deleted) return false
  await tx
    .delete(sharedOfferConfigurations)
    .where(
      and(
        eq(sharedOfferConfigurations.tenantId, tenantId),
        inArray(sharedOfferConfigurations.configurationId, deleted.configurationIds),
        eq(sharedOfferConfigurations.createdAt, deleted.createdAt),
        eq(sharedOfferConfigurations.offerId, id),
      ),
    )
  return true
}
