import { findCertificate } from '../../../db/repos/certificates/certificates.ts'
import { findCrl } from '../../../db/repos/certificates/crls.ts'
import { notFound, Problem } from '../../../shared/errors.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'

/** What was revoked meanwhile is to be seen soon. */
const freshForSeconds = 60

/** The newest CRL of an IACA, for whom has not got it already. One that is over is not given to anybody. */
export async function answerCrl({ db, clock }: Deps, tenantId: string, iacaId: string): Promise<Answer> {
  const crl = await findCrl(db.read, tenantId, iacaId)
  if (!crl) {
    const iaca = await findCertificate(db.read, tenantId, 'iaca', iacaId)
    throw iaca ? new Problem('no_crl') : notFound('iacaId', iacaId)
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
