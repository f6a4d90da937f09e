import type { Change } from '../../../db/audited.ts'
import { hold } from '../../../db/hold.ts'
import { type CertificateRow, isMade, updateCertificate } from '../../../db/repos/certificates/certificates.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { notFound, wrongField } from '../../../shared/errors.ts'
import type { Deps } from '../../deps.ts'

interface Asked {
  tenantId: string
  id: string
  active: boolean
}

/** Decides whether credentials are signed under an IACA. What was signed stays; so does its CRL. */
export async function activateIaca(
  { clock }: Deps,
  change: Change,
  { tenantId, id, active }: Asked,
): Promise<CertificateRow> {
  return change(async (tx, tell) => {
    const row = await hold(tx, certificates, tenantId, id)
    if (row?.kind !== 'iaca' || !isMade(row)) throw notFound('iacaId', id)
    if (active && row.notAfter <= clock.now()) throw wrongField('active', 'An IACA that is over stays inactive')
    tell(tenantId, { id, active })
    return (await updateCertificate(tx, row, { isActive: active })) ?? row
  })
}
