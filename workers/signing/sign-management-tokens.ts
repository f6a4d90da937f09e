import { sign } from 'node:crypto'
import { unixSeconds } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import type { ManagementTokenRequest } from '../../shared/jobs/registry.ts'
import type { SigningDeps } from './deps.ts'

/** A management access token: a JWT of the profile of RFC 9068 (`at+jwt`), signed with the tenant's token key. */
export async function signManagementToken(
  deps: SigningDeps,
  request: ManagementTokenRequest,
): Promise<{ accessToken: string }> {
  const { id, privateKey } = await deps.keyring.signingKey(deps.db.read, request.tenantId, 'token', 'Ed25519')
  const issuedAt = unixSeconds(deps.clock.now())
  const header = { alg: 'EdDSA', typ: 'at+jwt', kid: id }
  const payload = {
    iss: request.issuer,
    aud: request.issuer,
    sub: request.clientId,
    client_id: request.clientId,
    roles: request.roles,
    iat: issuedAt,
    exp: issuedAt + request.lifetimeSeconds,
    jti: newId(),
  }
  const signingInput = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return { accessToken: `${signingInput}.${sign(null, Buffer.from(signingInput), privateKey).toString('base64url')}` }
}
