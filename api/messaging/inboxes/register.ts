import { holdShared } from '../../../db/hold.ts'
import { findDid } from '../../../db/repos/identifiers/dids.ts'
import { registerDid } from '../../../db/repos/messaging/inbox-dids.ts'
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { dids } from '../../../db/tables/identifiers/dids.ts'
import { inboxes } from '../../../db/tables/messaging/inboxes.ts'
import { notFound, Problem, wrongField } from '../../../shared/errors/errors.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import type { OperatorCall } from '../../http/idempotency.ts'
import { checkRegistrationJwt, type RegistrationProof } from './check-registration-jwt.ts'
import { getInbox } from './get-inbox.ts'

/**
 * Registers a DID at an inbox. The tenant must control the DID. A did:key of the tenant contains the tenant's key, and this service
 * publishes the tenant's own did:web. A did:web for another domain receives messages of other tenants only after the domain has
 * published it. Any other DID requires a JWT that the DID signed. Throws `bad_request`, `not_found` and `conflict`.
 */
export async function registerDidAtInbox(
  { change, commitAnswer, ...proof }: RegistrationProof & Pick<OperatorCall, 'commitAnswer'> & { change: Change },
  inboxId: string,
  { did, jwt }: { did: string; jwt?: string | undefined },
): Promise<{ did: string }> {
  const { deps, tenant } = proof
  await getInbox(deps.db.read, tenant.id, inboxId)
  const managed = did === tenant.did ? undefined : await findDid(deps.db.read, tenant.id, did)
  const isManaged = did === tenant.did || managed !== undefined
  if (jwt !== undefined) await checkRegistrationJwt(proof, did, jwt)
  else if (!isManaged) throw wrongField('jwt', 'Required for a DID whose keys this service does not store')

  const at = deps.clock.now()
  const provenAt = jwt === undefined && managed?.method === 'web' ? null : at
  return change(async (tx, record) => {
    await enforceQuota(tx, tenant.id, 'inboxDids')
    // Locks the DID and the inbox until the commit. A concurrent deletion of either sees the registration, or makes this one fail.
    if (managed && jwt === undefined && !(await holdShared(tx, dids, tenant.id, managed.id)))
      throw wrongField('jwt', 'Required for a DID whose keys this service does not store')
    if (!(await holdShared(tx, inboxes, tenant.id, inboxId))) throw notFound('id', inboxId)
    if (!(await registerDid(tx, tenant.id, { inboxId, did, provenAt, at })))
      throw new Problem('conflict', { message: 'This DID is already registered at an inbox' })
    record(tenant.id, { id: inboxId, did })
    const view = { did }
    await commitAnswer(tx, view)
    return view
  })
}
