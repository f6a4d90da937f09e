import { X509Certificate } from 'node:crypto'
import type { Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import { findListedParticipants, type ListedParticipant } from '../../../db/listed-participants.ts'
import { publishParticipantPolicy } from '../../../db/participant-policy.ts'
import { holdInUse } from '../../../db/repos/certificates/signers.ts'
import { takeAutomaticIssue } from '../../../db/repos/ecosystems/automatic-trusted-lists.ts'
import {
  holdTrustedListConfiguration,
  raiseLastNumber,
  type TrustedListConfiguration,
} from '../../../db/repos/ecosystems/trusted-list-configurations.ts'
import {
  fillTrustedList,
  findTrustedListRow,
  insertTrustedList,
  type TrustedListContent,
} from '../../../db/repos/ecosystems/trusted-lists.ts'
import { appendToAudit } from '../../../db/repos/operations/audit.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { Problem } from '../../../shared/errors.ts'
import { verifySign1 } from '../../../shared/formats/cose.ts'
import { nextUpdateOf, signTrustedList, trustedListPayload } from '../../../shared/formats/trusted-lists/build-list.ts'
import { trustedListKinds } from '../../../shared/formats/trusted-lists/kinds.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { CertificateDeps } from '../certificates/deps.ts'
import type { Signer } from '../certificates/known-signers.ts'
import { trustedListSigner } from '../certificates/signers.ts'
import { entriesOf } from './entries.ts'

/**
 * Numbers, signs and publishes a list whose row is there, and its policy where its kind has one, in one transaction: all of it is
 * public, or nothing, and its number is the one after the last. Does nothing when that was done, or the list was called off. Throws `bad_request`, which
 * says what is missing, and `conflict` for what cannot be listed.
 */
export async function publishTrustedList(
  deps: CertificateDeps,
  { tenantId, listId }: Payload<'publishTrustedList'>,
): Promise<Record<string, never>> {
  const asked = await findTrustedListRow(deps.db.read, tenantId, listId)
  if (asked && asked.number === null) await numberSignAndPublish(deps, asked)
  return {}
}

/** What is to be published. One that is published by itself has no row yet. */
export type AskedList = Parameters<typeof insertTrustedList>[1]

/** In one transaction, which makes the row of a list that is published by itself: that does nothing where none is due any more. */
export async function numberSignAndPublish(deps: CertificateDeps, asked: AskedList): Promise<void> {
  const signer = await trustedListSigner(deps, asked)
  try {
    await deps.db.tx((tx) => publish(tx, deps, asked, signer))
  } catch (error) {
    // It may have been revoked or made inactive by others: the retry asks who signs.
    if (error instanceof SignerGone) deps.knownSigners.clear()
    throw error
  }
}

/**
 * Whoever holds ecosystem and configuration reads after those who held them before: a later number never says what is older, and
 * nobody changes meanwhile what is read.
 */
async function publish(tx: Writer, deps: CertificateDeps, asked: AskedList, signer: Signer): Promise<void> {
  const { tenantId, ecosystemId, kind, id, isAutoPublished } = asked
  const certificates = [signer.certificateId, signer.caId]
  const inUse = await holdInUse(tx, tenantId, certificates)
  if (!certificates.every((each) => inUse.has(each))) throw new SignerGone()
  const ecosystem = await hold(tx, ecosystems, tenantId, ecosystemId)
  const configuration = ecosystem && (await holdTrustedListConfiguration(tx, tenantId, ecosystemId, kind))
  if (!configuration) throw new Problem('bad_request', { message: 'The ecosystem or its configuration was deleted' })
  const date = deps.clock.now()
  if (isAutoPublished) {
    if (!(await takeAutomaticIssue(tx, tenantId, configuration.id, date))) return
    await insertTrustedList(tx, asked)
  }
  // It may have been called off while this waited, or published by this job's first run: then nothing is made.
  const row = await findTrustedListRow(tx, tenantId, id)
  if (row?.number !== null) return
  const { lists: role, hasPolicy } = trustedListKinds[kind]
  const participants = await findListedParticipants(tx, { tenantId, ecosystemId, role, at: date })
  const content = contentOf({ date, configuration, participants, signer })
  // Where it was called off in this moment, no number is given.
  if (!(await fillTrustedList(tx, tenantId, id, content))) return
  await raiseLastNumber(tx, tenantId, configuration.id, content.number)
  if (hasPolicy)
    await publishParticipantPolicy(tx, { id, tenantId, ecosystemId, listId: id, role, participants, at: date })
  if (isAutoPublished) await tellAudit(tx, asked, date)
}

/** As the operation does that publishes when it is asked to. */
async function tellAudit(tx: Writer, { tenantId, ecosystemId, kind, id }: AskedList, at: Date): Promise<void> {
  const type = `ECOSYSTEM_${kind.toUpperCase()}_CREATE_AUDIT`
  const data = { id, ecosystemId, madeBy: 'service' }
  await appendToAudit(tx, [{ tenantId, type, data, requestId: newOrderedId(at) }], at)
}

interface ToSign {
  date: Date
  configuration: TrustedListConfiguration
  participants: ListedParticipant[]
  signer: Signer
}

function contentOf({ date, configuration, participants, signer }: ToSign): TrustedListContent {
  const { kind, provider, lastNumber } = configuration
  const number = lastNumber + 1
  const payload = trustedListPayload({ kind, provider, number, date, entries: entriesOf(kind, participants) })
  const chain = chainOf(signer).map((der) => new X509Certificate(der))
  const content = signTrustedList(kind, payload, { chain, privateKey: signer.privateKey })
  if (!verifySign1(content, signer.publicKey).verified) throw new Error('a list that was signed does not verify')
  return { number, date, nextUpdate: nextUpdateOf(date), content, signerId: signer.certificateId }
}

/** Up to the root, which is published by itself. */
function chainOf({ certificateDer, intermediateDer }: Signer): Buffer[] {
  return intermediateDer ? [certificateDer, intermediateDer] : [certificateDer]
}

class SignerGone extends Error {
  constructor() {
    super('the certificate that signs trusted lists may sign no longer')
    this.name = 'SignerGone'
  }
}
