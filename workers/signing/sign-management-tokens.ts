import { tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { unixSeconds } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import type { ManagementTokenRequest } from '../../shared/jobs/payloads.ts'
import type { SigningDeps } from './deps.ts'
import { signJwt } from './sign-jwt.ts'

/** Signs a management access token (RFC 9068, `at+jwt`) with the tenant's token key. */
export async function signManagementToken(
  deps: SigningDeps,
  request: ManagementTokenRequest,
): Promise<{ accessToken: string }> {
  const key = await deps.currentKeys.of(deps.db.read, request.tenantId, tenantOwner, {
    purpose: 'token',
    algorithm: 'Ed25519',
  })
  const issuedAt = unixSeconds(deps.clock.now())
  const payload = {
    iss: request.issuer,
    aud: request.issuer,
    sub: request.clientId,
    client_id: request.clientId,
    roles: request.roles,
    token_generation: request.tokenGeneration,
    iat: issuedAt,
    exp: issuedAt + request.lifetimeSeconds,
    jti: newId(),
  }
  return { accessToken: await signJwt(key, 'at+jwt', payload) }
}
