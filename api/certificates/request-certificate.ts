import type { Writer } from '../../db/client.ts'
import { holdTenant } from '../../db/hold.ts'
import { cancelCertificate } from '../../db/repos/certificates/cancel-certificate.ts'
import { type CertificateRow, countCertificates, findCertificate } from '../../db/repos/certificates/certificates.ts'
import { maxCertificates } from '../../shared/domain/certificates/certificates.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { type CertificateKind, certificateProfiles } from '../../shared/formats/x509/profiles.ts'
import type { Deps } from '../deps.ts'

/**
 * Requires that the tenant can have one more certificate of this kind. Call it first in the transaction that stores the
 * certificate. Throws `conflict` at the limit.
 */
export async function enforceCertificateQuota(
  tx: Writer,
  tenantId: string,
  kind: CertificateKind,
  at: Date,
): Promise<void> {
  // The lock makes concurrent transactions run one after another, so that each counts the rows of the others.
  await holdTenant(tx, tenantId)
  const max = maxCertificates[kind]
  if ((await countCertificates(tx, tenantId, kind, at)) < max) return
  throw new Problem('conflict', {
    message: `A tenant can have at most ${max} ${certificateProfiles[kind].name}s. Delete one first.`,
  })
}

/**
 * Requests the certificate or the certificate request of a stored row from the signing process, and returns the complete row.
 * Without an answer before the deadline, the row is deleted and the function throws `service_unavailable`.
 */
export async function requestCertificateContent(
  deps: Deps,
  { tenantId, id, kind }: CertificateRow,
  deadlineAt: number,
): Promise<CertificateRow> {
  try {
    await deps.keys.call('makeCertificate', { tenantId, certificateId: id }, { deadlineAt })
  } catch (error) {
    // The first change of the row wins. If the signing process completed the row before the cancellation, the row stays.
    if (await cancelCertificate(deps, tenantId, id)) throw error
  }
  const made = await findCertificate(deps.db.read, tenantId, kind, id)
  if (!made) throw new Problem('service_unavailable')
  return made
}
