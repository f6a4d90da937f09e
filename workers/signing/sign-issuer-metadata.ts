import { tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { findTenant } from '../../db/repos/tenancy/tenants.ts'
import { unixSeconds } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors.ts'
import { publicJwk } from '../../shared/formats/jwk.ts'
import type { MetadataSignatureRequest } from '../../shared/jobs/payloads.ts'
import type { SigningDeps } from './deps.ts'
import { signEs256Jwt } from './sign-jwt.ts'

const lifetimeSeconds = 24 * 3600

/**
 * Signs issuer metadata as a JWT (OpenID4VCI 1.0, section 12.2.3) with the P-256 key of the tenant's did:web. The header has the key and its
 * DID URL. Wallets find the key in the DID document or at `jwks_uri`. There is no `x5c`, because this key has no certificate.
 */
export async function signIssuerMetadata(
  { db, clock, currentKeys, keyTerms }: SigningDeps,
  { tenantId, issuer, metadata }: MetadataSignatureRequest,
): Promise<{ jwt: string }> {
  const tenant = await findTenant(db.read, tenantId)
  if (!tenant) throw new Problem('not_found')
  const use = { purpose: 'did', algorithm: 'ES256' } as const
  const key = await currentKeys.of(db.read, tenantId, tenantOwner, use)
  const iat = unixSeconds(clock.now())
  const exp = iat + lifetimeSeconds
  await keyTerms.extendTo(tenantId, key.id, new Date(exp * 1000))
  const header = { typ: 'openidvci-issuer-metadata+jwt', kid: `${tenant.did}#${key.id}`, jwk: publicJwk(key.publicKey) }
  return { jwt: signEs256Jwt(key, header, { ...metadata, iss: issuer, sub: issuer, iat, exp }) }
}
