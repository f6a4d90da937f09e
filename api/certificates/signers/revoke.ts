import { isMade, updateCertificate } from '../../../db/repos/certificates/certificates.ts'
import { insertRevoked } from '../../../db/repos/certificates/crls.ts'
import type { Change } from '../../../db/repos/operations/audited.ts'
import { endSignaturesOf } from '../../../db/repos/status/publishing.ts'
import { namedAuthority, wholeSeconds } from '../../../shared/domain/certificates/certificates.ts'
import { Problem } from '../../../shared/errors.ts'
import { certifierOf, type SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Deps } from '../../deps.ts'
import { holdSigner } from './replace.ts'

interface Asked {
  tenantId: string
  kind: SignerKind
  param: string
  id: string
  deadlineAt: number
}

/**
 * Revokes a signer for ever, and answers once it is on the CRL. When the signing process does not answer in time it is revoked
 * all the same, and its CRL follows; asked again, it says the same. Throws `bad_request` where the IACA is not managed.
 */
export async function revokeSigner(deps: Deps, change: Change, asked: Asked) {
  const { tenantId, id, deadlineAt } = asked
  const { caId, revokedAt } = await change(async (tx, tell) => {
    const { row, ca } = await holdSigner(tx, asked)
    if (!row.isManaged || !isMade(row)) throw notManaged(asked)
    const at = row.revokedAt ?? wholeSeconds(deps.clock.now())
    const { serialNumber } = row
    await insertRevoked(tx, { caId: ca.id, serialNumber, tenantId, revokedAt: at })
    await updateCertificate(tx, row, { isActive: false, revokedAt: at })
    await endSignaturesOf(tx, tenantId, id, deps.clock.now())
    tell(tenantId, { id, ...namedAuthority(certifierOf(asked.kind), ca.id) })
    return { caId: ca.id, revokedAt: at }
  })
  await deps.keys.call('publishCrl', { tenantId, caId }, { deadlineAt })
  return { revoked: true, revocationDate: revokedAt.toISOString() }
}

function notManaged({ param, id }: Asked): Problem {
  const msg = 'The key of its IACA is not here: whoever has it revokes the certificate'
  return new Problem('bad_request', { message: msg, details: [{ value: id, msg, param, location: 'params' }] })
}
