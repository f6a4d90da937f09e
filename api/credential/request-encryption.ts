import type { Tenant } from '../access/subjects.ts'
import type { Deps } from '../deps.ts'

/**
 * What is inside an encrypted request (OpenID4VCI 1.0, section 10). Its private key is the signing process's: the JWE goes
 * there. Throws `invalid_encryption_parameters`.
 */
export function openRequest({ deps, tenant }: { deps: Deps; tenant: Tenant }, jwe: string): Promise<Buffer> {
  return deps.keys.decryptRequest({ tenantId: tenant.id, jwe })
}
