import { findCertificate } from '../../../db/repos/certificates/certificates.ts'
import { findCrlOf } from '../../../db/repos/certificates/crls.ts'
import { notFound, Problem } from '../../../shared/errors.ts'
import type { AuthorityKind } from '../../../shared/formats/x509/profiles.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'

/** What was revoked meanwhile is to be seen soon. */
const freshForSeconds = 60

interface Asked {
  tenantId: string
  kind: AuthorityKind
  /** The parameter that has the id. */
  param: string
  id: string
}

/** The newest CRL of an authority, for whom has not got it already. One that is over is not given to anybody. */
export async function answerCrl({ db, clock }: Deps, { tenantId, kind, param, id }: Asked): Promise<Answer> {
  const crl = await findCrlOf(db.read, tenantId, kind, id)
  if (!crl) {
    throw (await findCertificate(db.read, tenantId, kind, id)) ? new Problem('no_crl') : notFound(param, id)
  }
  const { content, number, thisUpdate, nextUpdate } = crl
  const leftSeconds = Math.floor((nextUpdate.getTime() - clock.now().getTime()) / 1000)
  if (leftSeconds <= 0) throw new Problem('service_unavailable', { message: 'The CRL is over and about to be renewed' })
  return new Answer(content, {
    // A database that was restored may give a number again.
    version: `${number}-${thisUpdate.getTime()}`,
    maxAgeSeconds: Math.min(freshForSeconds, leftSeconds),
  })
}
