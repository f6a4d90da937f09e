import type { Writer } from '../../db/client.ts'
import { hold, holdTenant } from '../../db/hold.ts'
import {
  countRetired,
  findCurrentKeys,
  findKey,
  insertKeys,
  retireKeys,
  tenantOwner,
} from '../../db/repos/identifiers/keys.ts'
import { appendToAudit } from '../../db/repos/operations/audit/audit.ts'
import { auditEntry, type ChangedBy } from '../../db/repos/operations/audit/audited.ts'
import { announceChanges } from '../../db/repos/operations/webhooks/change-announcements.ts'
import { resignListsOfDid } from '../../db/repos/status/publishing.ts'
import type { TenantRow } from '../../db/repos/tenancy/tenants.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { type KeyUseName, keyPurposes } from '../../shared/domain/identifiers/key-purposes.ts'
import { Problem } from '../../shared/errors/errors.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import type { SigningDeps } from './deps.ts'
import type { NewKey } from './keys/new-keys.ts'
import { newOwnKeys, ownKeys, publishedUntil } from './keys/own-keys.ts'
import { txWithKeys } from './keys/tx-with-keys.ts'

/** The published retired keys of one use. They are in public documents. */
const maxRetired = 100

/**
 * Replaces the keys of a tenant for a use. The old keys stay published while something that they signed is valid. Does nothing if the key
 * with this id exists.
 */
export async function rotateKeys(
  deps: SigningDeps,
  { tenantId, use, keyId, by }: Payload<'rotateKeys'>,
): Promise<{ keyId: string }> {
  await txWithKeys(deps, async (tx, txDeps) => {
    // Concurrent rotations would miss each other's new key. A deleted tenant gets no keys.
    const tenant = await holdTenant(tx, tenantId)
    if (tenant?.state !== 'active') throw new Problem('not_found')
    if (!(await findKey(tx, tenantId, keyId))) await replaceKeys(tx, txDeps, tenant, { use, keyId, by })
  })
  deps.currentKeys.forget()
  return { keyId }
}

/** Replaces keys in a transaction that holds the tenant. Throws `conflict` if too many retired keys are published. */
export async function replaceKeys(
  tx: Writer,
  { keyring, clock, newKey }: SigningDeps & { newKey: NewKey },
  tenant: TenantRow,
  { use, keyId, by }: { use: KeyUseName; keyId?: string; by: ChangedBy },
): Promise<void> {
  const { id: tenantId, settings } = tenant
  const at = clock.now()
  const purpose = keyPurposes[use]
  const { algorithms } = ownKeys[use]
  if ((await countRetired(tx, tenantId, purpose, at)) > (maxRetired - 1) * algorithms.length) throw tooManyRetired(use)
  // The locks order this after commits of lists that these keys signed. Later commits see that the keys are retired.
  for (const { id } of await findCurrentKeys(tx, tenantId, tenantOwner, purpose)) await hold(tx, keys, tenantId, id)
  await retireKeys(tx, tenantId, tenantOwner, purpose, at, publishedUntil(use, settings, at))
  const made = newOwnKeys({ keyring, newKey }, tenant, { use, at, id: keyId })
  await insertKeys(tx, made)
  if (use === 'credentials') await resignListsOfDid(tx, tenantId, at)
  const ids = made.map(({ id }) => id)
  await appendToAudit(tx, [auditEntry(by, tenantId, { id: ids[0], purpose, ids })], at)
  await announceChanges(tx, tenantId, { KeyRotated: ids.slice(0, 1).map((id) => ({ keyId: id, use })) }, at)
}

function tooManyRetired(use: KeyUseName): Problem {
  const message = `${maxRetired} earlier keys for ${use} are still published, because what they signed is valid`
  return new Problem('conflict', { message })
}
