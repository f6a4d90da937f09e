import type { Writer } from '../../../db/client.ts'
import { insertSession, type SessionRow } from '../../../db/repos/issuance/sessions/sessions.ts'
import { plusMs } from '../../../shared/clock.ts'
import { hashSecret, newOrderedId } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import { viewIdOf } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import { nonceMembers } from '../../proofs/nonce.ts'
import { findRecentScopes, loadRecentScopes, type Scopes } from '../configurations/scope.ts'
import type { OAuthClient } from '../wallets/wallet-authentication.ts'
import { presentDetails } from './authorization-details.ts'
import type { Granted } from './grants/grant.ts'

/** OpenID4VCI 1.0, section 6.1: a token that is valid for more than 5 minutes must be bound to a key. */
const bearerLifetimeSeconds = 300
const boundLifetimeSeconds = 3600

/** The content of a granted access token. */
export interface Rights {
  userId: string
  client: OAuthClient
  offerId: string | null
  authorizationId: string | null
  configurationIds: string[]
  /** Configuration id by credential identifier. */
  credentialIdentifiers: Record<string, string>
  dpopJkt: string | null
  traceparent: string | null
}

/** An access token that is not stored yet. */
export interface NewAccessToken {
  token: string
  session: SessionRow
  /** Loaded before the code is spent, so that the response does not wait for a query that can fail afterwards. */
  scopes?: Promise<Scopes>
}

/** Creates an access token. `exchanged` is the code or refresh token that is exchanged for it. */
export function newAccessToken(deps: Deps, tenant: Tenant, rights: Rights, exchanged: string): NewAccessToken {
  const at = deps.clock.now()
  const { client, ...granted } = rights
  const id = newOrderedId(at)
  const [token] = accessTokensOf(deps, tenant, id, exchanged)
  const lifetimeSeconds = rights.dpopJkt === null ? bearerLifetimeSeconds : boundLifetimeSeconds
  const session: SessionRow = {
    ...granted,
    ...client,
    id,
    tenantId: tenant.id,
    tokenHash: hashSecret(token),
    exchangedHash: hashSecret(exchanged),
    viewId: viewIdOf(tenant),
    credentialsLeft: rights.authorizationId === null ? null : tenant.settings.maxCredentialsPerSession,
    sentAt: null,
    expiresAt: plusMs(at, lifetimeSeconds * 1000),
    createdAt: at,
  }
  return { token, session, scopes: loadRecentScopes(deps, tenant.id) }
}

/**
 * Returns the access token of a session, and the tokens under other secrets (`Secrets.ofTenant`). The token is derived from the
 * exchanged code, of which only a hash is stored. So a repeated request gets the same token, and database and service
 * secret alone do not reveal it.
 */
export function accessTokensOf(
  { secrets }: Deps,
  tenant: Tenant,
  id: string,
  exchanged: string,
): [string, ...string[]] {
  const [mac, ...earlier] = secrets.ofTenant(tenant).macs('access token', `${tenant.id} ${id} ${exchanged}`)
  return [`${id}.${mac}`, ...earlier.map((each) => `${id}.${each}`)]
}

export async function storeAccessToken(tx: Writer, { session }: NewAccessToken): Promise<void> {
  await insertSession(tx, session)
}

/** Returns the token response (RFC 6749, section 5.1; RFC 9449, section 5) at the time `at`. */
export async function presentAccessToken(
  deps: Deps,
  tenant: Tenant,
  { token, session, scopes: loading }: NewAccessToken,
  at: Date,
): Promise<Granted> {
  const { configurationIds, credentialIdentifiers, dpopJkt, expiresAt } = session
  const scopes = await findRecentScopes(deps, tenant.id, configurationIds, loading)
  const details = presentDetails(credentialIdentifiers)
  return {
    sessionId: session.id,
    response: {
      access_token: token,
      token_type: dpopJkt === null ? 'Bearer' : 'DPoP',
      expires_in: Math.floor((expiresAt.getTime() - at.getTime()) / 1000),
      scope: scopes.join(' '),
      ...(details.length > 0 ? { authorization_details: details } : {}),
      // Wallets of drafts 11 to 13 read the nonce here.
      ...(tenant.profile === 'lenient' ? nonceMembers(deps, tenant) : {}),
    },
  }
}
