import type { Writer } from '../../db/client.ts'
import {
  type CertificateRow,
  deleteCertificate,
  deleteSignersUnder,
  hasSigners,
} from '../../db/repos/certificates/certificates.ts'
import { deleteCrl } from '../../db/repos/certificates/crls.ts'
import { deleteKeys } from '../../db/repos/identifiers/keys.ts'
import { resignListsOfSigner } from '../../db/repos/status/publishing.ts'
import { Problem } from '../../shared/errors/errors.ts'
import type { CertificateKind } from '../../shared/formats/x509/profiles.ts'

interface Input {
  tenantId: string
  kind: CertificateKind
  id: string
  at: Date
}

/**
 * Removes a certificate, its key, and the CRL of an authority. Returns false if the certificate does not exist. Throws `conflict`
 * for an active certificate, and for an authority that has signers. A RICAL signer of an external root can be active: the lists
 * that the signer has signed stay valid. A publication in progress fails at its commit, because the signer is gone.
 */
export async function removeCertificate(tx: Writer, { tenantId, kind, id, at }: Input): Promise<boolean> {
  const row = await deleteCertificate(tx, tenantId, kind, id)
  if (!row) return false
  if (isInUse(row, at))
    throw new Problem('conflict', { message: 'The certificate is active. Deactivate it before deleting it.' })
  if (row.caId === null) await removeWhatIsUnder(tx, row, at)
  await resignListsOfSigner(tx, tenantId, id, at)
  await deleteKeys(tx, tenantId, { kind: 'certificate', id }, 'certificate', at)
  return true
}

function isInUse({ kind, isManaged, isActive, retiredAt, notAfter }: CertificateRow, at: Date): boolean {
  if (kind === 'rical-signer' && !isManaged) return false
  return isActive && retiredAt === null && notAfter !== null && notAfter > at
}

async function removeWhatIsUnder(tx: Writer, { tenantId, kind, id }: CertificateRow, at: Date): Promise<void> {
  // The signers of an ecosystem CA are deleted with it, because RICAL signers of a managed CA cannot be deleted alone. The service created some
  // signers of an IACA when it became active, and others when they were needed, such as those of status lists. These signers no longer sign,
  // and what they signed does not need their rows: no valid credential has its status in a list under the IACA.
  const deletedSigners = await deleteSignersUnder(tx, tenantId, id, kind === 'iaca' ? 'service' : undefined)
  if (await hasSigners(tx, tenantId, id)) {
    throw new Problem('conflict', { message: 'The authority has signers. Delete its signers first.' })
  }
  for (const signer of deletedSigners)
    await deleteKeys(tx, tenantId, { kind: 'certificate', id: signer }, 'certificate', at)
  await deleteCrl(tx, tenantId, id)
}
