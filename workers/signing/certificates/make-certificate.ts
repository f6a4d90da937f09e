import type { Writer } from '../../../db/client.ts'
import { hold, holdShared } from '../../../db/hold.ts'
import {
  type CertificateRow,
  findCertificateRow,
  findIncompleteCertificatesOf,
} from '../../../db/repos/certificates/certificates.ts'
import type { TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import { txWithKeys } from '../keys/tx-with-keys.ts'
import { holdServedTenant, makeCertificateContent } from './certificate-content.ts'
import type { CertificateDeps, NewCertificateDeps } from './deps.ts'
import { addMissingSigners } from './make-signers.ts'

/**
 * Creates the key and the certificate or request of a row in one transaction, and the signers of an active IACA with it. Does nothing if this
 * was done or the row is deleted.
 */
export async function makeCertificate(
  deps: CertificateDeps,
  { tenantId, certificateId }: Payload<'makeCertificate'>,
): Promise<Record<string, never>> {
  const certificate = await findCertificateRow(deps.db.read, tenantId, certificateId)
  if (!certificate || hasContent(certificate)) return {}
  await txWithKeys(deps, async (tx, txDeps) => {
    const tenant = await holdServedTenant(tx, tenantId)
    // The lock order of hold.ts: an authority before the certificates under it.
    const ca = certificate.caId === null ? undefined : await holdShared(tx, certificates, tenantId, certificate.caId)
    const row = await hold(tx, certificates, tenantId, certificateId)
    if (row && !hasContent(row)) await completeCertificate(tx, txDeps, tenant, row, ca)
  })
  return {}
}

/** Creates the content of a row that the transaction holds. `ca`: the authority of a signer. */
async function completeCertificate(
  tx: Writer,
  deps: NewCertificateDeps,
  tenant: TenantRow,
  row: CertificateRow,
  ca?: CertificateRow,
): Promise<void> {
  await makeCertificateContent(tx, deps, tenant, row, ca)
  if (row.kind === 'iaca' && row.isActive) await addMissingSigners(tx, deps, tenant, row.id)
}

/** Creates the certificates of the root and its signers in the transaction that provisions a tenant. */
export async function completeRootOf(tx: Writer, deps: NewCertificateDeps, tenant: TenantRow): Promise<void> {
  const [root] = await findIncompleteCertificatesOf(tx, tenant.id)
  if (root) await completeCertificate(tx, deps, tenant, root)
}

function hasContent({ certificate, csr }: CertificateRow): boolean {
  return certificate !== null || csr !== null
}
