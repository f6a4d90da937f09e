import type { z } from 'zod'
import { cancelDid } from '../../../db/repos/identifiers/cancel-did.ts'
import { findDidRow, insertDid, isCompleteDid } from '../../../db/repos/identifiers/dids.ts'
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { findTenantRowByHost } from '../../../db/repos/tenancy/tenants.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { didWebOf } from '../../../shared/formats/did.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { normalHost } from '../../../shared/normal-host.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import type { Deps } from '../../deps.ts'
import { type ListedDid, toListedDid } from './listed.ts'
import type { NewDid } from './schemas.ts'

/**
 * Creates a DID with its keys. Without an answer of the signing process before the deadline, the row is deleted. Throws `conflict`
 * at the limit, for a DID that the tenant has already, and for a domain where this service publishes the DID of a tenant.
 */
export async function createDid(
  deps: Deps,
  change: Change,
  tenantId: string,
  body: z.output<typeof NewDid>,
  deadlineAt: number,
): Promise<ListedDid> {
  const createdAt = deps.clock.now()
  const row = {
    id: newOrderedId(createdAt),
    tenantId,
    method: body.method,
    ...(await fieldsOf(deps, body)),
    createdAt,
  }
  await change(async (tx, record) => {
    await enforceQuota(tx, tenantId, 'dids')
    if (!(await insertDid(tx, row))) throw new Problem('conflict', { message: 'This DID exists already' })
    record(tenantId, { id: row.id, method: row.method })
  })
  try {
    await deps.keys.call('makeDid', { tenantId, didId: row.id }, { deadlineAt })
  } catch (error) {
    // The first change of the row wins. If the signing process completed the row before the cancellation, the row stays.
    if (await cancelDid(deps, tenantId, row.id)) throw error
  }
  const made = await findDidRow(deps.db.read, tenantId, row.id)
  if (!isCompleteDid(made)) throw new Problem('service_unavailable')
  return toListedDid(made)
}

async function fieldsOf(deps: Deps, { method, options }: z.output<typeof NewDid>) {
  if (method === 'key') return { keyType: options.keyType }
  const host = normalHost(options.url, 'https')
  if (await findTenantRowByHost(deps.db.read, host)) {
    throw new Problem('conflict', {
      message: 'This domain publishes the DID of a tenant of this service. Use another domain.',
    })
  }
  return { did: didWebOf(host) }
}
