import type { Writer } from '../../../db/client.ts'
import { type CertificateRow, insertCertificate } from '../../../db/repos/certificates/certificates.ts'
import { appendToAudit } from '../../../db/repos/operations/audit/audit.ts'
import type { TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import { authorityTimes, certificateEvents } from '../../../shared/domain/certificates/certificates.ts'
import { rootNameOf } from '../../../shared/domain/certificates/root-name.ts'
import { newOrderedId } from '../../../shared/ids.ts'

/**
 * Stores the active IACA of a new tenant, with the name of the tenant. The job that provisions the tenant creates its key, its certificate and
 * its signers. `country`: two upper-case letters (ISO 3166-1).
 */
export async function insertRoot(tx: Writer, tenant: TenantRow, country: string, at: Date): Promise<CertificateRow> {
  const { id: tenantId, name } = tenant
  const root = await insertCertificate(tx, {
    ...{ id: newOrderedId(at), tenantId, kind: 'iaca', isManaged: true, madeBy: 'operator', isActive: true },
    ...{ subject: { country, commonName: rootNameOf(name) }, ...authorityTimes('iaca', at), createdAt: at },
  })
  const entry = { tenantId, type: `${certificateEvents.iaca}_CREATE_AUDIT`, requestId: newOrderedId(at) }
  await appendToAudit(tx, [{ ...entry, data: { id: root.id, isManaged: true } }], at)
  return root
}
