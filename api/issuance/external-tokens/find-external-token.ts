import {
  type AuthorizationServerRow,
  findAuthorizationServers,
} from '../../../db/repos/issuance/authorization-servers.ts'
import { TooManyClaims } from '../../../db/repos/issuance/users/users.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import type { ExternalToken, FindExternalToken } from '../../access/external-token.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { Uuid } from '../../http/fields.ts'
import { offerOf } from '../authorization/read-request.ts'
import { grantedBy } from './granted.ts'
import { introspectToken } from './introspected-token.ts'
import { personOf } from './person.ts'
import { issuerIn, verifySignedToken } from './signed-token.ts'
import { type RefuseToken, type TokenClaims, tokenEnd } from './token-claims.ts'
import { createTokenSession, sessionIdOf } from './token-session.ts'

/** Finds and verifies an access token of an authorization server of the tenant. */
export const findExternalToken: FindExternalToken = async (deps, tenant, token, refuse) => {
  const server = await serverOf(deps, tenant, token)
  if (!server) return undefined
  const refuseLogged: RefuseToken = (options) => {
    deps.log.info({ tenantId: tenant.id, serverId: server.id, check: options.check }, 'external access token refused')
    return refuse(options)
  }
  const verify = server.clientId === null ? verifySignedToken : introspectToken
  const claims = await verify(deps, server, token, { audience: audienceAt(tenant, server), refuse: refuseLogged })
  const { cnf } = claims
  return {
    dpopJkt: cnf?.jkt ?? null,
    sessionId: sessionIdOf(server, token),
    tokenHash: hashSecret(token),
    create: () => createSession({ deps, tenant, server, token, claims, refuse: refuseLogged }),
  } satisfies ExternalToken
}

/** Returns what `aud` must contain. A token for the tenant is not valid at a view, nor a token for one view at another. */
function audienceAt({ view, issuer }: Tenant, { audience }: AuthorizationServerRow): string {
  return view ? issuer : audience
}

/**
 * Returns the server of a token: of a JWT that with its issuer, and of another token that with introspection. A token of the form of this
 * service is sent to no server.
 */
async function serverOf(deps: Deps, tenant: Tenant, token: string): Promise<AuthorizationServerRow | undefined> {
  if (Uuid.safeParse(idOfSecret(token)).success) return undefined
  const issuer = issuerIn(token)
  const servers = await findAuthorizationServers(deps.db.read, tenant.id)
  return servers.find((server) => (issuer === undefined ? server.clientId !== null : server.issuer === issuer))
}

interface Creating {
  deps: Deps
  tenant: Tenant
  server: AuthorizationServerRow
  token: string
  claims: TokenClaims & { exp: number }
  refuse: RefuseToken
}

/** Creates the session of a token at its first use. Concurrent first uses create one. */
async function createSession(call: Creating): Promise<boolean> {
  const { deps, tenant, server, token, claims, refuse } = call
  const clientId = claims.client_id ?? claims.azp
  if (clientId === undefined) throw refuse({ reason: 'The token has no client_id and no azp', check: 'token_form' })
  const granted = await grantedBy(deps, tenant, server, claims)
  const offerId = await offerIdOf(call)
  if (granted.configurationIds.length === 0)
    throw refuse({
      reason: 'No scope and no authorization_details of the token names a configuration of the issuer',
      check: 'token_scope',
    })
  const person = await personOf(deps, server, token, claims, refuse)
  const dpopJkt = claims.cnf?.jkt ?? null
  const session = { ...granted, server, token, person, clientId, dpopJkt, offerId, expiresAt: tokenEnd(claims.exp) }
  try {
    return await createTokenSession(deps, tenant, session)
  } catch (error) {
    if (!(error instanceof TooManyClaims)) throw error
    const reason = error.messageFor('claimsToPersist of the authorization server')
    throw refuse({ reason, check: 'token_subject' })
  }
}

/** Returns the offer in the `issuer_state` of a token, if the server passes it on. An offer of a claim link needs a sign-in here. */
async function offerIdOf({ deps, tenant, claims, refuse }: Creating): Promise<string | null> {
  const { issuer_state: issuerState } = claims
  if (issuerState === undefined) return null
  const offer = await offerOf(deps, tenant, { issuer_state: issuerState })
  if (!offer) return null
  if (offer.isUsable && offer.claimLinkId === null) return offer.id
  throw refuse({ reason: 'The issuer_state of the token names a deleted offer or a claim link', check: 'token_offer' })
}
