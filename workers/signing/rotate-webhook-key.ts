import { holdTenant } from '../../db/hold.ts'
import { insertKeys, retireKeys, tenantItself } from '../../db/repos/identifiers/keys.ts'
import { plusMs } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors.ts'
import { auditKeys } from './audit-keys.ts'
import type { SigningDeps } from './deps.ts'

/** Receivers may check a signature for a day after it was made, and another process may use the old key for seconds more. */
const publishedForMs = 25 * 3600 * 1000

/** Replaces the key that signs a tenant's webhooks; the old one stays published. */
export async function rotateWebhookKey(
  { db, keyring, currentKeys, clock }: SigningDeps,
  tenantId: string,
): Promise<{ keyId: string }> {
  const at = clock.now()
  const owner = tenantItself
  const key = keyring.newKey({ tenantId, owner, purpose: 'webhook', algorithm: 'Ed25519' }, at)
  await db.tx(async (tx) => {
    // Two that rotate at once would each miss the other's new key.
    if (!(await holdTenant(tx, tenantId))) throw new Problem('not_found')
    await retireKeys(tx, tenantId, owner, 'webhook', at, plusMs(at, publishedForMs))
    await insertKeys(tx, [key])
    await auditKeys(tx, tenantId, 'KEY_ROTATE', { id: key.id, purpose: key.purpose }, at)
  })
  currentKeys.forget()
  return { keyId: key.id }
}
