import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

interface Sealed {
  deps: Deps
  tenant: Tenant
  deadlineAt: number
}

/**
 * What is inside an encrypted request (OpenID4VCI 1.0, section 10). Its private key is the signing process's: the JWE goes
 * there. Throws `invalid_encryption_parameters`.
 */
export async function openRequest({ deps, tenant, deadlineAt }: Sealed, jwe: string): Promise<Buffer> {
  const request = { tenantId: tenant.id, jwe }
  const { plaintext } = await deps.keys.request('decryptRequests', request, { deadlineAt })
  return Buffer.from(plaintext, 'base64')
}
