import { findCertificate } from '../../../db/repos/certificates/certificates.ts'
import { Problem } from '../../../shared/errors.ts'
import type { SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Deps } from '../../deps.ts'

interface Asked {
  tenantId: string
  kind: SignerKind
  /** The parameter that has the id. */
  param: string
  id: string
}

/** Throws `bad_request` for a RICAL signer of a managed CA: it goes with its CA. */
export async function requireRemovable({ db }: Deps, { tenantId, kind, param, id }: Asked): Promise<void> {
  if (kind !== 'rical-signer') return
  const row = await findCertificate(db.read, tenantId, kind, id)
  if (!row?.isManaged) return
  const msg = 'A RICAL signer is deleted alone only where the key of its CA is not here: make it inactive instead'
  throw new Problem('bad_request', { message: msg, details: [{ value: id, msg, param, location: 'params' }] })
}
