import { insertKeys, tenantItself } from '../../db/repos/identifiers/keys.ts'
import { activateTenant, findTenant } from '../../db/repos/tenancy/tenants.ts'
import type { KeyAlgorithm, KeyPurpose } from '../../db/tables/identifiers/keys.ts'
import { auditKeys } from './audit-keys.ts'
import type { SigningDeps } from './deps.ts'

/** Makes the keys of a new tenant: its did:web's four, the webhook key, the token key, the encryption key. Does nothing when that was done. */
export async function provisionTenant(
  { db, keyring, clock }: SigningDeps,
  tenantId: string,
): Promise<Record<string, never>> {
  const tenant = await findTenant(db.read, tenantId)
  if (tenant?.state !== 'provisioning') return {}
  const at = clock.now()
  const newKey = (purpose: KeyPurpose, algorithm: KeyAlgorithm) =>
    keyring.newKey({ tenantId, owner: tenantItself, purpose, algorithm }, at)
  const keys = [
    newKey('did', 'ES256'),
    newKey('did', 'Ed25519'),
    newKey('did', 'Bls12381G2'),
    newKey('did', 'X25519'),
    newKey('webhook', 'Ed25519'),
    newKey('token', 'Ed25519'),
    newKey('encryption', 'ECDH-ES'),
  ]
  await db.tx(async (tx) => {
    if (!(await activateTenant(tx, tenantId))) return
    await insertKeys(tx, keys)
    const made = keys.map(({ id, purpose, algorithm }) => ({ id, purpose, algorithm }))
    await auditKeys(tx, tenantId, 'KEY_CREATE', { keys: made }, at)
  })
  return {}
}
