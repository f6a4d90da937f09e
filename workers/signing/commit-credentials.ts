import type { Writer } from '../../db/client.ts'
import { isUniqueViolation } from '../../db/engine/unique-violation.ts'
import { holdColumns } from '../../db/hold.ts'
import { addToOutbox, type OutboxEntry } from '../../db/outbox.ts'
import { holdInUse } from '../../db/repos/certificates/signers.ts'
import { insertStored } from '../../db/repos/credentials/stored.ts'
import { collectClaimLink } from '../../db/repos/issuance/claim-links/claim-links.ts'
import {
  claimSession,
  finishIssuance,
  insertCredentials,
  insertIssued,
  type RefusedIssuance,
  refuseIssuances,
  type UnwrittenIssuance,
} from '../../db/repos/issuance/issuances.ts'
import { claimOffer } from '../../db/repos/issuance/offers/offers.ts'
import { takeCredentials } from '../../db/repos/issuance/sessions/sessions.ts'
import { byHash, insertSpentProofs } from '../../db/repos/issuance/sessions/spent-proofs.ts'
import { isReceived } from '../../db/repos/operations/webhooks/webhooks.ts'
import { insertEntries } from '../../db/repos/status/lists.ts'
import type { Refusal } from '../../db/tables/issuance/issuances.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import type { SignedIssuance } from './build-credentials.ts'
import type { SigningDeps } from './deps.ts'
import { type NotWritten, writeRequests } from './unwritten-issuances.ts'

interface Batch {
  tenantId: string
  signed: SignedIssuance[]
  /** The issuances that cannot be signed. */
  refused: RefusedToCommit[]
  /** The trace of each issuance, if it has one. */
  traceparents: ReadonlyMap<string, string | undefined>
}

/** An issuance that cannot be signed, with what the commit writes if it has no row. */
export type RefusedToCommit = RefusedIssuance & { unwritten?: UnwrittenIssuance }

/** The outcome of a batch, by the ids of issuances. An issuance in neither set is unchanged or has no row. */
export interface Committed {
  issued: Set<string>
  refused: Set<string>
  /** The reasons why signed issuances were refused. */
  losses: ReadonlyMap<string, Loss>
  /** The requests without a row. They are in neither set. */
  notWritten: ReadonlyMap<string, NotWritten>
}

/**
 * The reason why a signed issuance is refused: its credential was collected, its session has collected its maximum, or the claim link of
 * its offer was revoked or has a newer offer.
 */
export type Loss = 'collected' | 'too_many' | 'claim_link'

/** The reasons in the rows of issuances. */
export const refusalOfLoss: Record<Loss, Refusal> = {
  collected: { check: 'collected_once', reason: 'The credential was collected before' },
  too_many: { check: 'batch_size', reason: 'The access token has collected the maximum number of credentials' },
  claim_link: { check: 'claim_link', reason: 'The claim link was revoked or opened again' },
}
const sessionEnded: Refusal = { check: 'access_token', reason: 'The session ended before the credential was signed' }

/**
 * Commits a batch in one transaction, with one message for all proofs, issuances and claims of offers and sessions. If any of them fails, or
 * a request is refused, the transaction rolls back and the items are committed one by one. An item whose claim fails leaves nothing.
 */
export async function commitCredentials({ db, clock }: SigningDeps, batch: Batch): Promise<Committed> {
  const inOrder = { ...batch, signed: batch.signed.toSorted(byOffer) }
  try {
    return await db.tx((tx) => commitTogether(tx, inOrder, clock.now()))
  } catch (error) {
    if (!(error instanceof ClaimFailed || isUniqueViolation(error))) throw error
    return db.tx((tx) => commitOneByOne(tx, inOrder, clock.now()))
  }
}

/** Another request claimed the offer, issuance or session of an item. */
class ClaimFailed extends Error {}

async function commitTogether(tx: Writer, batch: Batch, at: Date): Promise<Committed> {
  const { tenantId, signed, refused } = batch
  const certificateIds = new Set(signed.flatMap((each) => each.certificateIds))
  if (refused.some(({ unwritten }) => unwritten)) throw new ClaimFailed()
  const offerIds = offersToClaim(signed)
  const uses = signed.flatMap(({ unwritten }) => unwritten?.uses ?? []).sort(byHash)
  // The rows are locked in the order of hold.ts.
  const [hasReceiver, inUse, claimedOffers, , claimed] = await Promise.all([
    isReceived(tx, tenantId, 'issuance'),
    holdInUse(tx, tenantId, [...certificateIds]),
    Promise.all([...offerIds].map((id) => claimOffer(tx, tenantId, id))),
    insertSpentProofs(tx, tenantId, uses),
    Promise.all([
      ...signed.map((each) => writeIssued(tx, each, at)),
      ...signed.filter(isOfAuthorization).map((each) => take(tx, each)),
      ...signed.map((each) => claimSession(tx, claimOf(each)).then((isFirst) => isFirst || isOfAuthorization(each))),
    ]),
  ])
  if (inUse.size < certificateIds.size || claimedOffers.includes(undefined) || claimed.includes(false))
    throw new ClaimFailed()
  const collected = await collectLinks(tx, tenantId, claimedOffers, at)
  if (collected.includes(false)) throw new ClaimFailed()
  const ended = await refuseIssuances(tx, tenantId, refused, at)
  const losses = new Map<string, Loss>()
  return insertCommitted(tx, batch, { issued: signed, ended, losses, notWritten: new Map(), hasReceiver }, at)
}

function writeIssued(tx: Writer, { issuance, unwritten, sealed }: SignedIssuance, at: Date): Promise<boolean> {
  return unwritten ? insertIssued(tx, unwritten.issuance, sealed, at) : finishIssuance(tx, issuance, sealed, at)
}

/**
 * Commits the items that can be claimed. An issuance that is `requested` but cannot be finished has lost its session and is refused. An item
 * whose certificate or authority was revoked or deactivated meanwhile is not written. It can be requested again, with another signer.
 */
async function commitOneByOne(tx: Writer, batch: Batch, at: Date): Promise<Committed> {
  const { tenantId, signed, refused } = batch
  const issued: SignedIssuance[] = []
  const losses = new Map<string, Loss>()
  const unfinished: RefusedIssuance[] = []
  const certificateIds = signed.flatMap((each) => each.certificateIds)
  const inUse = await holdInUse(tx, tenantId, certificateIds)
  const valid = signed.filter((each) => each.certificateIds.every((id) => inUse.has(id)))
  // The lock order of hold.ts: all offers before the first session. An offer is claimed only with a finished issuance.
  const held = new Map<string, { claimLinkId: string | null } | undefined>()
  for (const id of offersToClaim(valid)) held.set(id, await holdColumns(tx, offers, tenantId, id))
  const notWritten = await writeRequests(
    tx,
    [...valid, ...refused].flatMap(({ unwritten }) => unwritten ?? []),
  )
  for (const each of valid) {
    const { issuance } = each
    if (notWritten.has(issuance.id)) continue
    if (!(await finishIssuance(tx, issuance, each.sealed, at))) {
      unfinished.push({ id: issuance.id, refusal: sessionEnded })
      continue
    }
    const outcome = await claim(tx, each, held, at)
    if (outcome === 'claimed') issued.push(each)
    else losses.set(issuance.id, outcome)
  }
  const lost = [...losses].map(([id, loss]) => ({ id, refusal: refusalOfLoss[loss], isLost: true }))
  const ended = await refuseIssuances(tx, tenantId, [...refused, ...unfinished, ...lost], at)
  const hasReceiver = await isReceived(tx, tenantId, 'issuance')
  return insertCommitted(tx, batch, { issued, ended, losses, notWritten, hasReceiver }, at)
}

/** Claims offer and session of one issuance. The first credential of a configuration is always allowed, others while the session has some left. */
async function claim(
  tx: Writer,
  each: SignedIssuance,
  held: ReadonlyMap<string, { claimLinkId: string | null } | undefined>,
  at: Date,
): Promise<'claimed' | Loss> {
  const { issuance } = each
  const offerId = offerToClaim(issuance)
  if (offerId !== undefined) {
    const claimLinkId = held.get(offerId)?.claimLinkId ?? null
    // The links are collected before the offer, which is not claimed if its link is revoked or has a newer offer.
    const collected = await collectLinks(tx, issuance.tenantId, [{ id: offerId, claimLinkId }], at)
    if (collected.includes(false)) return 'claim_link'
    if (!(await claimOffer(tx, issuance.tenantId, offerId))) return 'collected'
  }
  const isFirst = await claimSession(tx, claimOf(each))
  if (isOfAuthorization(each)) return (await take(tx, each, { isFirst })) ? 'claimed' : 'too_many'
  return isFirst ? 'claimed' : 'collected'
}

/** Marks the links of offers as collected. Returns for each link whether its credential may be issued. */
function collectLinks(
  tx: Writer,
  tenantId: string,
  claimed: ({ id: string; claimLinkId: string | null } | undefined)[],
  at: Date,
): Promise<boolean[]> {
  const links = claimed.flatMap((offer) =>
    offer && offer.claimLinkId !== null ? [{ id: offer.claimLinkId, offerId: offer.id }] : [],
  )
  return Promise.all(links.map((link) => collectClaimLink(tx, tenantId, link, at)))
}

function take(tx: Writer, { issuance, credentials }: SignedIssuance, options?: { isFirst: boolean }): Promise<boolean> {
  return takeCredentials(tx, issuance.tenantId, issuance.sessionId, credentials.length, options)
}

interface Outcome extends Pick<Committed, 'losses' | 'notWritten'> {
  issued: SignedIssuance[]
  ended: string[]
  /** Whether a webhook or listener of the tenant receives issuances. */
  hasReceiver: boolean
}

async function insertCommitted(
  tx: Writer,
  { tenantId, traceparents }: Batch,
  { issued, ended, losses, notWritten, hasReceiver }: Outcome,
  at: Date,
): Promise<Committed> {
  await insertStored(
    tx,
    issued.flatMap(({ stored }) => stored),
  )
  await insertCredentials(
    tx,
    issued.flatMap(({ records }) => records),
  )
  await insertEntries(
    tx,
    issued.flatMap(({ entries }) => entries),
  )
  const ids = issued.map(idOf)
  const events = ids.map((id): OutboxEntry<'fanOut'> => {
    const traceparent = traceparents.get(id)
    return { id, payload: { tenantId, kind: 'issuance', subjectId: id, ...(traceparent && { traceparent }) } }
  })
  if (hasReceiver) await addToOutbox(tx, 'fanOut', events, at)
  return { issued: new Set(ids), refused: new Set(ended), losses, notWritten }
}

function idOf({ issuance }: SignedIssuance): string {
  return issuance.id
}

/** A session of an authorization can collect again while it has credentials left (db/tables/issuance/sessions.ts). */
function isOfAuthorization({ issuance }: SignedIssuance): boolean {
  return issuance.authorizationId !== null
}

/** A shared offer is not claimed. */
function offerToClaim({ offerId, authorizationId }: SignedIssuance['issuance']): string | undefined {
  return authorizationId === null ? (offerId ?? undefined) : undefined
}

/** Returns each offer once, in the order of the issuances. */
function offersToClaim(signed: SignedIssuance[]): Set<string> {
  return new Set(signed.flatMap(({ issuance }) => offerToClaim(issuance) ?? []))
}

function claimOf({ issuance: { id, tenantId, sessionId, configurationId } }: SignedIssuance) {
  return { tenantId, sessionId, configurationId, issuanceId: id }
}

/**
 * Defines the lock order (hold.ts). Two batches often have items of the same offers and sessions. Other transactions lock sessions by their
 * ids.
 */
function byOffer({ issuance: left }: SignedIssuance, { issuance: right }: SignedIssuance): number {
  const [a, b] = [left, right].map((issuance) =>
    [offerToClaim(issuance), issuance.sessionId, issuance.configurationId, issuance.id].join(' '),
  ) as [string, string]
  return a < b ? -1 : a > b ? 1 : 0
}
