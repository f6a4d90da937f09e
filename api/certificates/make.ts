import type { Writer } from '../../db/client.ts'
import { holdTenant } from '../../db/hold.ts'
import { cancelCertificate } from '../../db/repos/certificates/cancel-certificate.ts'
import { type CertificateRow, countCertificates, findCertificate } from '../../db/repos/certificates/certificates.ts'
import { mostCertificates } from '../../shared/domain/certificates/certificates.ts'
import { Problem } from '../../shared/errors.ts'
import { type CertificateKind, certificateProfiles } from '../../shared/formats/x509/profiles.ts'
import type { Deps } from '../deps.ts'

/** The first step of a transaction that stores one more of a kind. Throws `conflict` where a tenant has as many as it may. */
export async function enforceCertificateQuota(
  tx: Writer,
  tenantId: string,
  kind: CertificateKind,
  at: Date,
): Promise<void> {
  // Of two that are stored at once the second sees the first.
  await holdTenant(tx, tenantId)
  const most = mostCertificates[kind]
  if ((await countCertificates(tx, tenantId, kind, at)) < most) return
  throw new Problem('conflict', { message: `There may be ${most} ${certificateProfiles[kind].name}s at most` })
}

/**
 * Has the signing process make what a stored row is for, and returns the row with it. When it does not answer in time, nothing
 * is left behind; throws `service_unavailable`.
 */
export async function requestCertificateContent(
  deps: Deps,
  { tenantId, id, kind }: CertificateRow,
  deadlineAt: number,
): Promise<CertificateRow> {
  try {
    await deps.keys.call('makeCertificate', { tenantId, certificateId: id }, { deadlineAt })
  } catch (error) {
    // Whoever changes the row first decides; it may have been made in the last moment.
    if (await cancelCertificate(deps, tenantId, id)) throw error
  }
  const made = await findCertificate(deps.db.read, tenantId, kind, id)
  if (!made) throw new Problem('service_unavailable')
  return made
}
