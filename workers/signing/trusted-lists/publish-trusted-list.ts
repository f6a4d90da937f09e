import type { Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import { findPolicyParticipants } from '../../../db/listed-participants.ts'
import { publishParticipantPolicy } from '../../../db/participant-policy.ts'
import { holdInUse } from '../../../db/repos/certificates/signers.ts'
import { takeAutomaticIssue } from '../../../db/repos/ecosystems/automatic-trusted-lists.ts'
import {
  holdTrustedListConfiguration,
  raiseLastNumber,
} from '../../../db/repos/ecosystems/trusted-list-configurations.ts'
import { fillTrustedList, findTrustedListRow, insertTrustedList } from '../../../db/repos/ecosystems/trusted-lists.ts'
import { appendToAudit } from '../../../db/repos/operations/audit.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { Problem } from '../../../shared/errors.ts'
import { trustedListKinds } from '../../../shared/formats/trusted-lists/kinds.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { createInTurn } from '../../../shared/in-turn.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { CertificateDeps } from '../certificates/deps.ts'
import type { Signer } from '../certificates/known-signers.ts'
import { trustedListSigner } from '../certificates/signers.ts'
import { type Draft, dateOfNext, draftList, findSource, isSame } from './draft.ts'
import type { ListDrafter } from './draft-beside.ts'

/** What lists are published with. */
export interface TrustedListDeps extends CertificateDeps {
  draftBeside: ListDrafter
}

/**
 * Numbers, signs and publishes a list whose row is there, and its policy where its kind has one, in one transaction: all of it is
 * public, or nothing, and its number is the one after the last. Does nothing when that was done, or the list was called off. Throws `bad_request`, which
 * says what is missing, and `conflict` for what cannot be listed.
 */
export async function publishTrustedList(
  deps: TrustedListDeps,
  { tenantId, listId }: Payload<'publishTrustedList'>,
): Promise<Record<string, never>> {
  const asked = await findTrustedListRow(deps.db.read, tenantId, listId)
  if (!asked) return {}
  await inTurn([asked.ecosystemId, asked.kind].join(' '), async () => {
    // It may have been called off while it waited.
    const row = await findTrustedListRow(deps.db.read, tenantId, listId)
    if (row?.number === null) await numberSignAndPublish(deps, row)
  })
  return {}
}

/** Drafts of one process do not overtake each other; those of several do, which costs them a draft. */
const inTurn = createInTurn()

/** What is to be published. One that is published by itself has no row yet. */
export type AskedList = Parameters<typeof insertTrustedList>[1]

/**
 * In one transaction, which makes the row of a list that is published by itself: that does nothing where none is due any more. The
 * list is signed before it, so that nobody waits for that; where something has changed meanwhile, once more; and where it has
 * again, within the transaction, which then comes before other changes.
 */
export async function numberSignAndPublish(deps: TrustedListDeps, asked: AskedList): Promise<void> {
  const { db, clock, knownSigners, draftBeside } = deps
  const signer = await trustedListSigner(deps, asked)
  try {
    for (let attempt = 1; attempt <= mostDrafts; attempt++) {
      const source = await findSource(db.read, asked)
      const date = await dateOfNext(db.read, asked, clock.now())
      // One that was overtaken has no time to lose.
      const drafter = attempt === 1 ? draftBeside : draftList
      const draft = source && (await drafter(db.read, source, { signer, date }))
      if (await db.tx((tx) => publish(tx, deps, asked, { signer, draft }))) return
    }
    await db.tx((tx) => publish(tx, deps, asked, { signer }))
  } catch (error) {
    // It may have been revoked or made inactive by others: the retry asks who signs.
    if (error instanceof SignerGone) knownSigners.clear()
    throw error
  }
}

const mostDrafts = 2

interface Signed {
  signer: Signer
  /** Absent, it is made within the transaction. */
  draft?: Draft | undefined
}

/**
 * Whoever holds ecosystem and configuration comes after those who held them before: a later number never says what is older, and
 * nobody changes meanwhile what is read. False when the draft is of what was before.
 */
async function publish(
  tx: Writer,
  { clock }: CertificateDeps,
  asked: AskedList,
  { signer, draft }: Signed,
): Promise<boolean> {
  const { tenantId, ecosystemId, kind, id, isAutoPublished } = asked
  const certificates = [signer.certificateId, signer.caId]
  const inUse = await holdInUse(tx, tenantId, certificates)
  if (!certificates.every((each) => inUse.has(each))) throw new SignerGone()
  const ecosystem = await hold(tx, ecosystems, tenantId, ecosystemId)
  const configuration = ecosystem && (await holdTrustedListConfiguration(tx, tenantId, ecosystemId, kind))
  if (!configuration) throw new Problem('bad_request', { message: 'The ecosystem or its configuration was deleted' })
  const source = { ecosystem, configuration }
  if (draft && !isSame(draft.of, source)) return false
  const date = draft?.content.date ?? (await dateOfNext(tx, asked, clock.now()))
  if (isAutoPublished) {
    if (!(await takeAutomaticIssue(tx, tenantId, configuration.id, date))) return true
    await insertTrustedList(tx, asked)
  }
  // It may have been called off while this waited, or published by this job's first run: then nothing is made.
  const row = await findTrustedListRow(tx, tenantId, id)
  if (row?.number !== null) return true
  const { content } = draft ?? (await draftList(tx, source, { signer, date }))
  // Where it was called off in this moment, no number is given.
  if (!(await fillTrustedList(tx, tenantId, id, content))) return true
  await raiseLastNumber(tx, tenantId, configuration.id, content.number)
  if (trustedListKinds[kind].hasPolicy) await publishPolicy(tx, asked, date)
  if (isAutoPublished) await tellAudit(tx, asked, date)
  return true
}

/** Of the certificates of the list. */
async function publishPolicy(tx: Writer, { id, tenantId, ecosystemId, kind }: AskedList, at: Date): Promise<void> {
  const { lists: role } = trustedListKinds[kind]
  const participants = await findPolicyParticipants(tx, { tenantId, ecosystemId, role, at })
  await publishParticipantPolicy(tx, { id, tenantId, ecosystemId, listId: id, role, participants, at })
}

/** As the operation does that publishes when it is asked to. */
async function tellAudit(tx: Writer, { tenantId, ecosystemId, kind, id }: AskedList, at: Date): Promise<void> {
  const type = `ECOSYSTEM_${kind.toUpperCase()}_CREATE_AUDIT`
  const data = { id, ecosystemId, madeBy: 'service' }
  await appendToAudit(tx, [{ tenantId, type, data, requestId: newOrderedId(at) }], at)
}

class SignerGone extends Error {
  constructor() {
    super('the certificate that signs trusted lists may sign no longer')
    this.name = 'SignerGone'
  }
}
