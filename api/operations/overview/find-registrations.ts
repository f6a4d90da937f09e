import type { Reader } from '../../../db/client.ts'
import { findActiveAccessCertificate } from '../../../db/repos/issuance/access-certificates.ts'
import { findRegistrationCertificate } from '../../../db/repos/issuance/registration-certificates.ts'
import type { RegistrationKind } from './ending-certificates.ts'

interface Registration {
  id: string
  kind: RegistrationKind
  notAfter: Date
}

/** Returns the active access certificate of a tenant and its registration certificate, if they exist and have an end. */
export async function findRegistrations(db: Reader, tenantId: string): Promise<Registration[]> {
  const [access, registration] = await Promise.all([
    findActiveAccessCertificate(db, tenantId),
    findRegistrationCertificate(db, tenantId),
  ])
  const { expiresAt } = registration ?? {}
  return [
    ...(access ? [{ id: access.id, kind: 'access-certificate' as const, notAfter: access.notAfter }] : []),
    ...(expiresAt ? [{ id: tenantId, kind: 'registration-certificate' as const, notAfter: expiresAt }] : []),
  ]
}
