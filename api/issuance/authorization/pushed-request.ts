import { findPushedRequest, insertPushedRequest } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { listAuthenticationProviders } from '../../../db/repos/issuance/sign-in-providers.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret, idOfSecret, newOrderedId, newSecretOf } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
import { isOfView, viewIdOf } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { findAdmittedClient, refuseWebsite, unknownClient } from '../wallets/admitted-client.ts'
import type { OAuthClient } from '../wallets/wallet-authentication.ts'
import { isSameBrowser } from './browser.ts'
import { type AuthorizationRequest, type NamedOffer, readAuthorizationRequest } from './read-request.ts'
import { type Parameters, storedParameters } from './schemas.ts'

const prefix = 'urn:ietf:params:oauth:request_uri:'
const lifetimeSeconds = 60

/**
 * Stores an authorization request for its client (RFC 9126, section 2). The request is checked in the same way as at
 * the authorization endpoint. `offer` is the offer that the request names.
 */
export async function pushRequest(
  deps: Deps,
  tenant: Tenant,
  { client, dpopJkt }: { client: OAuthClient; dpopJkt: string | null },
  parameters: Parameters,
  offer: NamedOffer | undefined,
): Promise<{ request_uri: string; expires_in: number }> {
  // RFC 9126, section 2.1.
  if (parameters.request_uri !== undefined)
    throw new Problem('invalid_request', { message: 'request_uri may not be pushed', check: 'pushed_request' })
  const { client_id: clientId, redirect_uri: redirectUri } = parameters
  if (clientId === undefined || redirectUri === undefined) {
    throw new Problem('invalid_request', { message: 'client_id or redirect_uri is missing', check: 'client' })
  }
  const admitted = await findAdmittedClient(deps, tenant, clientId, redirectUri, client.instanceJkt)
  if (!admitted) {
    throw unknownClient(clientId, redirectUri)
  }
  refuseWebsite(admitted, { redirectUri, instanceJkt: client.instanceJkt }, offer)
  const requested = await readAuthorizationRequest(deps, tenant, parameters, offer)
  // RFC 9449, section 10.1: `dpop_jkt` must match the key of the DPoP proof.
  if (dpopJkt !== null && requested.dpopJkt !== null && dpopJkt !== requested.dpopJkt) {
    throw new Problem('invalid_dpop_proof', { message: 'dpop_jkt is not the key of the DPoP proof', check: 'dpop_jkt' })
  }
  const [provider] = await listAuthenticationProviders(deps.db.read, tenant.id, { limit: 1 })
  const at = deps.clock.now()
  const id = newOrderedId(at)
  const secret = newSecretOf(id)
  await deps.db.tx((tx) =>
    insertPushedRequest(tx, {
      id,
      tenantId: tenant.id,
      clientId,
      viewId: viewIdOf(tenant),
      registrationId: admitted.registered?.id ?? null,
      secretHash: hashSecret(secret),
      parameters: storedParameters(parameters, provider?.forwardedRequestParameters ?? []),
      dpopJkt,
      instanceJkt: client.instanceJkt,
      authorizationId: null,
      openUntil: null,
      expiresAt: plusMs(at, lifetimeSeconds * 1000),
    }),
  )
  return { request_uri: prefix + secret, expires_in: lifetimeSeconds }
}

/**
 * Returns the request behind a `request_uri` for the client that pushed it. The request is valid for one completed
 * authorization, not for one visit, because people reload pages. After its lifetime, only the browser that opened it
 * before can open it again. Throws `sign_in_handed_back` if the wallet of that browser already has its response.
 */
export async function findPushed(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  { requestUri, clientId }: { requestUri: string; clientId: string | undefined },
): Promise<AuthorizationRequest | undefined> {
  if (!requestUri.startsWith(prefix)) return undefined
  const secret = requestUri.slice(prefix.length)
  const pushed = await findPushedRequest(deps.db.read, tenant.id, idOfSecret(secret))
  if (!pushed || !isOfView(tenant, pushed)) return undefined
  const { authorizationId, clientId: own, openUntil, expiresAt } = pushed
  const isBack = authorizationId !== null && isSameBrowser(deps, tenant, headers, authorizationId)
  if (isBack && pushed.secretHash === '') throw new Problem('sign_in_handed_back')
  if (!equalInConstantTime(hashSecret(secret), pushed.secretHash) || own !== clientId) return undefined
  const at = deps.clock.now()
  if (expiresAt <= at || (!isBack && (openUntil ?? expiresAt) <= at)) return undefined
  const { id, parameters, dpopJkt, instanceJkt, registrationId } = pushed
  return { parameters, dpopJkt, instanceJkt, pushed: { id, registrationId, openUntil: openUntil ?? expiresAt } }
}
