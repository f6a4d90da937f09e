import type { Reader } from '../../../../db/client.ts'
import { isSessionUsed } from '../../../../db/repos/issuance/issuances.ts'
import { findRefreshToken } from '../../../../db/repos/issuance/refresh-tokens.ts'
import type { SessionRow } from '../../../../db/repos/issuance/sessions.ts'
import { hashSecret } from '../../../../shared/ids.ts'
import { equalInConstantTime } from '../../../../shared/secrets.ts'
import { accessTokensOf, type NewAccessToken, presentAccessToken } from '../access-token.ts'
import { refreshTokensOf } from '../refresh-token.ts'
import type { Granted, TokenCall } from './grant.ts'

/** The time in which a wallet can repeat a token request whose response was lost. */
const repeatableForMs = 10_000

/** The tokens of the first use of a code or refresh token. */
export interface Repeat extends NewAccessToken {
  refreshToken?: string
}

/**
 * Finds the tokens of `session` for a wallet that repeats its token request with `exchanged`, a code or refresh token.
 * Returns undefined for a second use (RFC 6749, section 4.1.2; FAPI 2.0 Security Profile, section 5.3.2.2). A request
 * is a second use if it is not bound, if another wallet or key sends it, after ten seconds, or after the token was
 * used. A used token proves that the response arrived. A process that crashed before it sent the response does not set
 * `sentAt`. Then a bound request can be repeated while the token is valid.
 */
export async function findRepeat(
  db: Reader,
  call: TokenCall,
  session: SessionRow | undefined,
  exchanged: string,
): Promise<Repeat | undefined> {
  const { deps, tenant } = call
  const at = deps.clock.now()
  if (!session || session.expiresAt <= at || !isBoundTo(call, session)) return undefined
  if (session.sentAt !== null && at.getTime() - session.createdAt.getTime() > repeatableForMs) return undefined
  // No token matches if the service secret of the first use was removed.
  const token = accessTokensOf(deps, session, exchanged).find((each) => isOf(each, session))
  if (token === undefined) return undefined
  if (await isSessionUsed(db, tenant.id, session)) return undefined
  if (session.authorizationId === null || session.dpopJkt === null) return { token, session }

  const { id, tokens } = refreshTokensOf(deps, session, exchanged)
  const row = await findRefreshToken(db, tenant.id, id)
  const refreshToken = row?.spentAt === null ? tokens.find((each) => isOf(each, row)) : undefined
  return refreshToken === undefined ? undefined : { token, session, refreshToken }
}

/** Returns the same response as the first, with the remaining lifetime of the token. */
export async function presentRepeat({ deps, tenant }: TokenCall, repeat: Repeat): Promise<Granted> {
  const { refreshToken, ...issued } = repeat
  const granted = await presentAccessToken(deps, tenant, issued, deps.clock.now())
  if (refreshToken === undefined) return granted
  return { ...granted, response: { ...granted.response, refresh_token: refreshToken } }
}

function isOf(token: string, { tokenHash }: { tokenHash: string }): boolean {
  return equalInConstantTime(hashSecret(token), tokenHash)
}

/**
 * Returns whether the request proves that it comes from the wallet of the first use. It proves this by the same DPoP
 * key, by the same attested instance, or, for an authorization code, by the PKCE verifier of the same registered
 * client. The grant checks the verifier. Codes of the `haip` profile are strictly single-use.
 */
function isBoundTo({ client, dpopJkt, tenant, request }: TokenCall, session: SessionRow): boolean {
  if (tenant.profile === 'haip' && request.grant_type !== 'refresh_token') return false
  const isSameWallet =
    client.clientId === session.clientId && client.instanceJkt === session.instanceJkt && dpopJkt === session.dpopJkt
  const isBoundByVerifier = session.authorizationId !== null && session.registrationId !== null
  return isSameWallet && (session.dpopJkt !== null || session.instanceJkt !== null || isBoundByVerifier)
}
