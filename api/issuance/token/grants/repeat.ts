import type { Reader } from '../../../../db/client.ts'
import { isSessionUsed } from '../../../../db/repos/issuance/issuances.ts'
import { findRefreshToken } from '../../../../db/repos/issuance/sessions/refresh-tokens.ts'
import { findExchanged, type SessionRow } from '../../../../db/repos/issuance/sessions/sessions.ts'
import { followsHaip } from '../../../../shared/domain/tenancy/protocol-profiles.ts'
import { hashSecret } from '../../../../shared/ids.ts'
import { equalInConstantTime } from '../../../../shared/secrets/secrets.ts'
import { accessTokensOf, type NewAccessToken, presentAccessToken } from '../access-token.ts'
import { refreshTokensOf } from '../refresh-token.ts'
import type { Granted, TokenCall } from './grant.ts'

/** The time in which a wallet can repeat a token request whose response was lost, and in which a race revokes nothing. */
const repeatableForMs = 10_000

/** The tokens of the first use of a code. */
export interface Repeat extends NewAccessToken {
  refreshToken?: string
}

/**
 * Finds the tokens of `session` for a wallet that repeats its token request with `exchanged`, its code. Returns
 * undefined for a second use (RFC 6749, section 4.1.2; FAPI 2.0 Security Profile, section 5.3.2.2). A request is a
 * second use if it is not bound, if another wallet or key sends it, after ten seconds, or after the token was used. A
 * used token proves that the response arrived. A process that crashed before it sent the response does not set
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
  if (session.sentAt !== null && !isRecent(session, at)) return undefined
  // No token matches if the secret of the first use was removed.
  const token = accessTokensOf(deps, tenant, session.id, exchanged).find((each) => isOf(each, session))
  if (token === undefined) return undefined
  if (await isSessionUsed(db, tenant.id, session)) return undefined
  if (session.authorizationId === null || session.dpopJkt === null) return { token, session }

  const { id, tokens } = refreshTokensOf(deps, tenant, session, exchanged)
  const row = await findRefreshToken(db, tenant.id, id)
  const refreshToken = row?.spentAt === null ? tokens.find((each) => isOf(each, row)) : undefined
  if (refreshToken === undefined) return undefined
  const isRefreshed = await findExchanged(db, tenant.id, session.authorizationId, hashSecret(refreshToken))
  return isRefreshed ? undefined : { token, session, refreshToken }
}

/**
 * Returns whether a second use of an unbound code can be a race of two wallets, or follow a lost response: within ten
 * seconds of the first, and before a credential was requested. It is refused, and revokes nothing.
 */
export async function isRace(
  db: Reader,
  { deps, tenant }: TokenCall,
  session: SessionRow | undefined,
): Promise<boolean> {
  if (!session || !isRecent(session, deps.clock.now())) return false
  return !(await isSessionUsed(db, tenant.id, session))
}

function isRecent({ createdAt }: SessionRow, at: Date): boolean {
  return at.getTime() - createdAt.getTime() <= repeatableForMs
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
function isBoundTo({ client, dpopJkt, tenant }: TokenCall, session: SessionRow): boolean {
  if (followsHaip(tenant.profile)) return false
  const isSameWallet =
    client.clientId === session.clientId && client.instanceJkt === session.instanceJkt && dpopJkt === session.dpopJkt
  const isBoundByVerifier = session.authorizationId !== null && session.registrationId !== null
  return isSameWallet && (session.dpopJkt !== null || session.instanceJkt !== null || isBoundByVerifier)
}
