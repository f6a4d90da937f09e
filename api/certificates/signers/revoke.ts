import { isComplete, updateCertificate } from '../../../db/repos/certificates/certificates.ts'
import { insertRevoked } from '../../../db/repos/certificates/crls.ts'
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { resignListsOfSigner } from '../../../db/repos/status/publishing.ts'
import { namedAuthority, wholeSeconds } from '../../../shared/domain/certificates/certificates.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { certifierOf, type SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Deps } from '../../deps.ts'
import { lockSigner } from './replace.ts'

interface Input {
  tenantId: string
  kind: SignerKind
  param: string
  id: string
  deadlineAt: number
}

/**
 * Revokes a signer permanently, and returns after the CRL with the signer is published. If the signing process does not answer in
 * time, the revocation stays and the CRL is published later. A repeated call returns the same date. Throws `bad_request` for an
 * external IACA.
 */
export async function revokeSigner(deps: Deps, change: Change, input: Input) {
  const { tenantId, id, deadlineAt } = input
  const { caId, revokedAt } = await change(async (tx, record) => {
    const { row, ca } = await lockSigner(tx, input)
    if (!row.isManaged || !isComplete(row)) throw notManaged(input)
    const at = row.revokedAt ?? wholeSeconds(deps.clock.now())
    const { serialNumber } = row
    await insertRevoked(tx, { caId: ca.id, serialNumber, tenantId, revokedAt: at })
    await updateCertificate(tx, row, { isActive: false, revokedAt: at })
    await resignListsOfSigner(tx, tenantId, id, deps.clock.now())
    record(tenantId, { id, ...namedAuthority(certifierOf(input.kind), ca.id) })
    return { caId: ca.id, revokedAt: at }
  })
  await deps.keys.call('publishCrl', { tenantId, caId }, { deadlineAt })
  return { revoked: true, revocationDate: revokedAt.toISOString() }
}

function notManaged({ param, id }: Input): Problem {
  const msg = 'The IACA is external. Revoke the certificate with the key of the IACA.'
  return new Problem('bad_request', { message: msg, details: [{ value: id, msg, param, location: 'params' }] })
}
