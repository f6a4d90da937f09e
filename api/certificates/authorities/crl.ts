import type { Reader } from '../../../db/client.ts'
import { findCertificate } from '../../../db/repos/certificates/certificates.ts'
import { findCrlOf } from '../../../db/repos/certificates/crls.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import type { AuthorityKind } from '../../../shared/formats/x509/profiles.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'

/** Short, so that verifiers see a revocation soon. */
const freshForSeconds = 60

interface Input {
  tenantId: string
  kind: AuthorityKind
  /** The name of the path parameter that holds the id. */
  param: string
  id: string
}

/**
 * Returns the newest CRL of an authority, with a version for conditional requests. Throws `service_unavailable` for an expired
 * CRL, `gone` for that of an expired authority, `no_crl` for an authority without one, and `not_found`.
 */
export async function answerCrl({ db, clock }: Deps, { tenantId, kind, param, id }: Input): Promise<Answer> {
  const crl = await findCrlOf(db.read, tenantId, kind, id)
  if (!crl) {
    throw (await findCertificate(db.read, tenantId, kind, id)) ? new Problem('no_crl') : notFound(param, id)
  }
  const { content, number, thisUpdate, nextUpdate } = crl
  const leftSeconds = Math.floor((nextUpdate.getTime() - clock.now().getTime()) / 1000)
  if (leftSeconds <= 0) throw await expired(db.read, { tenantId, kind, id }, clock.now())
  return new Answer(content, {
    // A restored database can assign a CRL number a second time.
    version: `${number}-${thisUpdate.getTime()}`,
    maxAgeSeconds: Math.min(freshForSeconds, leftSeconds),
  })
}

/** An authority that has expired gets no further CRL. All certificates under it have expired too. */
async function expired(
  db: Reader,
  { tenantId, kind, id }: Pick<Input, 'tenantId' | 'kind' | 'id'>,
  at: Date,
): Promise<Problem> {
  const notAfter = (await findCertificate(db, tenantId, kind, id))?.notAfter
  if (notAfter && notAfter <= at)
    return new Problem('gone', { message: 'The authority has expired. It publishes no more revocation lists.' })
  return new Problem('service_unavailable', { message: 'The CRL has expired. It is renewed soon. Try again.' })
}
