import { findEncryptionKeys } from '../../../db/repos/identifiers/keys.ts'
import { compressions, contentEncryptions, keyAgreements } from '../../../shared/formats/jwe.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/**
 * Returns the encryption metadata (OpenID4VCI 1.0, sections 10 and 12.2.4). It is empty until the tenant has a key,
 * because only an encrypted request can ask for an encrypted response.
 */
export async function encryptionMetadata(deps: Deps, tenant: Tenant) {
  const rows = await findEncryptionKeys(deps.db.read, tenant.id)
  if (rows.length === 0) return {}
  const { requestRequired, responseRequired } = tenant.settings.encryption
  const shared = { enc_values_supported: [...contentEncryptions], zip_values_supported: [...compressions] }
  return {
    credential_request_encryption: {
      // Section 10: alg is required, because wallets use it.
      jwks: {
        keys: rows.map(({ id, algorithm, publicJwk }) => ({ ...publicJwk, use: 'enc', alg: algorithm, kid: id })),
      },
      ...shared,
      encryption_required: requestRequired,
    },
    credential_response_encryption: {
      alg_values_supported: [...keyAgreements],
      ...shared,
      encryption_required: responseRequired,
    },
  }
}
