import { callOffSigned } from '../../../db/repos/credentials/signed.ts'
import { deleteStored } from '../../../db/repos/credentials/stored.ts'
import { orphanEntries } from '../../../db/repos/status/erased-entries.ts'
import { roundTime } from '../../../shared/domain/issuance/credential-times.ts'
import { Problem } from '../../../shared/errors.ts'
import { newIdAt } from '../../../shared/ids.ts'
import type { Signature, SignatureRequest } from '../../../shared/jobs/payloads.ts'
import { NeverSent } from '../../../shared/jobs/signing-queue.ts'
import { signingWeight } from '../../../shared/jobs/signing-weight.ts'
import type { Deps } from '../../deps.ts'

type Wanted = Pick<SignatureRequest, 'tenantId' | 'issuerDid' | 'revocable' | 'isRevoked' | 'content'>

/**
 * Has a credential signed. When no answer comes in time it is called off, so that none is signed of which nobody knows. Throws
 * `service_unavailable` then, and `bad_request` for what the format cannot say.
 */
export async function requestDirectSignature(
  deps: Deps,
  wanted: Wanted,
  deadlineAt: number,
): Promise<Signature & { id: string }> {
  const request = { ...wanted, ...madeNow(deps.clock.now(), wanted.content) }
  try {
    const weight = signingWeight(1, wanted.content)
    return { id: request.credentialId, ...(await deps.keys.request('signDirectly', request, { deadlineAt, weight })) }
  } catch (error) {
    const isRefused = error instanceof Problem && error.problem === 'bad_request'
    // What is too much for the signing processes is no work for the database either.
    if (!isRefused && !(error instanceof NeverSent)) await callOff(deps, request)
    throw error
  }
}

/** The time in an id is one that the credential tells itself, or the rounded time. */
function madeNow(now: Date, content: SignatureRequest['content']): { credentialId: string; issuedAt: number } {
  const told = 'issuedAt' in content && content.issuedAt !== undefined ? new Date(content.issuedAt) : roundTime(now)
  return { credentialId: newIdAt(told), issuedAt: now.getTime() }
}

async function callOff(deps: Deps, { tenantId, credentialId: id, content, issuedAt }: SignatureRequest): Promise<void> {
  const at = deps.clock.now()
  await deps.db.withoutDeadline.tx(async (tx) => {
    // First: a job that is committing the same row is waited for, and what it wrote is seen from then on.
    await callOffSigned(tx, tenantId, { id, profile: content.profile, issuedAt: new Date(issuedAt) }, at)
    await deleteStored(tx, tenantId, id)
    await orphanEntries(tx, tenantId, [id], at)
  })
}
