import { cancelSigned } from '../../../db/repos/credentials/signed.ts'
import { deleteStored } from '../../../db/repos/credentials/stored.ts'
import { anonymizeEntries } from '../../../db/repos/status/erased-entries.ts'
import { roundTime } from '../../../shared/domain/issuance/credential-times.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { newIdAt } from '../../../shared/ids.ts'
import type { Signature, SignatureRequest } from '../../../shared/jobs/payloads.ts'
import { NeverSent } from '../../../shared/jobs/signing-queue.ts'
import { signingWeight } from '../../../shared/jobs/signing-weight.ts'
import type { Deps } from '../../deps.ts'

type Wanted = Pick<SignatureRequest, 'tenantId' | 'issuerDid' | 'revocable' | 'isRevoked' | 'content'>

/**
 * Requests a signed credential from the signing process. Without an answer before the deadline, the request is cancelled, so that
 * no credential is issued that the caller does not receive. Throws `service_unavailable` then, and `bad_request` for content that
 * the format cannot represent.
 */
export async function requestDirectSignature(
  deps: Deps,
  order: Wanted,
  deadlineAt: number,
): Promise<Signature & { id: string }> {
  const request = { ...order, ...newCredentialIdAndTime(deps.clock.now(), order.content) }
  try {
    const weight = signingWeight(1, order.content)
    return { id: request.credentialId, ...(await deps.keys.request('signDirectly', request, { deadlineAt, weight })) }
  } catch (error) {
    const isRefused = error instanceof Problem && error.problem === 'bad_request'
    // A request that was never sent needs no cancellation. This avoids database load while the signing queue is full.
    if (!isRefused && !(error instanceof NeverSent)) await cancelRequest(deps, request)
    throw error
  }
}

/** The id contains `issuedAt` of the credential, or the rounded current time, so that it reveals no other time. */
function newCredentialIdAndTime(
  now: Date,
  content: SignatureRequest['content'],
): { credentialId: string; issuedAt: number } {
  const idTime = 'issuedAt' in content && content.issuedAt !== undefined ? new Date(content.issuedAt) : roundTime(now)
  return { credentialId: newIdAt(idTime), issuedAt: now.getTime() }
}

async function cancelRequest(
  deps: Deps,
  { tenantId, credentialId: id, content, issuedAt }: SignatureRequest,
): Promise<void> {
  const at = deps.clock.now()
  await deps.db.withoutDeadline.tx(async (tx) => {
    // Runs first. It waits for a signing job that is committing the same row, so that the next statements see its changes.
    await cancelSigned(tx, tenantId, { id, profile: content.profile, issuedAt: new Date(issuedAt) }, at)
    await deleteStored(tx, tenantId, id)
    await anonymizeEntries(tx, tenantId, [id], at)
  })
}
