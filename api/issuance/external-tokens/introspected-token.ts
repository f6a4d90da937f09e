import * as openid from 'openid-client'
import type { AuthorizationServerRow } from '../../../db/repos/issuance/authorization-servers.ts'
import { plusMs, unixSeconds } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret } from '../../../shared/ids.ts'
import type { Deps } from '../../deps.ts'
import { defineCache } from '../../process/caches.ts'
import { assertionFor } from '../../relying-party/client-authentication.ts'
import { discover, fetchAuthorizationServer, isProviderTrouble } from '../../relying-party/discover.ts'
import { partyOfServer } from '../authorization-servers/discovery.ts'
import { checkTokenClaims, type TokenChecks, TokenClaims } from './token-claims.ts'

/** A revoked token is refused after this time. */
const answerTtlMs = 5_000

interface Answer {
  /** Undefined until the answer has arrived. */
  endsAt: Date | undefined
  response: Promise<openid.IntrospectionResponse>
}

/** Answers of introspection endpoints, by the settings of the server and the hash of the token. */
const answersCache = defineCache<string, Answer>('introspectionAnswers', { max: 10_000 })

/**
 * Asks the server about a token (RFC 7662), at most once in five seconds. Throws the problem of `refuse` if the token is not active or not
 * for this service, and `service_unavailable` if the server does not answer.
 */
export async function introspectToken(
  deps: Deps,
  server: AuthorizationServerRow,
  token: string,
  checks: TokenChecks,
): Promise<TokenClaims & { exp: number }> {
  const { refuse } = checks
  const response = await answerOf(deps, server, token)
  // Guesses are counted, because each of them is a request to the server.
  if (!response.active)
    throw refuse({ reason: 'The server says that the token is not active', check: 'token_active', isWrongSecret: true })
  const parsed = TokenClaims.safeParse(response)
  if (!parsed.success)
    throw refuse({ reason: 'The introspection response has no aud, or an invalid member', check: 'token_form' })
  const { data: claims } = parsed
  if (claims.iss !== undefined && claims.iss !== server.issuer)
    throw refuse({ reason: 'The iss of the introspection response is not its server', check: 'token_issuer' })
  const nowSeconds = unixSeconds(deps.clock.now())
  checkTokenClaims(claims, checks, nowSeconds)
  // RFC 7662, section 2.2: `exp` is optional. The server is asked again for each later request.
  return { ...claims, exp: claims.exp ?? nowSeconds + sessionSeconds }
}

/** The lifetime of the session of a token without `exp`. */
const sessionSeconds = 3_600

async function answerOf(deps: Deps, server: AuthorizationServerRow, token: string) {
  const cache = deps.caches.of(answersCache)
  const key = [server.id, server.issuer, server.sealedClientSecret, hashSecret(token)].join(' ')
  const earlier = cache.get(key)
  if (earlier && (earlier.endsAt === undefined || earlier.endsAt > deps.clock.now()))
    return deps.withoutSlot(earlier.response)
  const answer: Answer = { endsAt: undefined, response: introspect(deps, server, token) }
  cache.set(key, answer)
  answer.response.then(
    ({ exp }) => {
      const ttlEnd = plusMs(deps.clock.now(), answerTtlMs)
      answer.endsAt = typeof exp === 'number' ? new Date(Math.min(ttlEnd.getTime(), exp * 1_000)) : ttlEnd
    },
    () => cache.peek(key) === answer && cache.delete(key),
  )
  return deps.withoutSlot(answer.response)
}

async function introspect(
  deps: Deps,
  server: AuthorizationServerRow,
  token: string,
): Promise<openid.IntrospectionResponse> {
  const party = partyOfServer(deps, server)
  try {
    const configuration = await discover(deps, party, fetchAuthorizationServer)
    return await openid.tokenIntrospection(configuration, token, await assertionFor(deps, party, configuration))
  } catch (err) {
    if (!isProviderTrouble(err)) throw err
    deps.log.warn({ err, tenantId: server.tenantId, serverId: server.id }, 'token introspection failed')
    const message = 'The authorization server cannot be asked about the token. Try again later'
    throw new Problem('service_unavailable', { message, check: 'token_server' })
  }
}
