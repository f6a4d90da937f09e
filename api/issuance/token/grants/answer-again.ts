import { isSessionUsed } from '../../../../db/repos/issuance/issuances.ts'
import { findRefreshToken } from '../../../../db/repos/issuance/refresh-tokens.ts'
import type { SessionRow } from '../../../../db/repos/issuance/sessions.ts'
import { hashSecret } from '../../../../shared/ids.ts'
import { equalInConstantTime } from '../../../../shared/secrets.ts'
import { accessTokensOf, presentAccessToken } from '../access-token.ts'
import { refreshTokensOf } from '../refresh-token.ts'
import type { Granted, TokenCall } from './grant.ts'

/**
 * How long a code or refresh token can be exchanged again: a wallet whose answer was lost on the network asks within
 * seconds. RFC 6749, section 4.1.2, has a second use refused, because nobody knows which of two is the wallet: here both
 * prove the same, and there is one token for both.
 */
const againWithinMs = 10_000

/**
 * The same answer once more, for the wallet that a code or refresh token gave `session` to. Undefined when it is another
 * wallet or key, when the time is over, or when the token was used: then the answer had come, and this is a replay. An
 * answer that was never sent, because its process died, can be had as long as the token lives.
 */
export async function answerAgain(
  call: TokenCall,
  session: SessionRow | undefined,
  exchanged: string,
): Promise<Granted | undefined> {
  const { deps, tenant } = call
  const at = deps.clock.now()
  if (!session || session.expiresAt <= at || !isSameWallet(call, session)) return undefined
  if (session.sentAt !== null && at.getTime() - session.createdAt.getTime() > againWithinMs) return undefined
  // Another token follows where this one was given for something else, or under a service secret that is no more.
  const token = accessTokensOf(deps, session, exchanged).find((each) => isOf(each, session))
  if (token === undefined) return undefined
  if (await isSessionUsed(deps.db.read, tenant.id, session)) return undefined
  const granted = await presentAccessToken(deps, tenant, { token, session }, at)
  if (session.authorizationId === null || session.dpopJkt === null) return granted

  const { id, tokens } = refreshTokensOf(deps, session, exchanged)
  const row = await findRefreshToken(deps.db.read, tenant.id, id)
  const refresh = row?.spentAt === null ? tokens.find((each) => isOf(each, row)) : undefined
  return refresh === undefined ? undefined : { ...granted, response: { ...granted.response, refresh_token: refresh } }
}

function isOf(token: string, { tokenHash }: { tokenHash: string }): boolean {
  return equalInConstantTime(hashSecret(token), tokenHash)
}

function isSameWallet({ client, dpopJkt }: TokenCall, session: SessionRow): boolean {
  return (
    client.clientId === session.clientId && client.instanceJkt === session.instanceJkt && dpopJkt === session.dpopJkt
  )
}
