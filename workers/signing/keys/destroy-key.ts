import { holdTenant } from '../../../db/hold.ts'
import { removeFromOutbox } from '../../../db/outbox.ts'
import { findPlatformId } from '../../../db/repos/tenancy/tenants.ts'
import { isServed } from '../../../db/tables/tenancy/tenants.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import { auditKeys } from '../audit-keys.ts'
import type { SigningDeps } from '../deps.ts'
import { KeyProviderRefused } from './provider.ts'
import { getProvider } from './providers.ts'

/**
 * Destroys the private key of a deleted or retired key in its provider, and records it in the audit of the tenant, or of the platform if the
 * tenant is deleted. A key that the provider refuses to destroy is reported there. The job can run any number of times.
 */
export async function destroyKey(
  { db, keyring, clock, log }: Pick<SigningDeps, 'db' | 'keyring' | 'clock' | 'log'>,
  { tenantId, keyId, provider, handle }: Payload<'destroyKey'>,
): Promise<void> {
  let refusal: string | undefined
  try {
    await getProvider(keyring.custody, provider).destroy(handle)
  } catch (error) {
    if (!(error instanceof KeyProviderRefused)) throw error
    refusal = error.message
    log.error({ err: error, tenantId, keyId, provider, handle }, 'key not destroyed, the provider refused it')
  }
  const platformId = await findPlatformId(db.read)
  await db.tx(async (tx) => {
    const tenant = await holdTenant(tx, tenantId)
    const chain = isServed(tenant) ? tenantId : platformId
    await removeFromOutbox(tx, [`destroy-${keyId}`])
    const data = { ids: [keyId], tenantId, provider, isDestroyed: refusal === undefined, ...(refusal && { refusal }) }
    if (chain) await auditKeys(tx, chain, 'KEY_DELETE', data, clock.now())
  })
}
