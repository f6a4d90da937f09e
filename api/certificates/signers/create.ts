import type { Writer } from '../../../db/client.ts'
import { holdShared } from '../../../db/hold.ts'
import {
  type CertificateRow,
  type CompleteCertificate,
  insertCertificate,
  isComplete,
} from '../../../db/repos/certificates/certificates.ts'
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import {
  authorityFields,
  authorityPaths,
  namedAuthority,
  signerSubject,
} from '../../../shared/domain/certificates/certificates.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { certificateProfiles, certifierOf, type SignerKind } from '../../../shared/formats/x509/profiles.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { enforceCertificateQuota, requestCertificateContent } from '../request-certificate.ts'

interface Input {
  tenant: Tenant
  kind: SignerKind
  caId: string
  deadlineAt: number
}

/**
 * Creates a signer. Under a managed authority, the signer is active and has a certificate. Under an external authority, it has a
 * certificate request (CSR). Throws `conflict` at the limit.
 */
export async function createSigner(
  deps: Deps,
  change: Change,
  { tenant, kind, caId, deadlineAt }: Input,
): Promise<CertificateRow> {
  const at = deps.clock.now()
  const row = await change(async (tx, record) => {
    await enforceCertificateQuota(tx, tenant.id, kind, at)
    const { subject, isManaged } = await findIssuer(tx, tenant.id, kind, caId, at)
    const inserted = await insertCertificate(tx, {
      ...{ id: newOrderedId(at), tenantId: tenant.id, kind, caId, madeBy: 'operator', createdAt: at },
      ...{ isManaged, isActive: isManaged, subject: signerSubject(kind, subject, new URL(tenant.baseUrl).host) },
    })
    record(tenant.id, { id: inserted.id, ...namedAuthority(certifierOf(kind), caId), madeBy: 'operator' })
    return inserted
  })
  return requestCertificateContent(deps, row, deadlineAt)
}

/** Finds the authority and locks it, so that it is not deleted before the signer is stored. Throws `bad_request`. */
async function findIssuer(
  tx: Writer,
  tenantId: string,
  kind: SignerKind,
  caId: string,
  at: Date,
): Promise<CompleteCertificate> {
  const ca = await holdShared(tx, certificates, tenantId, caId)
  const authority = certifierOf(kind)
  const field = authorityFields[authority]
  if (ca?.kind !== authority || !isComplete(ca)) throw unknownReference(field, caId, `GET ${authorityPaths[authority]}`)
  if (ca.notAfter <= at) throw wrongField(field, `The ${certificateProfiles[authority].name} has expired`, caId)
  return ca
}
