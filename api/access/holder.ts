import type { findSession, SessionRow } from '../../db/repos/issuance/sessions/sessions.ts'
import type { KnownClaims } from '../../db/repos/issuance/users/known-claims.ts'
import { Problem, type ProblemOptions } from '../../shared/errors/errors.ts'
import { hashSecret, idOfSecret } from '../../shared/ids.ts'
import { equalInConstantTime } from '../../shared/secrets/secrets.ts'
import { tracing } from '../../shared/tracing/tracing.ts'
import type { Deps } from '../deps.ts'
import { descriptionOf } from '../http/problems.ts'
import { dpopChallenge, tokenChallenges } from '../proofs/challenge.ts'
import { checkDpop, type ProvenRequest } from '../proofs/dpop.ts'
import type { Holder, Tenant } from './subjects.ts'

interface HolderRequest extends ProvenRequest {
  about(offerId: string | null, names: { userId: string | undefined; sessionId: string }): void
}

/** Finds the session of an access token, with or without the claims of the user. */
type FindSession = (
  ...args: Parameters<typeof findSession>
) => Promise<SessionRow | (SessionRow & KnownClaims) | undefined>

/**
 * Authenticates a wallet by `Authorization: Bearer <access token>`, or by `DPoP <access token>` and a proof if the token is bound
 * to a key. The name of the scheme is case-insensitive (RFC 9110, section 11.1).
 */
export async function authenticateHolder(
  deps: Deps,
  tenant: Tenant,
  request: HolderRequest,
  find: FindSession,
): Promise<Holder> {
  const { authorization = '' } = request.headers
  const [, scheme, token] = /^(bearer|dpop)(?: +([A-Za-z0-9._~+/-]+=*))?$/i.exec(String(authorization)) ?? []
  // RFC 6750, section 3.1: the response to a request without authentication, or with an unknown scheme, contains no error code.
  if (!scheme && !/^(bearer|dpop) /i.test(String(authorization))) {
    throw new Problem('missing_token', {
      isWrongSecret: authorization !== '',
      headers: tokenChallenges(tenant, request.url),
    })
  }
  // RFC 9449, section 7.1: the challenge for a wrong DPoP token is of the scheme DPoP.
  const isDpop = /^dpop/i.test(String(authorization))
  const wrong = (options: ProblemOptions) =>
    isDpop ? wrongDpopToken(request.url, options) : wrongToken(tenant, request.url, options)
  if (!scheme || !token) throw wrong({ isWrongSecret: true })
  const session = await find(deps.db.read, tenant.id, idOfSecret(token))
  if (!session || !equalInConstantTime(hashSecret(token), session.tokenHash)) {
    throw wrong({ isWrongSecret: true })
  }
  // Events may contain the user id only if they are erased together with the user: the events of an offer for this user alone.
  const userId = session.authorizationId === null ? session.userId : undefined
  request.about(session.offerId, { userId, sessionId: session.id })
  tracing?.join(session.traceparent)
  if (session.expiresAt <= deps.clock.now()) throw wrong({ reason: 'The access token has expired' })
  await checkBinding(deps, tenant, request, session, scheme.toLowerCase(), token)
  return {
    sessionId: session.id,
    userId: session.userId,
    offerId: session.offerId,
    clientId: session.clientId,
    configurationIds: session.configurationIds,
    credentialIdentifiers: session.credentialIdentifiers,
    authorizationId: session.authorizationId,
    credentialsLeft: session.credentialsLeft,
    knownClaims: 'userClaims' in session ? session : undefined,
  }
}

/** RFC 9449, section 7: a bound token requires a proof of its key and is never accepted as a bearer token. */
async function checkBinding(
  deps: Deps,
  tenant: Tenant,
  request: ProvenRequest,
  { dpopJkt }: SessionRow,
  scheme: string,
  token: string,
): Promise<void> {
  if (dpopJkt === null && scheme === 'bearer') return
  const { url } = request
  const wrongBinding = (reason: string) => wrongDpopToken(url, { reason, check: 'access_token_key' })
  if (dpopJkt === null) throw wrongBinding('A bearer token was sent as a DPoP token')
  if (scheme === 'bearer') throw wrongBinding('A DPoP-bound token was sent as a bearer token')
  const proof = await checkDpop(deps, tenant, request, 'resource', token)
  if (!proof) {
    const headers = dpopChallenge(url, 'invalid_dpop_proof')
    throw new Problem('invalid_dpop_proof_at_resource', { headers })
  }
  if (proof.jkt !== dpopJkt) throw wrongBinding('The DPoP proof uses a different key than the access token')
}

function wrongDpopToken(url: string, options: ProblemOptions): Problem {
  return new Problem('invalid_token', { ...options, headers: dpopChallenge(url, 'invalid_token') })
}

/** Returns the problem of a wrong access token, with the challenges for the endpoint at `url`. */
export function wrongToken(tenant: Tenant, url: string, options: ProblemOptions): Problem {
  const error = { code: 'invalid_token', description: descriptionOf(new Problem('invalid_token')) }
  return new Problem('invalid_token', { ...options, headers: tokenChallenges(tenant, url, error) })
}
