import { insertKeys } from '../../db/repos/identifiers/keys.ts'
import { activateTenant, findTenant } from '../../db/repos/tenancy/tenants.ts'
import { keyUseNames } from '../../shared/domain/identifiers/key-purposes.ts'
import { auditKeys } from './audit-keys.ts'
import { completeRootOf } from './certificates/make-certificate.ts'
import type { SigningDeps } from './deps.ts'
import { newOwnKeys, ownKeys } from './keys/own-keys.ts'
import { txWithKeys } from './keys/tx-with-keys.ts'

/**
 * Creates the secret and the keys of a new tenant: four keys of its did:web, the webhook key, the token key and the encryption key. Also creates the
 * certificates of the root that was requested with the tenant. Does nothing if this was done.
 */
export async function provisionTenant(deps: SigningDeps, tenantId: string): Promise<Record<string, never>> {
  const { db, clock, secrets } = deps
  const tenant = await findTenant(db.read, tenantId)
  if (tenant?.state !== 'provisioning') return {}
  const at = clock.now()
  const uses = keyUseNames.filter((use) => !ownKeys[use].isOnDemand)
  await txWithKeys(deps, async (tx, txDeps) => {
    const keys = uses.flatMap((use) => newOwnKeys(txDeps, tenant, { use, at }))
    if (!(await activateTenant(tx, tenantId, secrets.newTenantSecret(tenantId)))) return
    await insertKeys(tx, keys)
    const made = keys.map(({ id, purpose, algorithm }) => ({ id, purpose, algorithm }))
    await auditKeys(tx, tenantId, 'KEY_CREATE', { keys: made }, at)
    await completeRootOf(tx, txDeps, tenant)
  })
  return {}
}
