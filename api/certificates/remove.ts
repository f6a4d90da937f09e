import type { Writer } from '../../db/client.ts'
import { type CertificateRow, deleteCertificate, hasSigners } from '../../db/repos/certificates/certificates.ts'
import { deleteCrl } from '../../db/repos/certificates/crls.ts'
import { deleteKeys } from '../../db/repos/identifiers/keys.ts'
import { endSignaturesOf } from '../../db/repos/status/publishing.ts'
import { Problem } from '../../shared/errors.ts'
import type { CertificateKind } from '../../shared/formats/x509/profiles.ts'

interface Asked {
  tenantId: string
  kind: CertificateKind
  id: string
  at: Date
}

/**
 * Removes a certificate with its key, and an authority's CRL with it; false when there is none. Throws `conflict` while it is in
 * use: while it signs, and an authority while there are signers under it.
 */
export async function removeCertificate(tx: Writer, { tenantId, kind, id, at }: Asked): Promise<boolean> {
  const row = await deleteCertificate(tx, tenantId, kind, id)
  if (!row) return false
  if (isInUse(row, at)) throw new Problem('conflict', { message: 'In use: it is to be made inactive before' })
  if (row.caId === null && (await hasSigners(tx, tenantId, id))) {
    throw new Problem('conflict', { message: 'In use: there are signers under it' })
  }
  await endSignaturesOf(tx, tenantId, id, at)
  await deleteKeys(tx, tenantId, { kind: 'certificate', id }, 'certificate')
  if (row.caId === null) await deleteCrl(tx, tenantId, id)
  return true
}

function isInUse({ isActive, retiredAt, notAfter }: CertificateRow, at: Date): boolean {
  return isActive && retiredAt === null && notAfter !== null && notAfter > at
}
