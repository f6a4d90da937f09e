import type { Writer } from '../../../db/client.ts'
import { revokeOfferSession } from '../../../db/repos/issuance/offers/offers.ts'
import {
  type AuthorizationRow,
  findAuthorization,
  revokeAuthorization,
} from '../../../db/repos/issuance/sessions/authorizations.ts'
import { findRefreshToken } from '../../../db/repos/issuance/sessions/refresh-tokens.ts'
import { deleteSessions, findSession, type SessionRow } from '../../../db/repos/issuance/sessions/sessions.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets/secrets.ts'
import { tracing } from '../../../shared/tracing/tracing.ts'
import type { Tenant } from '../../access/subjects.ts'
import { isOfView } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import { nextNonce } from '../../proofs/dpop.ts'
import type { AuthenticatedWallet } from '../wallets/wallet-authentication.ts'
import type { TokenCall } from './grants/grant.ts'
import type { RevocationRequest } from './schemas.ts'

export interface RevocationCall {
  deps: Deps
  tenant: Tenant
  body: RevocationRequest
  attribute: TokenCall['attribute']
}

/** A token that exists, and what its revocation ends. */
interface Revocable {
  client: Pick<SessionRow | AuthorizationRow, 'clientId' | 'instanceJkt'>
  dpopJkt: string | null
  revoke(tx: Writer): Promise<void>
}

/**
 * Revokes a token of the calling wallet (RFC 7009, section 2.1). A refresh token ends with its authorization, and so do the access tokens
 * of that authorization. An access token ends alone. A token that does not exist is revoked already. Throws `invalid_grant` for the token
 * of another wallet, and `invalid_dpop_proof` if the token is bound to a key and the proof is missing.
 */
export async function revokeToken(call: RevocationCall, wallet: AuthenticatedWallet): Promise<void> {
  const { deps, body } = call
  const finders = [findAccessToken, findRefresh]
  // Section 2.1: the hint only says which kind is searched first.
  if (body.token_type_hint === 'refresh_token') finders.reverse()
  for (const find of finders) {
    const token = await find(call)
    if (!token) continue
    requireSameWallet(call, token, wallet)
    await deps.db.tx((tx) => token.revoke(tx))
    return
  }
}

async function findAccessToken({ deps, tenant, body, attribute }: RevocationCall): Promise<Revocable | undefined> {
  const session = await findSession(deps.db.read, tenant.id, idOfSecret(body.token))
  if (!session || !isOfView(tenant, session) || !equalInConstantTime(hashSecret(body.token), session.tokenHash))
    return undefined
  const { id, offerId, authorizationId, dpopJkt, traceparent } = session
  attribute(offerId, { sessionId: id })
  tracing?.join(traceparent)
  const revoke = (tx: Writer) =>
    authorizationId === null && offerId !== null
      ? revokeOfferSession(tx, tenant.id, offerId, id)
      : deleteSessions(tx, tenant.id, { id })
  return { client: session, dpopJkt, revoke }
}

async function findRefresh({ deps, tenant, body, attribute }: RevocationCall): Promise<Revocable | undefined> {
  const token = await findRefreshToken(deps.db.read, tenant.id, idOfSecret(body.token))
  if (!token || !equalInConstantTime(hashSecret(body.token), token.tokenHash)) return undefined
  const { authorizationId, dpopJkt } = token
  const authorization = await findAuthorization(deps.db.read, tenant.id, authorizationId)
  if (!authorization || !isOfView(tenant, authorization)) return undefined
  attribute(authorization.offerId)
  tracing?.join(authorization.traceparent)
  return { client: authorization, dpopJkt, revoke: (tx) => revokeAuthorization(tx, tenant.id, authorizationId) }
}

function requireSameWallet(
  { deps, tenant }: RevocationCall,
  token: Revocable,
  { client, dpopJkt }: AuthenticatedWallet,
): void {
  const { clientId, instanceJkt } = token.client
  // A token of an anonymous wallet has no client.
  const isSameClient = clientId === null || clientId === client.clientId
  if (!isSameClient || (instanceJkt !== null && instanceJkt !== client.instanceJkt))
    throw new Problem('invalid_grant', { message: 'The token was issued to another client', check: 'code_client' })
  if (token.dpopJkt === null) return
  if (dpopJkt === null) {
    throw new Problem('invalid_dpop_proof', {
      message: 'The token is bound to a key: a DPoP proof is required',
      headers: nextNonce(deps, tenant, 'server'),
      check: 'dpop_key',
    })
  }
  if (dpopJkt !== token.dpopJkt)
    throw new Problem('invalid_grant', { message: 'The token is bound to another key', check: 'dpop_key' })
}
