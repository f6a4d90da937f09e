import type { Writer } from '../../db/client.ts'
import { hold, holdTenant } from '../../db/hold.ts'
import {
  countRetired,
  findCurrentKeys,
  findKey,
  insertKeys,
  retireKeys,
  tenantItself,
} from '../../db/repos/identifiers/keys.ts'
import { appendToAudit } from '../../db/repos/operations/audit.ts'
import { auditEntry, type ChangedBy } from '../../db/repos/operations/audited.ts'
import { resignListsOfDid } from '../../db/repos/status/publishing.ts'
import type { TenantRow } from '../../db/repos/tenancy/tenants.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { type KeyUseName, keyPurposes } from '../../shared/domain/identifiers/key-purposes.ts'
import { Problem } from '../../shared/errors.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import type { SigningDeps } from './deps.ts'
import { newOwnKeys, ownKeys, publishedUntil } from './own-keys.ts'

/** Of one use. All of them are in documents that everybody reads. */
const mostRetired = 100

/**
 * Replaces the keys that a tenant has for a use; the old ones stay published for as long as what they signed is valid. Does
 * nothing when the key of that id was made before.
 */
export async function rotateKeys(
  deps: SigningDeps,
  { tenantId, use, keyId, by }: Payload<'rotateKeys'>,
): Promise<{ keyId: string }> {
  await deps.db.tx(async (tx) => {
    // Two that rotate at once would each miss the other's new key. A tenant that is being removed gets none.
    const tenant = await holdTenant(tx, tenantId)
    if (tenant?.state !== 'active') throw new Problem('not_found')
    if (!(await findKey(tx, tenantId, keyId))) await replaceKeys(tx, deps, tenant, { use, keyId, by })
  })
  deps.currentKeys.forget()
  return { keyId }
}

/** The same in the transaction of one who holds the tenant. Throws `conflict` where too many are published still. */
export async function replaceKeys(
  tx: Writer,
  { keyring, clock }: SigningDeps,
  { id: tenantId, settings }: TenantRow,
  { use, keyId, by }: { use: KeyUseName; keyId?: string; by: ChangedBy },
): Promise<void> {
  const at = clock.now()
  const purpose = keyPurposes[use]
  const { algorithms } = ownKeys[use]
  if ((await countRetired(tx, tenantId, purpose, at)) > (mostRetired - 1) * algorithms.length) throw tooMany(use)
  // Whoever commits a list that one of them signed has done so, or sees that it is retired.
  for (const { id } of await findCurrentKeys(tx, tenantId, tenantItself, purpose)) await hold(tx, keys, tenantId, id)
  await retireKeys(tx, tenantId, tenantItself, purpose, at, publishedUntil(use, settings, at))
  const made = newOwnKeys(keyring, tenantId, use, at, keyId)
  await insertKeys(tx, made)
  if (use === 'credentials') await resignListsOfDid(tx, tenantId, at)
  const ids = made.map(({ id }) => id)
  await appendToAudit(tx, [auditEntry(by, tenantId, { id: ids[0], purpose, ids })], at)
}

function tooMany(use: KeyUseName): Problem {
  const message = `${mostRetired} earlier keys for ${use} are still published, because what they signed is valid`
  return new Problem('conflict', { message })
}
