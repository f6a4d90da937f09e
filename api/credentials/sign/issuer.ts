import { findDid } from '../../../db/repos/identifiers/dids.ts'
import { type DidProfile, profiles } from '../../../shared/domain/issuance/profiles.ts'
import { wrongField } from '../../../shared/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

const keyNames = { ES256: 'P-256', Ed25519: 'Ed25519' }

/** The DID in whose name is signed. Throws `bad_request`, by the name of the field, where it is not the tenant's or has no key for that. */
export async function requireIssuer(
  deps: Deps,
  tenant: Tenant,
  { did = tenant.did, param, profile }: { did: string | undefined; param: string; profile: DidProfile },
): Promise<string> {
  if (did === tenant.did) return did
  const made = await findDid(deps.db.read, tenant.id, did)
  if (!made) throw wrongField(param, 'Not a DID of this tenant', did)
  const { keyAlgorithm } = profiles[profile]
  // A did:web has a key of each kind, a did:key has one.
  if (made.method === 'key' && made.keyType !== keyAlgorithm) {
    throw wrongField(
      param,
      `This DID has no ${keyNames[keyAlgorithm]} key, with which such credentials are signed`,
      did,
    )
  }
  return did
}
