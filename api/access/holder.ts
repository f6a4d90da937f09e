import type { findSession, SessionRow } from '../../db/repos/issuance/sessions/sessions.ts'
import type { KnownClaims } from '../../db/repos/issuance/users/known-claims.ts'
import { Problem, type ProblemOptions } from '../../shared/errors/errors.ts'
import { hashSecret, idOfSecret } from '../../shared/ids.ts'
import { equalInConstantTime } from '../../shared/secrets/secrets.ts'
import { tracing } from '../../shared/tracing/tracing.ts'
import type { Deps } from '../deps.ts'
import { descriptionOf } from '../http/problems.ts'
import { dpopChallenge, requiresDpop, tokenChallenges } from '../proofs/challenge.ts'
import { checkDpop, type ProvenRequest } from '../proofs/dpop.ts'
import type { FindExternalToken } from './external-token.ts'
import type { Holder, Tenant } from './subjects.ts'
import { isOfView } from './views.ts'

interface HolderRequest extends ProvenRequest {
  about(offerId: string | null, names: { userId: string | undefined; sessionId: string }): void
}

/** Finds the session of an access token, with or without the claims of the user. */
type FindSession = (
  ...args: Parameters<typeof findSession>
) => Promise<SessionRow | (SessionRow & KnownClaims) | undefined>

export interface TokenFinders {
  find: FindSession
  findExternal: FindExternalToken
}

/**
 * Authenticates a wallet by `Authorization: Bearer <access token>`, or by `DPoP <access token>` and a proof if the token is bound
 * to a key. The name of the scheme is case-insensitive (RFC 9110, section 11.1).
 */
export async function authenticateHolder(
  deps: Deps,
  tenant: Tenant,
  request: HolderRequest,
  { find, findExternal }: TokenFinders,
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
  const call = { deps, tenant, request, scheme: scheme.toLowerCase(), token, wrong }
  const session = await findOwnSession(call, find)
  if (!session) return holderOf(await openExternal(call, { find, findExternal }))
  attribute(request, session)
  if (session.expiresAt <= deps.clock.now()) throw wrong({ reason: 'The access token has expired' })
  await checkBinding(call, session.dpopJkt)
  return holderOf(session)
}

/** A request with an access token. */
interface TokenRequest {
  deps: Deps
  tenant: Tenant
  request: HolderRequest
  /** In lower case. */
  scheme: string
  token: string
  /** Creates the problem of a wrong token. */
  wrong(options: ProblemOptions): Problem
}

type Session = NonNullable<Awaited<ReturnType<FindSession>>>

/** Finds the session of an access token of this service. */
async function findOwnSession({ deps, tenant, token }: TokenRequest, find: FindSession): Promise<Session | undefined> {
  const session = await find(deps.db.read, tenant.id, idOfSecret(token))
  const isOwn = session !== undefined && isOfView(tenant, session)
  return isOwn && equalInConstantTime(hashSecret(token), session.tokenHash) ? session : undefined
}

/**
 * Returns the session of a token of an authorization server of the tenant. The first use of a token creates its session, after the
 * proof of its key is checked. A session that has ended is not created again.
 */
async function openExternal(call: TokenRequest, { find, findExternal }: TokenFinders): Promise<Session> {
  const { deps, tenant, request, token, wrong } = call
  const external = await findExternal(deps, tenant, token, (options) => refuseExternal(call, options))
  if (!external) throw wrong({ isWrongSecret: true })
  const { sessionId, tokenHash, dpopJkt } = external
  const findSession = () => find(deps.db.read, tenant.id, sessionId)
  const existing = await findSession()
  if (existing) attribute(request, existing)
  // HAIP 1.0, section 4: tokens of all servers are bound to a key.
  if (dpopJkt === null && requiresDpop(tenant))
    throw wrong({ reason: 'The token is not bound to a key', check: 'access_token_key' })
  await checkBinding(call, dpopJkt)
  if (!existing) await external.create()
  const session = existing ?? (await findSession())
  // A token whose audience names several issuers is for the one at which it was used first.
  if (session && !isOfView(tenant, session))
    throw wrong({ reason: 'The access token was used at another view', check: 'token_audience' })
  if (!session || !equalInConstantTime(tokenHash, session.tokenHash))
    throw wrong({ reason: 'The session of the access token has ended' })
  if (!existing) attribute(request, session)
  return session
}

/** RFC 6750, section 3.1: a token without a scope of the resource is refused with another code and status. */
function refuseExternal({ request: { url }, wrong }: TokenRequest, options: ProblemOptions): Problem {
  if (options.check !== 'token_scope') return wrong(options)
  return new Problem('insufficient_scope', { ...options, headers: dpopChallenge(url, 'insufficient_scope') })
}

/** Names the offer and the session of a request for its events. */
function attribute(request: HolderRequest, session: Session): void {
  // Events may contain the user id only if they are erased together with the user: the events of an offer for this user alone.
  const userId = session.authorizationId === null ? session.userId : undefined
  request.about(session.offerId, { userId, sessionId: session.id })
  tracing?.join(session.traceparent)
}

function holderOf(session: Session): Holder {
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
  { deps, tenant, request, scheme, token }: TokenRequest,
  dpopJkt: string | null,
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
