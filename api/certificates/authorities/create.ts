import { type CertificateRow, insertCertificate, isTaken } from '../../../db/repos/certificates/certificates.ts'
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { authorityTimes } from '../../../shared/domain/certificates/certificates.ts'
import { Problem, wrongField } from '../../../shared/errors/errors.ts'
import type { CertificateSubject } from '../../../shared/formats/x509/name.ts'
import { type AuthorityKind, certificateProfiles, plusPeriod } from '../../../shared/formats/x509/profiles.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Deps } from '../../deps.ts'
import { enforceCertificateQuota, requestCertificateContent } from '../request-certificate.ts'
import { contentOfUpload } from '../upload.ts'
import type { NewAuthority } from './schemas.ts'

interface Input {
  tenantId: string
  kind: AuthorityKind
  body: NewAuthority
}

/**
 * Creates an authority. A managed authority gets a key, a certificate and its first CRL, and an active IACA its signers. With
 * `certificatePem`, the authority is the one of that certificate, and its key is external. Throws `conflict` at the limit.
 */
export async function createAuthority(
  deps: Deps,
  change: Change,
  { deadlineAt, ...input }: Input & { deadlineAt: number },
): Promise<CertificateRow> {
  const row = await insertAuthority(deps, change, input)
  return row.isManaged ? requestCertificateContent(deps, row, deadlineAt) : row
}

/** Stores the row of an authority. A managed authority has no certificate yet. Throws `conflict` at the limit. */
export function insertAuthority(
  { clock }: Pick<Deps, 'clock'>,
  change: Change,
  { tenantId, kind, body }: Input,
): Promise<CertificateRow> {
  const { active: isActive, certificatePem } = body
  const at = clock.now()
  const isManaged = certificatePem === undefined
  const content = isManaged
    ? { subject: subjectFrom(body), ...timesOf(kind, body, at) }
    : contentOfUpload(certificatePem, { kind, at })
  return change(async (tx, record) => {
    await enforceCertificateQuota(tx, tenantId, kind, at)
    const inserted = await insertCertificate(tx, {
      ...{ id: newOrderedId(at), tenantId, kind, isManaged, madeBy: 'operator', isActive, createdAt: at },
      ...content,
    })
    if (!isManaged && (await isTaken(tx, tenantId, inserted))) {
      const { article, name } = certificateProfiles[kind]
      throw new Problem('conflict', {
        message: `${article === 'an' ? 'An' : 'A'} ${name} with this certificate exists already`,
      })
    }
    record(tenantId, { id: inserted.id, isManaged, ...(isActive && { active: true }) })
    return inserted
  })
}

function subjectFrom(body: NewAuthority): CertificateSubject {
  const { commonName = '', country = '', stateOrProvinceName, organisationName } = body
  return {
    country,
    ...(stateOrProvinceName !== undefined && { stateOrProvinceName }),
    ...(organisationName !== undefined && { organisationName }),
    commonName,
  }
}

function timesOf(kind: AuthorityKind, body: NewAuthority, at: Date): { notBefore: Date; notAfter: Date } {
  const { notBefore, notAfter } = authorityTimes(kind, at, body)
  if (notBefore > plusPeriod(at, { years: 1 })) throw wrongField('notBefore', 'Must be at most one year in the future')
  if (notAfter <= at || notAfter <= notBefore) throw wrongField('notAfter', 'Must be in the future and after notBefore')
  if (notAfter > plusPeriod(notBefore, certificateProfiles[kind].maxValidity))
    throw wrongField('notAfter', 'Must be at most 20 years after notBefore')
  return { notBefore, notAfter }
}
