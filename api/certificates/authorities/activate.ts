import { hold } from '../../../db/hold.ts'
import { addToOutbox } from '../../../db/outbox.ts'
import { type CertificateRow, isComplete, updateCertificate } from '../../../db/repos/certificates/certificates.ts'
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { notFound, wrongField } from '../../../shared/errors/errors.ts'
import { type AuthorityKind, certificateProfiles } from '../../../shared/formats/x509/profiles.ts'
import type { Deps } from '../../deps.ts'

interface Activation {
  tenantId: string
  kind: AuthorityKind
  /** The parameter that has the id. */
  param: string
  id: string
  active: boolean
  requireMatch(before: CertificateRow): Promise<void>
}

/**
 * Makes an authority active or inactive. A job creates the signers of an active managed IACA. An inactive authority signs nothing new. Its
 * certificates and its CRL stay valid. Throws `not_found`, and `bad_request` for an expired authority.
 */
export async function activateAuthority(
  { clock, bus }: Deps,
  change: Change,
  activation: Activation,
): Promise<CertificateRow> {
  const { tenantId, kind, param, id, active, requireMatch } = activation
  const { article, name } = certificateProfiles[kind]
  const changed = await change(async (tx, record) => {
    const row = await hold(tx, certificates, tenantId, id)
    if (row?.kind !== kind || !isComplete(row)) throw notFound(param, id)
    await requireMatch(row)
    if (active && row.notAfter <= clock.now()) {
      throw wrongField('active', `${article === 'an' ? 'An' : 'A'} expired ${name} cannot be activated`)
    }
    record(tenantId, { id, active })
    const payload = { tenantId, caId: id }
    if (active && kind === 'iaca' && row.isManaged) await addToOutbox(tx, 'makeSigners', [{ id, payload }], clock.now())
    return (await updateCertificate(tx, row, { isActive: active })) ?? row
  })
  bus.poke()
  return changed
}
