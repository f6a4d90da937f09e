import { findPublishedKeys, type PublicKeyRow, tenantItself } from '../../../db/repos/identifiers/keys.ts'
import { type DidDocument, didWebDocument } from '../../../shared/formats/did-document.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** The document of the tenant's did:web, with its four keys. */
export async function didDocument(deps: Deps, tenant: Tenant): Promise<DidDocument> {
  const rows = await findPublishedKeys(deps.db.read, tenant.id, tenantItself, 'did', deps.clock.now())
  return didWebDocument(tenant.did, {
    p256: keyOf(rows, (jwk) => (jwk.kty === 'EC' ? jwk : undefined)),
    ed25519: keyOf(rows, (jwk) => (jwk.kty === 'OKP' && jwk.crv === 'Ed25519' ? jwk : undefined)),
    bls12381G2: keyOf(rows, (jwk) => (jwk.crv === 'Bls12381G2' ? jwk : undefined)),
    x25519: keyOf(rows, (jwk) => (jwk.kty === 'OKP' && jwk.crv === 'X25519' ? jwk : undefined)),
  })
}

function keyOf<Jwk>(rows: PublicKeyRow[], pick: (jwk: PublicKeyRow['publicJwk']) => Jwk | undefined) {
  for (const { id, publicJwk } of rows) {
    const picked = pick(publicJwk)
    if (picked) return { fragment: id, publicJwk: picked }
  }
  throw new Error('the tenant lacks a key of its DID')
}
