import { findCertificate } from '../../../db/repos/certificates/certificates.ts'
import type { AuthorityKind } from '../../../shared/formats/x509/profiles.ts'
import type { Measure } from '../../access/approvals.ts'
import type { OperatorCall } from '../../http/idempotency.ts'

/** A request deletes one authority. The operation refuses an active one that has not expired. `param` is the parameter with the id. */
export function measureDeletionOf(kind: AuthorityKind, param: string) {
  return async ({ tenantId, params, deps }: OperatorCall): Promise<Measure> => {
    // Boundary: the schema of the operation has read the parameters.
    const id = (params as Record<string, string>)[param] ?? ''
    const authority = await findCertificate(deps.db.read, tenantId, kind, id)
    if (!authority) return { objects: 0, details: {} }
    const { isActive, notAfter, subject } = authority
    if (isActive && notAfter !== null && notAfter > deps.clock.now()) return { objects: 0, details: {} }
    return { objects: 1, details: { kind, id, commonName: subject.commonName } }
  }
}
