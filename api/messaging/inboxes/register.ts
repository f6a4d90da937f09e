import { holdShared } from '../../../db/hold.ts'
import { findDid } from '../../../db/repos/identifiers/dids.ts'
import { registerDid } from '../../../db/repos/messaging/inbox-dids.ts'
import type { Change } from '../../../db/repos/operations/audited.ts'
import { dids } from '../../../db/tables/identifiers/dids.ts'
import { inboxes } from '../../../db/tables/messaging/inboxes.ts'
import { notFound, Problem, wrongField } from '../../../shared/errors.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { checkRegistrationJwt, type RegistrationProof } from './check-registration-jwt.ts'
import { getInbox } from './get-inbox.ts'

/**
 * Registers a DID at an inbox. Nobody gets messages to a DID that is not theirs: a did:key of the tenant is made of its key,
 * and its own did:web is served here. A did:web that it made for another domain counts, for messages of other tenants, from
 * when the domain publishes it. For any other DID its subject signs a JWT. Throws `bad_request`, `not_found` and `conflict`.
 */
export async function register(
  { change, ...proof }: RegistrationProof & { change: Change },
  inboxId: string,
  { did, jwt }: { did: string; jwt?: string | undefined },
): Promise<{ did: string }> {
  const { deps, tenant } = proof
  await getInbox(deps.db.read, tenant.id, inboxId)
  const managed = did === tenant.did ? undefined : await findDid(deps.db.read, tenant.id, did)
  const isKept = did === tenant.did || managed !== undefined
  if (jwt !== undefined) await checkRegistrationJwt(proof, did, jwt)
  else if (!isKept) throw wrongField('jwt', 'Required for a DID whose keys are not kept here')

  const at = deps.clock.now()
  const provenAt = jwt === undefined && managed?.method === 'web' ? null : at
  await change(async (tx, tell) => {
    await enforceQuota(tx, tenant.id, 'inboxDids')
    // Both as long as this takes: whoever deletes one of them finds the registration, or was here first.
    if (managed && jwt === undefined && !(await holdShared(tx, dids, tenant.id, managed.id)))
      throw wrongField('jwt', 'Required for a DID whose keys are not kept here')
    if (!(await holdShared(tx, inboxes, tenant.id, inboxId))) throw notFound('id', inboxId)
    if (!(await registerDid(tx, tenant.id, { inboxId, did, provenAt, at })))
      throw new Problem('conflict', { message: 'An inbox has this DID already' })
    tell(tenant.id, { id: inboxId, did })
  })
  return { did }
}
