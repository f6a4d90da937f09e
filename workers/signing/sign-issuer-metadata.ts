import { tenantItself } from '../../db/repos/identifiers/keys.ts'
import { unixSeconds } from '../../shared/clock.ts'
import type { MetadataSignatureRequest } from '../../shared/jobs/payloads.ts'
import type { SigningDeps } from './deps.ts'
import { signJwt } from './sign-jwt.ts'

const lifetimeSeconds = 24 * 3600

/**
 * Issuer metadata as a JWT (OpenID4VCI 1.0, section 12.2.3), signed with the tenant's token key, which its `kid` names in
 * `jwks_uri`. A wallet that wants a certificate chain has to ask for the unsigned form: there is none for this key.
 */
export async function signIssuerMetadata(
  deps: SigningDeps,
  { tenantId, issuer, metadata }: MetadataSignatureRequest,
): Promise<{ jwt: string }> {
  const key = await deps.currentKeys.of(deps.db.read, tenantId, tenantItself, {
    purpose: 'token',
    algorithm: 'Ed25519',
  })
  const iat = unixSeconds(deps.clock.now())
  const claims = { ...metadata, iss: issuer, sub: issuer, iat, exp: iat + lifetimeSeconds }
  return { jwt: signJwt(key, 'openidvci-issuer-metadata+jwt', claims) }
}
