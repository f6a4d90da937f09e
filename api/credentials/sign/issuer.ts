import { findDid } from '../../../db/repos/identifiers/dids.ts'
import { type DidProfile, profiles } from '../../../shared/domain/issuance/profiles.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

const keyNames = { ES256: 'P-256', Ed25519: 'Ed25519' }

/**
 * Returns the issuer DID. Throws `bad_request` with the name of the field for a DID that is not the tenant's or has no
 * suitable key.
 */
export async function requireIssuer(
  deps: Deps,
  tenant: Tenant,
  { did = tenant.did, param, profile }: { did: string | undefined; param: string; profile: DidProfile },
): Promise<string> {
  if (did === tenant.did) return did
  const made = await findDid(deps.db.read, tenant.id, did)
  if (!made) throw wrongField(param, 'Must be a DID of this tenant', did)
  const { keyAlgorithm } = profiles[profile]
  // A did:web has a key of each type. A did:key has one key.
  if (made.method === 'key' && made.keyType !== keyAlgorithm) {
    throw wrongField(param, `Must be a DID with a ${keyNames[keyAlgorithm]} key, which signs these credentials`, did)
  }
  return did
}
