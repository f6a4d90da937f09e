import type { Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import { removeFromOutbox } from '../../../db/outbox.ts'
import { findSigningAuthority } from '../../../db/repos/certificates/signing-authorities.ts'
import { findTenant, type TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { isServed } from '../../../db/tables/tenancy/tenants.ts'
import { activationSignerKinds } from '../../../shared/domain/certificates/certificates.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import { txWithKeys } from '../keys/tx-with-keys.ts'
import { holdServedTenant } from './certificate-content.ts'
import type { CertificateDeps, NewCertificateDeps } from './deps.ts'
import { addSigner } from './signers.ts'

/** Creates the signers of an IACA that became active, unless it has usable ones. Does nothing if it was deactivated or deleted meanwhile. */
export async function makeSigners(deps: CertificateDeps, { tenantId, caId }: Payload<'makeSigners'>): Promise<void> {
  const { db } = deps
  const exists = isServed(await findTenant(db.read, tenantId))
  await txWithKeys(deps, async (tx, txDeps) => {
    if (exists) {
      const tenant = await holdServedTenant(tx, tenantId)
      const ca = await hold(tx, certificates, tenantId, caId)
      if (ca?.isActive) await addMissingSigners(tx, txDeps, tenant, caId)
    }
    await removeFromOutbox(tx, [caId])
  })
}

/** Creates the signers of credentials under a managed authority that the transaction holds. Keeps usable signers. */
export async function addMissingSigners(
  tx: Writer,
  deps: NewCertificateDeps,
  tenant: TenantRow,
  caId: string,
): Promise<void> {
  for (const kind of activationSignerKinds) {
    const query = { kind, caId, at: deps.clock.now() }
    const signing = await findSigningAuthority(tx, tenant.id, query)
    if (signing?.authority.isManaged && !signing.signer) await addSigner(tx, deps, tenant, signing.authority, kind)
  }
}
