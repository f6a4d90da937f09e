import type { Reader } from '../../db/client.ts'
import { holdTenant } from '../../db/hold.ts'
import {
  destroyKeysOfEndedAccessCertificates,
  destroyKeysOfEndedCertificates,
  destroyRetiredKeys,
} from '../../db/repos/identifiers/key-destruction.ts'
import {
  deleteEndedEncryptionKeys,
  findCurrentKeys,
  hasEndedEncryptionKeys,
  tenantOwner,
} from '../../db/repos/identifiers/keys.ts'
import { findAllSettings } from '../../db/repos/tenancy/tenants.ts'
import type { TenantSettings } from '../../db/tables/tenancy/tenants.ts'
import { dayMs, hourMs, plusMs } from '../../shared/clock.ts'
import { type KeyUseName, keyPurposes, keyUseNames } from '../../shared/domain/identifiers/key-purposes.ts'
import { findProblem } from '../../shared/errors/errors.ts'
import { newOrderedId } from '../../shared/ids.ts'
import { auditKeys } from './audit-keys.ts'
import type { SigningDeps } from './deps.ts'
import { txWithKeys } from './keys/tx-with-keys.ts'
import { replaceKeys } from './rotate-keys.ts'

/** The default age of keys at which they are rotated. */
const defaults: TenantSettings['keyRotation'] = { encryption: { days: 30 } }

/** Processes that have not seen a rotation sign with the old key for seconds, and client assertions for an hour. */
const usedAfterRetirementMs = 2 * hourMs

/**
 * Replaces keys that are older than their tenants allow. Removes encryption keys that have ended. In other providers than software, destroys
 * retired keys, and keys of certificates that cannot sign any more.
 */
export async function rotateDueKeys(deps: SigningDeps): Promise<void> {
  const { db, clock } = deps
  const retiredBefore = plusMs(clock.now(), -usedAfterRetirementMs)
  for (const destroy of [destroyRetiredKeys, destroyKeysOfEndedCertificates, destroyKeysOfEndedAccessCertificates])
    while ((await destroy(db, retiredBefore, clock.now())) > 0);
  for (const { tenantId, settings } of await findAllSettings(db.read)) {
    const at = clock.now()
    for (const use of keyUseNames)
      if (await isDue(db.read, tenantId, use, settings, at)) await rotate(deps, tenantId, use)
    if (await hasEndedEncryptionKeys(db.read, tenantId, at)) await removeEnded(deps, tenantId)
  }
}

async function isDue(
  db: Reader,
  tenantId: string,
  use: KeyUseName,
  { keyRotation }: TenantSettings,
  at: Date,
): Promise<boolean> {
  const { days } = { ...defaults, ...keyRotation }[use] ?? {}
  if (days === undefined) return false
  const current = await findCurrentKeys(db, tenantId, tenantOwner, keyPurposes[use])
  return !current.some(({ createdAt }) => createdAt > plusMs(at, -days * dayMs))
}

async function rotate(deps: SigningDeps, tenantId: string, use: KeyUseName): Promise<void> {
  const at = deps.clock.now()
  try {
    await txWithKeys(deps, async (tx, txDeps) => {
      // Another tenant needs no key, and its audit accepts no row.
      const tenant = await holdTenant(tx, tenantId)
      // Another process can have rotated the keys meanwhile.
      if (tenant?.state !== 'active' || !(await isDue(tx, tenantId, use, tenant.settings, at))) return
      await replaceKeys(tx, txDeps, tenant, {
        use,
        by: { event: 'KEY_ROTATE', requestId: newOrderedId(at) },
      })
    })
  } catch (error) {
    if (findProblem(error)?.problem !== 'conflict') throw error
    deps.log.warn({ tenantId, use }, 'key rotation failed, too many earlier keys are published')
  }
  deps.currentKeys.forget()
}

async function removeEnded({ db, clock }: SigningDeps, tenantId: string): Promise<void> {
  const at = clock.now()
  await db.tx(async (tx) => {
    if ((await holdTenant(tx, tenantId))?.state !== 'active') return
    const ids = await deleteEndedEncryptionKeys(tx, tenantId, at)
    if (ids.length > 0) await auditKeys(tx, tenantId, 'KEY_DELETE', { ids, purpose: 'encryption' }, at)
  })
}
