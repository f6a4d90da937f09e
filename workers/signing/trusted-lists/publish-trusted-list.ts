import type { Reader, Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import { holdInUse } from '../../../db/repos/certificates/signers.ts'
import { takeAutomaticIssue } from '../../../db/repos/ecosystems/automatic-trusted-lists.ts'
import { findPolicyParticipants, type PolicyParticipant } from '../../../db/repos/ecosystems/listed-participants.ts'
import { publishParticipantPolicy } from '../../../db/repos/ecosystems/participant-policy.ts'
import {
  holdTrustedListConfiguration,
  raiseLastNumber,
} from '../../../db/repos/ecosystems/trusted-list-configurations.ts'
import { fillTrustedList, findTrustedListRow, insertTrustedList } from '../../../db/repos/ecosystems/trusted-lists.ts'
import { appendToAudit } from '../../../db/repos/operations/audit.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { Problem } from '../../../shared/errors.ts'
import { createKeyedMutex } from '../../../shared/flow/mutex.ts'
import { trustedListKinds } from '../../../shared/formats/trusted-lists/kinds.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { CertificateDeps } from '../certificates/deps.ts'
import type { Signer } from '../certificates/signer-cache.ts'
import { trustedListSigner } from '../certificates/signers.ts'
import { type Draft, type DraftSource, dateOfNext, draftList, findDraftSource, isNext, isSame } from './draft.ts'
import type { ListDrafter } from './list-drafter.ts'

/** What lists are published with. */
export interface TrustedListDeps extends CertificateDeps {
  draftOnThread: ListDrafter
}

/**
 * Numbers, signs and publishes a list whose row is there, and its policy where its kind has one. One transaction commits them: all of it
 * is public, or nothing, and its number is the one after the last. Does nothing when that was done, or the list was called off. Throws `bad_request`, which
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
const inTurn = createKeyedMutex()

/** What is to be published. One that is published by itself has no row yet. */
export type ListToPublish = Parameters<typeof insertTrustedList>[1]

/**
 * Drafts and signs the list, and then publishes it in one transaction. The transaction makes the row of a list that is published by
 * itself, and does nothing where none is due any more. A draft is made again when something has changed meanwhile. The last draft is
 * published also when participants have changed: the list says what was true at its date, and no later list is there. Throws
 * `service_unavailable` when other publications of the ecosystem came before each draft.
 */
export async function numberSignAndPublish(deps: TrustedListDeps, asked: ListToPublish): Promise<void> {
  const { db, clock, signerCache, draftOnThread } = deps
  const signer = await trustedListSigner(deps, asked)
  try {
    for (let attempt = 1; attempt <= maxDrafts; attempt++) {
      const source = await findDraftSource(db.read, asked)
      const date = await dateOfNext(db.read, asked, clock.now())
      // One that was overtaken has no time to lose.
      const drafter = attempt === 1 ? draftOnThread : draftList
      const draft = source && (await drafter(db.read, source, { signer, date }))
      const participants = draft && (await findPolicyOf(db.read, asked, date))
      const isLast = attempt === maxDrafts
      // The last draft may miss later changes. Its policy has to be of the same revision, so that list and policy agree.
      if (isLast && participants && !(await isUnchanged(db.read, asked, source))) break
      const isGood = isLast ? isNext : isSame
      if (await db.tx((tx) => publish(tx, asked, { signer, draft, participants, isGood }))) return
    }
    throw new Problem('service_unavailable', { message: contended, retryAfterSeconds: 2 })
  } catch (error) {
    // It may have been revoked or made inactive by others: the retry asks who signs.
    if (error instanceof SignerGone) signerCache.clear()
    throw error
  }
}

const maxDrafts = 4
const contended =
  'The ecosystem was changed, or another list of it was published, while this list was drafted. Try again in some seconds.'

/** Returns whether the ecosystem is as it was when the source of a draft was read. */
async function isUnchanged(db: Reader, asked: ListToPublish, source: DraftSource | undefined): Promise<boolean> {
  const now = await findDraftSource(db, asked)
  return source !== undefined && now !== undefined && isSame(source, now)
}

interface Signed {
  signer: Signer
  /** Undefined where ecosystem or configuration were missing. */
  draft: Draft | undefined
  /** Of the policy that is published with the list. */
  participants: PolicyParticipant[] | undefined
  /** Whether a draft of the one can be published of the other, which is there now. */
  isGood(one: DraftSource, other: DraftSource): boolean
}

/** Publishes the draft, holding ecosystem and configuration: a later number never says what is older. Returns false when the draft is outdated. */
async function publish(
  tx: Writer,
  asked: ListToPublish,
  { signer, draft, participants, isGood }: Signed,
): Promise<boolean> {
  const { tenantId, ecosystemId, kind, id, isAutoPublished } = asked
  const certificates = [signer.certificateId, signer.caId]
  const inUse = await holdInUse(tx, tenantId, certificates)
  if (!certificates.every((each) => inUse.has(each))) throw new SignerGone()
  const ecosystem = await hold(tx, ecosystems, tenantId, ecosystemId)
  const configuration = ecosystem && (await holdTrustedListConfiguration(tx, tenantId, ecosystemId, kind))
  if (!configuration) throw new Problem('bad_request', { message: 'The ecosystem or its configuration was deleted' })
  if (!draft || !isGood(draft.of, { ecosystem, configuration })) return false
  const { content } = draft
  const { date } = content
  if (isAutoPublished) {
    if (!(await takeAutomaticIssue(tx, tenantId, configuration.id, date))) return true
    await insertTrustedList(tx, asked)
  }
  // It may have been called off while this waited, or published by this job's first run: then nothing is made.
  const row = await findTrustedListRow(tx, tenantId, id)
  if (row?.number !== null) return true
  // Where it was called off in this moment, no number is given.
  if (!(await fillTrustedList(tx, tenantId, id, content))) return true
  await raiseLastNumber(tx, tenantId, configuration.id, content.number)
  if (participants) await publishPolicy(tx, asked, participants, date)
  if (isAutoPublished) await tellAudit(tx, asked, date)
  return true
}

/** Finds the participants of the policy that is published with a list; undefined for a kind of list without one. */
async function findPolicyOf(db: Reader, { tenantId, ecosystemId, kind }: ListToPublish, at: Date) {
  const { hasPolicy, lists: role } = trustedListKinds[kind]
  return hasPolicy ? findPolicyParticipants(db, { tenantId, ecosystemId, role, at }) : undefined
}

async function publishPolicy(
  tx: Writer,
  { id, tenantId, ecosystemId, kind }: ListToPublish,
  participants: PolicyParticipant[],
  at: Date,
): Promise<void> {
  const { lists: role } = trustedListKinds[kind]
  await publishParticipantPolicy(tx, { id, tenantId, ecosystemId, listId: id, role, participants, at })
}

/** As the operation does that publishes when it is asked to. */
async function tellAudit(tx: Writer, { tenantId, ecosystemId, kind, id }: ListToPublish, at: Date): Promise<void> {
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
