import type { Writer } from '../../db/client.ts'
import { holdColumns } from '../../db/hold.ts'
import { addToOutbox, type OutboxEntry } from '../../db/outbox.ts'
import { holdInUse } from '../../db/repos/certificates/signers.ts'
import { insertStored } from '../../db/repos/credentials/stored.ts'
import { claimSession, finishIssuance, insertCredentials, refuseIssuances } from '../../db/repos/issuance/issuances.ts'
import { claimOffer } from '../../db/repos/issuance/offers.ts'
import { takeCredentials } from '../../db/repos/issuance/sessions.ts'
import { insertEntries } from '../../db/repos/status/lists.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import type { SignedIssuance } from './build-credentials.ts'
import type { SigningDeps } from './deps.ts'

interface Batch {
  tenantId: string
  signed: SignedIssuance[]
  /** Those that cannot be signed. */
  refused: string[]
}

/** What became of a batch, by the ids of issuances; one that is in neither is as it was. */
export interface Committed {
  issued: Set<string>
  refused: Set<string>
  /** Those of the refused whose sessions have collected as many credentials as they may. */
  tooMany: Set<string>
}

/**
 * Writes results in one transaction; whoever lost a race for its issuance, offer or session gets nothing, and nothing of it stays.
 * Nearly always nobody did: all is claimed in one message, and what one of them lost undoes it for all, who then go one by one.
 */
export async function commitCredentials({ db, clock }: SigningDeps, batch: Batch): Promise<Committed> {
  const inOrder = { ...batch, signed: batch.signed.toSorted(byOffer) }
  try {
    return await db.tx((tx) => commitTogether(tx, inOrder, clock.now()))
  } catch (error) {
    if (!(error instanceof Lost)) throw error
    return db.tx((tx) => commitOneByOne(tx, inOrder, clock.now()))
  }
}

/** One of a batch came too late. */
class Lost extends Error {}

async function commitTogether(tx: Writer, { tenantId, signed, refused }: Batch, at: Date): Promise<Committed> {
  const certificateIds = new Set(signed.flatMap((each) => each.certificateIds))
  const offerIds = offersToClaim(signed)
  // In the order of hold.ts.
  const [inUse, ...claimed] = await Promise.all([
    holdInUse(tx, tenantId, [...certificateIds]),
    ...[...offerIds].map((id) => claimOffer(tx, tenantId, id)),
    ...signed.map(({ issuance, sealed }) => finishIssuance(tx, issuance, sealed, at)),
    ...signed.filter(isOfAuthorization).map((each) => take(tx, each)),
    ...signed.map((each) => claimSession(tx, claimOf(each)).then((isFirst) => isFirst || isOfAuthorization(each))),
  ])
  if (inUse.size < certificateIds.size || claimed.includes(false)) throw new Lost()
  const ended = await refuseIssuances(tx, tenantId, { requested: refused, lost: [] }, at)
  return insertIssued(tx, tenantId, { issued: signed, ended, lost: [] }, at)
}

/**
 * What is still `requested` although it could not be finished has lost its session: nobody could collect it. What was signed by a certificate
 * that was revoked or made inactive meanwhile, or whose authority was, is not written; it can be asked for again, and another one signs it.
 */
async function commitOneByOne(tx: Writer, { tenantId, signed, refused }: Batch, at: Date): Promise<Committed> {
  const issued: SignedIssuance[] = []
  const lost: SignedIssuance[] = []
  const unfinished: string[] = []
  const certificateIds = signed.flatMap((each) => each.certificateIds)
  const inUse = await holdInUse(tx, tenantId, certificateIds)
  const valid = signed.filter((each) => each.certificateIds.every((id) => inUse.has(id)))
  // All offers before the first session, in the order of hold.ts. Each is claimed only with an issuance that is finished.
  for (const id of offersToClaim(valid)) await holdColumns(tx, offers, tenantId, id)
  for (const each of valid) {
    const { issuance } = each
    if (!(await finishIssuance(tx, issuance, each.sealed, at))) {
      unfinished.push(issuance.id)
      continue
    }
    if (await claim(tx, each)) issued.push(each)
    else lost.push(each)
  }
  const ends = { requested: [...refused, ...unfinished], lost: lost.map(idOf) }
  const ended = await refuseIssuances(tx, tenantId, ends, at)
  return insertIssued(tx, tenantId, { issued, ended, lost }, at)
}

/** One issuance's right to be. Each configuration of an authorization is issued once in any case, and again while something is left. */
async function claim(tx: Writer, each: SignedIssuance): Promise<boolean> {
  const { issuance } = each
  const offerId = offerToClaim(issuance)
  if (offerId !== undefined && !(await claimOffer(tx, issuance.tenantId, offerId))) return false
  const isFirst = await claimSession(tx, claimOf(each))
  return isOfAuthorization(each) ? take(tx, each, { isFirst }) : isFirst
}

function take(tx: Writer, { issuance, credentials }: SignedIssuance, options?: { isFirst: boolean }): Promise<boolean> {
  return takeCredentials(tx, issuance.tenantId, issuance.sessionId, credentials.length, options)
}

async function insertIssued(
  tx: Writer,
  tenantId: string,
  { issued, ended, lost }: { issued: SignedIssuance[]; ended: string[]; lost: SignedIssuance[] },
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
    return { id, payload: { tenantId, kind: 'issuance', subjectId: id } }
  })
  await addToOutbox(tx, 'fanOut', events, at)
  const tooMany = lost.filter(isOfAuthorization).map(idOf)
  return { issued: new Set(ids), refused: new Set(ended), tooMany: new Set(tooMany) }
}

function idOf({ issuance }: SignedIssuance): string {
  return issuance.id
}

/** Such a session collects again as long as it has credentials left (db/tables/issuance/sessions.ts). */
function isOfAuthorization({ issuance }: SignedIssuance): boolean {
  return issuance.authorizationId !== null
}

/** An offer that is shared is not used up. */
function offerToClaim({ offerId, authorizationId }: SignedIssuance['issuance']): string | undefined {
  return authorizationId === null ? (offerId ?? undefined) : undefined
}

/** Each once, in their order. */
function offersToClaim(signed: SignedIssuance[]): Set<string> {
  return new Set(signed.flatMap(({ issuance }) => offerToClaim(issuance) ?? []))
}

function claimOf({ issuance: { id, tenantId, sessionId, configurationId } }: SignedIssuance) {
  return { tenantId, sessionId, configurationId, issuanceId: id }
}

/**
 * Two batches often have credentials of the same offers and sessions: each takes these in the same order (hold.ts), and sessions, which
 * others change too, by their own ids.
 */
function byOffer({ issuance: left }: SignedIssuance, { issuance: right }: SignedIssuance): number {
  const [a, b] = [left, right].map((issuance) =>
    [offerToClaim(issuance), issuance.sessionId, issuance.configurationId, issuance.id].join(' '),
  ) as [string, string]
  return a < b ? -1 : a > b ? 1 : 0
}
