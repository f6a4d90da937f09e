import * as openid from 'openid-client'
import type { AuthorizationServerRow } from '../../../db/repos/issuance/authorization-servers.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import { discover, fetchAuthorizationServer, isProviderTrouble } from '../../relying-party/discover.ts'
import { isStorableClaim, mergeClaims } from '../../relying-party/sign-in.ts'
import { partyOfServer } from '../authorization-servers/discovery.ts'
import type { SubjectContent } from '../users/user-of-subject.ts'
import type { RefuseToken, TokenClaims } from './token-claims.ts'

/** Returns the subject of a token, and the claims to store for its user, also from UserInfo if the server is set to it. */
export async function personOf(
  deps: Deps,
  server: AuthorizationServerRow,
  token: string,
  claims: TokenClaims,
  refuse: RefuseToken,
): Promise<SubjectContent> {
  const { id: providerId, issuer, subjectClaim, claimsToPersist } = server
  const subjectId = claims[subjectClaim]
  if (typeof subjectId !== 'string' || !isStorableClaim('sub', subjectId))
    throw refuse({ reason: `The token has no ${subjectClaim} that identifies a person`, check: 'token_subject' })
  const isComplete = claimsToPersist.every((name) => Object.hasOwn(claims, name))
  // RFC 9449, section 7.1: a bound token needs a proof of the wallet at each resource, which this service cannot make.
  const asksUserInfo = server.userInfo && !isComplete && claims.cnf === undefined
  const all = asksUserInfo ? await withUserInfo(deps, server, token, claims, refuse) : claims
  const stored = claimsToPersist.filter((name) => Object.hasOwn(all, name))
  const unusable = stored.find((name) => !isStorableClaim(name, all[name]))
  if (unusable !== undefined) throw refuse({ reason: `The claim ${unusable} cannot be stored`, check: 'token_subject' })
  return {
    claims: Object.fromEntries(stored.map((name) => [name, all[name]])),
    provider: { providerId, issuer, subjectId },
  }
}

/** Adds the claims of the UserInfo endpoint (OpenID Connect Core 1.0, section 5.3), which must be those of the same `sub`. */
async function withUserInfo(
  deps: Deps,
  server: AuthorizationServerRow,
  token: string,
  claims: TokenClaims,
  refuse: RefuseToken,
): Promise<Record<string, unknown>> {
  const { sub } = claims
  if (typeof sub !== 'string')
    throw refuse({ reason: 'The token has no sub, with which UserInfo is compared', check: 'token_subject' })
  try {
    const configuration = await discover(deps, partyOfServer(deps, server), fetchAuthorizationServer)
    const userInfo = await deps.withoutSlot(openid.fetchUserInfo(configuration, token, sub))
    return mergeClaims({ ...claims, sub }, userInfo)
  } catch (err) {
    if (!isProviderTrouble(err)) throw err
    deps.log.warn({ err, tenantId: server.tenantId, serverId: server.id }, 'user info not read')
    const message = 'The UserInfo endpoint of the authorization server gave no claims. Try again later'
    throw new Problem('service_unavailable', { message, check: 'token_server' })
  }
}
