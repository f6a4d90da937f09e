import { findCertificate } from '../../../db/repos/certificates/certificates.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Deps } from '../../deps.ts'

interface Input {
  tenantId: string
  kind: SignerKind
  /** The name of the path parameter that holds the id. */
  param: string
  id: string
}

/** Throws `bad_request` for a RICAL signer of a managed CA, because such a signer is deleted with its CA. */
export async function requireRemovable({ db }: Deps, { tenantId, kind, param, id }: Input): Promise<void> {
  if (kind !== 'rical-signer') return
  const row = await findCertificate(db.read, tenantId, kind, id)
  if (!row?.isManaged) return
  const msg = 'A RICAL signer of a managed CA cannot be deleted alone. Deactivate it instead.'
  throw new Problem('bad_request', { message: msg, details: [{ value: id, msg, param, location: 'params' }] })
}
