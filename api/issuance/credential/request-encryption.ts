import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { credentialBodyLimitBytes } from '../proofs/batch-size.ts'

interface Sealed {
  deps: Deps
  tenant: Tenant
  deadlineAt: number
}

/**
 * Decrypts an encrypted request (OpenID4VCI 1.0, section 10). The signing process holds the private key, so the JWE is
 * sent to it. Throws `invalid_encryption_parameters`.
 */
export async function openRequest({ deps, tenant, deadlineAt }: Sealed, jwe: string): Promise<Buffer> {
  const request = { tenantId: tenant.id, jwe, maxBytes: credentialBodyLimitBytes(tenant) }
  const { plaintext } = await deps.keys.request('decryptRequests', request, { deadlineAt })
  return Buffer.from(plaintext, 'base64')
}
