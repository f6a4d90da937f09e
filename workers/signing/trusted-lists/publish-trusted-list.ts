import type { Reader, Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import { holdInUse } from '../../../db/repos/certificates/signers.ts'
import { claimAutomaticPublication } from '../../../db/repos/ecosystems/automatic-trusted-lists.ts'
import { findPolicyParticipants, type PolicyParticipant } from '../../../db/repos/ecosystems/listed-participants.ts'
import { publishParticipantPolicy } from '../../../db/repos/ecosystems/participant-policy.ts'
import {
  holdTrustedListConfiguration,
  raiseLastNumber,
} from '../../../db/repos/ecosystems/trusted-list-configurations.ts'
import {
  completeTrustedList,
  findTrustedListRow,
  insertTrustedList,
} from '../../../db/repos/ecosystems/trusted-lists.ts'
import { appendToAudit } from '../../../db/repos/operations/audit/audit.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { eventNameOf, isLote, loteTypeIn } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { createKeyedMutex } from '../../../shared/flow/mutex.ts'
import { trustedListKinds } from '../../../shared/formats/trusted-lists/kinds.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { CertificateDeps } from '../certificates/deps.ts'
import type { CertificateSigner } from '../certificates/signer-cache.ts'
import { trustedListSigner } from '../certificates/signers.ts'
import { type Draft, type DraftSource, dateOfNext, draftList, findDraftSource, isNext, isSame } from './draft.ts'
import type { ListDrafter } from './list-drafter.ts'

/** The dependencies of publications. */
export interface TrustedListDeps extends CertificateDeps {
  draftOnThread: ListDrafter
}

/**
 * Numbers, signs and publishes the list of a row, and its policy if its kind has one. One transaction commits both with the next number. Does
 * nothing if this was done or the list was cancelled. Throws `bad_request` if something is missing, and `conflict` if an entry cannot be
 * listed.
 */
export async function publishTrustedList(
  deps: TrustedListDeps,
  { tenantId, listId }: Payload<'publishTrustedList'>,
): Promise<Record<string, never>> {
  const list = await findTrustedListRow(deps.db.read, tenantId, listId)
  if (!list) return {}
  await tenantMutex(tenantId, async () => {
    // The list can have been cancelled while it waited.
    const row = await findTrustedListRow(deps.db.read, tenantId, listId)
    if (row?.number === null) await numberSignAndPublish(deps, row)
  })
  return {}
}

/**
 * The publications of a tenant are sequential in one process. Those of several processes can outdate each other's drafts. Each waiting
 * publication has a slot for signing jobs, so that only two wait. The jobs of the others are postponed.
 */
const tenantMutex = createKeyedMutex({ maxWaiting: 2 })

/** The list to publish. An automatic list has no row yet. */
export type ListToPublish = Parameters<typeof insertTrustedList>[1]

/**
 * Drafts and signs the list, and then publishes it in one transaction. The transaction creates the row of an automatic list, and does nothing
 * if none is due. The list is drafted again if its source has changed meanwhile. The last draft is published also if participants have
 * changed, because the list states what was true at its date. Throws `service_unavailable` if other publications outdate each draft.
 */
export async function numberSignAndPublish(deps: TrustedListDeps, list: ListToPublish): Promise<void> {
  const { db, clock, signerCache, draftOnThread } = deps
  const signer = await trustedListSigner(deps, list)
  try {
    for (let attempt = 1; attempt <= maxDrafts; attempt++) {
      const source = await findDraftSource(db.read, list)
      const date = await dateOfNext(db.read, list, clock.now())
      // A repeated draft does not wait for a thread.
      const drafter = attempt === 1 ? draftOnThread : draftList
      const draft = source && (await drafter(db.read, source, { signer, date }))
      const participants = draft && (await findPolicyOf(db.read, list, date))
      const isLast = attempt === maxDrafts
      // The last draft can lack later changes. Its policy must have the same revision as the list.
      if (isLast && participants && !(await isUnchanged(db.read, list, source))) break
      const isCurrent = isLast ? isNext : isSame
      if (await db.tx((tx) => publish(tx, list, { signer, draft, participants, isCurrent }))) return
    }
    throw new Problem('service_unavailable', { message: contended, retryAfterSeconds: 2 })
  } catch (error) {
    // The retry selects another signer.
    if (error instanceof SignerNotInUse) signerCache.clear()
    throw error
  }
}

const maxDrafts = 4
const contended =
  'The ecosystem was changed, or another list of it was published, while this list was drafted. Try again in some seconds.'

/** Returns whether the ecosystem is as it was when the source of a draft was read. */
async function isUnchanged(db: Reader, list: ListToPublish, source: DraftSource | undefined): Promise<boolean> {
  const now = await findDraftSource(db, list)
  return source !== undefined && now !== undefined && isSame(source, now)
}

interface Signed {
  signer: CertificateSigner
  /** Undefined if the ecosystem or its configuration is missing. */
  draft: Draft | undefined
  /** The participants of the policy that is published with the list. */
  participants: PolicyParticipant[] | undefined
  /** Returns whether a draft of one source can be published if the other one is current. */
  isCurrent(one: DraftSource, other: DraftSource): boolean
}

/** Publishes a draft. The locks on ecosystem and configuration keep numbers in the order of the data. Returns false if the draft is outdated. */
async function publish(
  tx: Writer,
  list: ListToPublish,
  { signer, draft, participants, isCurrent }: Signed,
): Promise<boolean> {
  const { tenantId, ecosystemId, kind, id, isAutoPublished } = list
  const certificates = [signer.certificateId, signer.caId]
  const inUse = await holdInUse(tx, tenantId, certificates)
  if (!certificates.every((each) => inUse.has(each))) throw new SignerNotInUse()
  const ecosystem = await hold(tx, ecosystems, tenantId, ecosystemId)
  const configuration = ecosystem && (await holdTrustedListConfiguration(tx, tenantId, ecosystemId, kind))
  if (!configuration) throw new Problem('bad_request', { message: 'The ecosystem or its configuration was deleted' })
  if (!draft || !isCurrent(draft.of, { ecosystem, configuration })) return false
  const { content } = draft
  const { date } = content
  if (isAutoPublished) {
    if (!(await claimAutomaticPublication(tx, tenantId, configuration.id, date))) return true
    await insertTrustedList(tx, list)
  }
  // The list can have been cancelled meanwhile, or published by an earlier run of this job.
  const row = await findTrustedListRow(tx, tenantId, id)
  if (row?.number !== null) return true
  // A list that was cancelled at this moment uses no number.
  if (!(await completeTrustedList(tx, tenantId, id, content))) return true
  await raiseLastNumber(tx, tenantId, configuration.id, content.number)
  if (participants) await publishPolicy(tx, list, participants, date)
  if (isAutoPublished) await auditCreation(tx, list, date)
  return true
}

/** Finds the participants of the policy of a list. Returns undefined if the kind of list has no policy. */
async function findPolicyOf(db: Reader, { tenantId, ecosystemId, kind }: ListToPublish, at: Date) {
  if (isLote(kind)) return undefined
  const { hasPolicy, lists: role } = trustedListKinds[kind]
  return hasPolicy ? findPolicyParticipants(db, { tenantId, ecosystemId, role, at }) : undefined
}

async function publishPolicy(
  tx: Writer,
  { id, tenantId, ecosystemId, kind }: ListToPublish,
  participants: PolicyParticipant[],
  at: Date,
): Promise<void> {
  if (isLote(kind)) throw new Error('lists of trusted entities have no policy')
  const { lists: role } = trustedListKinds[kind]
  await publishParticipantPolicy(tx, { id, tenantId, ecosystemId, listId: id, role, participants, at })
}

/** Writes the audit of an automatic publication, like that of a requested one. */
async function auditCreation(tx: Writer, { tenantId, ecosystemId, kind, id }: ListToPublish, at: Date): Promise<void> {
  const type = `ECOSYSTEM_${eventNameOf(kind)}_CREATE_AUDIT`
  const data = { id, ecosystemId, ...loteTypeIn(kind), madeBy: 'service' }
  await appendToAudit(tx, [{ tenantId, type, data, requestId: newOrderedId(at) }], at)
}

class SignerNotInUse extends Error {
  constructor() {
    super('the certificate that signs trusted lists is no longer in use')
    this.name = 'SignerNotInUse'
  }
}
