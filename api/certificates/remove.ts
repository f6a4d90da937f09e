import type { Writer } from '../../db/client.ts'
import {
  type CertificateRow,
  deleteCertificate,
  deleteSignersUnder,
  hasSigners,
} from '../../db/repos/certificates/certificates.ts'
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
 * use: while it signs, and an authority while there are signers under it. A RICAL signer of an unmanaged root may be active: a list
 * that it has signed stays valid, and a publication that is under way finds at its commit that the signer is gone.
 */
export async function removeCertificate(tx: Writer, { tenantId, kind, id, at }: Asked): Promise<boolean> {
  const row = await deleteCertificate(tx, tenantId, kind, id)
  if (!row) return false
  if (isInUse(row, at)) throw new Problem('conflict', { message: 'In use: it is to be made inactive before' })
  if (row.caId === null) await removeWhatIsUnder(tx, row)
  await endSignaturesOf(tx, tenantId, id, at)
  await deleteKeys(tx, tenantId, { kind: 'certificate', id }, 'certificate')
  return true
}

function isInUse({ kind, isManaged, isActive, retiredAt, notAfter }: CertificateRow, at: Date): boolean {
  if (kind === 'rical-signer' && !isManaged) return false
  return isActive && retiredAt === null && notAfter !== null && notAfter > at
}

async function removeWhatIsUnder(tx: Writer, { tenantId, kind, id }: CertificateRow): Promise<void> {
  // Not all of these can be deleted alone, and none of them signs any more: what they have signed does not ask for them.
  const gone = kind === 'ecosystem-ca' ? await deleteSignersUnder(tx, tenantId, id) : []
  if (await hasSigners(tx, tenantId, id)) {
    throw new Problem('conflict', { message: 'In use: there are signers under it' })
  }
  for (const signer of gone) await deleteKeys(tx, tenantId, { kind: 'certificate', id: signer }, 'certificate')
  await deleteCrl(tx, tenantId, id)
}
