import type { Writer } from '../../db/client.ts'
import { insertSession, type SessionRow } from '../../db/repos/sessions.ts'
import { plusMs } from '../../shared/clock.ts'
import { hashSecret, newOrderedId, newSecretOf } from '../../shared/ids.ts'
import type { Tenant } from '../access/subjects.ts'
import { findRecentConfigurations } from '../configurations/recent.ts'
import type { Deps } from '../deps.ts'
import { scopeOf } from '../issuer/scope.ts'
import type { GrantedDetails } from './authorization-details.ts'
import type { Granted } from './grants/grant.ts'

/** OpenID4VCI 1.0, section 6.1: a token that lives longer than 5 minutes has to be bound to a key. */
const bearerLifetimeSeconds = 300
const boundLifetimeSeconds = 3600

/** What a grant gives the wallet a right to. */
export interface Rights extends GrantedDetails {
  userId: string
  clientId: string | null
  offerId: string | null
  grantId: string | null
  configurationIds: string[]
  dpopJkt: string | null
}

/** An access token that is not stored yet. */
export interface NewAccessToken {
  token: string
  lifetimeSeconds: number
  session: SessionRow
  rights: Rights
}

export function newAccessToken(deps: Deps, tenant: Tenant, rights: Rights): NewAccessToken {
  const at = deps.clock.now()
  const id = newOrderedId(at)
  const token = newSecretOf(id)
  const lifetimeSeconds = rights.dpopJkt === null ? bearerLifetimeSeconds : boundLifetimeSeconds
  const session: SessionRow = {
    id,
    tenantId: tenant.id,
    userId: rights.userId,
    offerId: rights.offerId,
    clientId: rights.clientId,
    configurationIds: rights.configurationIds,
    credentialIdentifiers: rights.credentialIdentifiers,
    tokenHash: hashSecret(token),
    grantId: rights.grantId,
    dpopJkt: rights.dpopJkt,
    sentAt: null,
    expiresAt: plusMs(at, lifetimeSeconds * 1000),
    createdAt: at,
  }
  return { token, lifetimeSeconds, session, rights }
}

export async function storeAccessToken(tx: Writer, { session }: NewAccessToken): Promise<void> {
  await insertSession(tx, session)
}

/** The answer of the token endpoint (RFC 6749, section 5.1; RFC 9449, section 5). */
export async function presentAccessToken(deps: Deps, tenant: Tenant, issued: NewAccessToken): Promise<Granted> {
  const { token, lifetimeSeconds, session, rights } = issued
  const configurations = await findRecentConfigurations(deps, tenant.id, rights.configurationIds)
  return {
    sessionId: session.id,
    response: {
      access_token: token,
      token_type: rights.dpopJkt === null ? 'Bearer' : 'DPoP',
      expires_in: lifetimeSeconds,
      scope: [...new Set(configurations.map(scopeOf))].join(' '),
      ...(rights.authorizationDetails ? { authorization_details: rights.authorizationDetails } : {}),
    },
  }
}
