import { z } from 'zod'
import { findPublishedKeys, type PublicKeyRow, tenantOwner } from '../../db/repos/identifiers/keys.ts'
import type { KeyPurpose } from '../../db/tables/identifiers/keys.ts'
import type { Deps } from '../deps.ts'
import { described, exampleKid, named } from '../http/fields.ts'

/** Returns the schema of a JWK set of Ed25519 keys (RFC 8037). `title` names the schema of a key. */
export function keySetOf(title: string, { signs, kid, keys }: { signs: string; kid: string; keys: string }) {
  const Jwk = z.object({
    kty: described(z.string(), 'The key type', 'OKP'),
    crv: described(z.string(), 'The curve', 'Ed25519'),
    x: described(z.string(), 'The public key, base64url', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
    use: z.literal('sig').describe('The use of the key'),
    kid: described(z.string(), kid, exampleKid),
  })
  return z.object({ keys: z.array(named(title, `A public key that signs ${signs} (RFC 8037)`, Jwk)).describe(keys) })
}

/** Returns the JWK set of the tenant's published keys for a purpose. */
export async function presentKeySet({ db, clock }: Deps, tenantId: string, purpose: KeyPurpose) {
  const keys = await findPublishedKeys(db.read, tenantId, tenantOwner, purpose, clock.now())
  return { keys: keys.map(presentKey) }
}

function presentKey({ id, publicJwk }: PublicKeyRow) {
  return { ...publicJwk, use: 'sig', kid: id }
}
