import type { z } from 'zod'
import type { Change } from '../../../db/audited.ts'
import { type CertificateRow, insertCertificate } from '../../../db/repos/certificates/certificates.ts'
import { backdatedMs, wholeSeconds } from '../../../shared/certificates.ts'
import { plusMs } from '../../../shared/clock.ts'
import { wrongField } from '../../../shared/errors.ts'
import { certificateProfiles, endOf } from '../../../shared/formats/x509/profiles.ts'
import { newId } from '../../../shared/ids.ts'
import type { Deps } from '../../deps.ts'
import { makeContent, requireRoomFor } from '../make.ts'
import type { NewIaca } from './schemas.ts'

type IacaBody = z.output<typeof NewIaca>

/** A managed IACA, not active yet, with its first CRL. Throws `conflict` at the limit. */
export async function createIaca(
  deps: Deps,
  change: Change,
  tenantId: string,
  body: IacaBody,
  deadlineAt: number,
): Promise<CertificateRow> {
  const at = deps.clock.now()
  const { commonName, country, stateOrProvinceName } = body
  const subject = { country, ...(stateOrProvinceName !== undefined && { stateOrProvinceName }), commonName }
  const times = timesOf(body, at)
  const row = await change(async (tx, tell) => {
    await requireRoomFor(tx, tenantId, 'iaca', at)
    const inserted = await insertCertificate(tx, {
      ...{ id: newId(), tenantId, kind: 'iaca', isManaged: true, madeBy: 'operator', isActive: false, createdAt: at },
      ...{ subject, ...times },
    })
    tell(tenantId, { id: inserted.id, isManaged: true })
    return inserted
  })
  return makeContent(deps, row, deadlineAt)
}

const { most, usual } = certificateProfiles.iaca

function timesOf(body: IacaBody, at: Date): { notBefore: Date; notAfter: Date } {
  const notBefore = wholeSeconds(body.notBefore ?? plusMs(at, -backdatedMs))
  const notAfter = wholeSeconds(body.notAfter ?? endOf(notBefore, usual))
  if (notBefore > endOf(at, { years: 1 })) throw wrongField('notBefore', 'Must be at most a year ahead')
  if (notAfter <= at || notAfter <= notBefore) throw wrongField('notAfter', 'Must lie ahead, and after notBefore')
  if (notAfter > endOf(notBefore, most)) throw wrongField('notAfter', 'Must be at most 20 years after notBefore')
  return { notBefore, notAfter }
}
