import { holdTenant } from '../../db/hold.ts'
import { addToOutbox } from '../../db/outbox.ts'
import { findCurrentKeys, tenantOwner } from '../../db/repos/identifiers/keys.ts'
import {
  checkpointSubject,
  findAuditSize,
  findCheckpoint,
  insertCheckpoint,
} from '../../db/repos/operations/audit/audit-checkpoints.ts'
import { openAuditTree, storeSubtrees } from '../../db/repos/operations/audit/audit-tree.ts'
import { isReceived } from '../../db/repos/operations/webhooks/webhooks.ts'
import { findTenant } from '../../db/repos/tenancy/tenants.ts'
import { isServed } from '../../db/tables/tenancy/tenants.ts'
import { signCheckpoint } from '../../shared/formats/checkpoint.ts'
import { newOrderedId } from '../../shared/ids.ts'
import type { SigningDeps } from './deps.ts'
import type { Signer } from './keys/signer.ts'
import { txWithKeys } from './keys/tx-with-keys.ts'
import { replaceKeys } from './rotate-keys.ts'

/**
 * Signs a checkpoint of the whole audit of a tenant, if it has rows that the last one does not cover. The name of the log is
 * the host of the tenant with `/v1/audit`. Webhooks get the checkpoint as an event.
 */
export async function checkpointAudit(deps: SigningDeps, { tenantId }: { tenantId: string }): Promise<void> {
  const { db, bus, clock } = deps
  const tenant = await findTenant(db.read, tenantId)
  if (!tenant || !isServed(tenant)) return
  const key = await auditKey(deps, tenantId)
  const size = await findAuditSize(db.read, tenantId)
  const last = await findCheckpoint(db.read, tenantId, 'last')
  if (size === undefined || size <= (last?.size ?? 0)) return
  await storeSubtrees({ db, tenantId, size })
  const root = await openAuditTree({ db: db.read, tenantId, size }).root()
  const note = await signCheckpoint({ origin: `${tenant.canonicalHost}/v1/audit`, size, root }, key)
  await db.tx(async (tx) => {
    const createdAt = clock.now()
    if (!(await insertCheckpoint(tx, tenantId, { size, note, createdAt }))) return
    if (!(await isReceived(tx, tenantId, 'checkpoint'))) return
    const subjectId = checkpointSubject(tenantId, size)
    await addToOutbox(
      tx,
      'fanOut',
      [{ id: subjectId, payload: { tenantId, kind: 'checkpoint', subjectId } }],
      createdAt,
    )
  })
  bus.poke()
}

/** Returns the current key of a tenant for its audit. Creates it for a tenant of an earlier version. */
export async function auditKey(deps: SigningDeps, tenantId: string): Promise<Signer> {
  const { db, clock, currentKeys } = deps
  if ((await findCurrentKeys(db.read, tenantId, tenantOwner, 'audit')).length === 0) {
    await txWithKeys(deps, async (tx, txDeps) => {
      const tenant = await holdTenant(tx, tenantId)
      // Another process can have created it meanwhile.
      if (!tenant || !isServed(tenant) || (await findCurrentKeys(tx, tenantId, tenantOwner, 'audit')).length > 0) return
      await replaceKeys(tx, txDeps, tenant, {
        use: 'audit',
        by: { event: 'KEY_CREATE', requestId: newOrderedId(clock.now()) },
      })
    })
  }
  return currentKeys.of(db.read, tenantId, tenantOwner, { purpose: 'audit', algorithm: 'Ed25519' })
}
