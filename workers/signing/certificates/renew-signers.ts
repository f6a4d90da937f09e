import { hold } from '../../../db/hold.ts'
import { isComplete, updateCertificate } from '../../../db/repos/certificates/certificates.ts'
import { findEndingSignersOf } from '../../../db/repos/certificates/signers.ts'
import { findSigningAuthority } from '../../../db/repos/certificates/signing-authorities.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { needsActiveAuthority, renewalDeadline } from '../../../shared/domain/certificates/certificates.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { SigningDeps } from '../deps.ts'
import { txWithKeys } from '../keys/tx-with-keys.ts'
import { holdServedTenant } from './certificate-content.ts'
import { addSigner } from './signers.ts'

/**
 * Creates the next signer of an authority whose signers end soon, and retires these. Their signatures stay valid. Does nothing if this was
 * done.
 */
export async function renewSigners(
  deps: SigningDeps,
  { tenantId, caId, kind }: Payload<'renewSigners'>,
): Promise<void> {
  await txWithKeys(deps, async (tx, txDeps) => {
    const tenant = await holdServedTenant(tx, tenantId)
    const ca = await hold(tx, certificates, tenantId, caId)
    const at = txDeps.clock.now()
    const query = { kind, caId, at, until: renewalDeadline(kind, at) }
    if (!isComplete(ca) || ca.notAfter <= at || (needsActiveAuthority(kind) && !ca.isActive)) return
    const all = await findEndingSignersOf(tx, tenantId, query)
    // A signer that ends with its authority cannot have a successor.
    const ending = all.filter(({ notAfter }) => notAfter < ca.notAfter)
    if (ending.length === 0) return
    const signing = await findSigningAuthority(tx, tenantId, query)
    if (!signing?.signer) await addSigner(tx, txDeps, tenant, ca, kind)
    for (const row of ending) await updateCertificate(tx, row, { retiredAt: at })
  })
  deps.signerCache.clear()
}
