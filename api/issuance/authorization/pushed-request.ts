import { findPushedRequest, insertPushedRequest, takePushedRequest } from '../../../db/repos/issuance/authorizations.ts'
import { listAuthenticationProviders } from '../../../db/repos/issuance/sign-in-providers.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret, idOfSecret, newOrderedId, newSecretOf } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { findAdmittedClient } from '../wallets/admitted-client.ts'
import type { OAuthClient } from '../wallets/wallet-authentication.ts'
import { type AuthorizationRequest, offerOf, readAuthorizationRequest } from './read-request.ts'
import { meaningful, type Parameters } from './schemas.ts'

const prefix = 'urn:ietf:params:oauth:request_uri:'
const lifetimeSeconds = 60

/** Keeps a request for its client (RFC 9126, section 2): checked as it will be when it is used. */
export async function pushRequest(
  deps: Deps,
  tenant: Tenant,
  { client, dpopJkt }: { client: OAuthClient; dpopJkt: string | null },
  parameters: Parameters,
): Promise<{ request_uri: string; expires_in: number }> {
  // RFC 9126, section 2.1.
  if (parameters.request_uri !== undefined)
    throw new Problem('invalid_request', { message: 'request_uri may not be pushed' })
  const { client_id: clientId, redirect_uri: redirectUri } = parameters
  if (clientId === undefined || redirectUri === undefined) {
    throw new Problem('invalid_request', { message: 'client_id or redirect_uri is missing' })
  }
  const admitted = await findAdmittedClient(deps, tenant, clientId, redirectUri)
  if (!admitted) {
    throw new Problem('invalid_request', { message: 'The client or its redirect_uri is not known here' })
  }
  const requested = await readAuthorizationRequest(deps, tenant, parameters, await offerOf(deps, tenant, parameters))
  // RFC 9449, section 10.1: both say the same key, or the request is refused.
  if (dpopJkt !== null && requested.dpopJkt !== null && dpopJkt !== requested.dpopJkt) {
    throw new Problem('invalid_dpop_proof', { message: 'dpop_jkt is not the key of the DPoP proof' })
  }
  const [provider] = await listAuthenticationProviders(deps.db.read, tenant.id, 1)
  const at = deps.clock.now()
  const id = newOrderedId(at)
  const secret = newSecretOf(id)
  await deps.db.tx((tx) =>
    insertPushedRequest(tx, {
      id,
      tenantId: tenant.id,
      clientId,
      registrationId: admitted.registered?.id ?? null,
      secretHash: hashSecret(secret),
      parameters: meaningful(parameters, provider?.forwardedRequestParameters ?? []),
      dpopJkt,
      instanceJkt: client.instanceJkt,
      expiresAt: plusMs(at, lifetimeSeconds * 1000),
    }),
  )
  return { request_uri: prefix + secret, expires_in: lifetimeSeconds }
}

/** The request behind a `request_uri`, once, for the client that pushed it. */
export async function takePushed(
  deps: Deps,
  tenant: Tenant,
  requestUri: string,
  clientId: string | undefined,
): Promise<AuthorizationRequest | undefined> {
  if (!requestUri.startsWith(prefix)) return undefined
  const secret = requestUri.slice(prefix.length)
  const pushed = await findPushedRequest(deps.db.read, tenant.id, idOfSecret(secret))
  if (!pushed || !equalInConstantTime(hashSecret(secret), pushed.secretHash)) return undefined
  if (pushed.clientId !== clientId || pushed.expiresAt <= deps.clock.now()) return undefined
  const { parameters, dpopJkt, instanceJkt, registrationId } = pushed
  const isFirst = await deps.db.tx((tx) => takePushedRequest(tx, tenant.id, pushed.id))
  return isFirst ? { parameters, dpopJkt, instanceJkt, pushed: { registrationId } } : undefined
}
