import * as openid from 'openid-client'
import type { AuthenticationProviderRow } from '../../../../db/repos/issuance/sign-in-providers.ts'
import type { Outbound } from '../../../../shared/outbound.ts'
import type { Deps } from '../../../deps.ts'
import { openClientSecret } from '../../sign-in-provider/client-secret.ts'

const timeoutMs = 5_000
const maxResponseBytes = 500_000

/** The tenant's provider as it describes itself (OpenID Connect Discovery 1.0), asked again after ten minutes or a change. */
export async function discoverProvider(deps: Deps, provider: AuthenticationProviderRow): Promise<openid.Configuration> {
  const cache = deps.caches.providers
  const { id, url, clientId, sealedClientSecret, tokenEndpointAuthMethod } = provider
  const key = [id, url, clientId, sealedClientSecret, tokenEndpointAuthMethod].join(' ')
  const cached = cache.get(key)
  if (cached) return cached
  const secret = openClientSecret(deps.secrets, provider)
  const authentication =
    tokenEndpointAuthMethod === 'client_secret_post'
      ? openid.ClientSecretPost(secret)
      : openid.ClientSecretBasic(secret)
  const configuration = await openid.discovery(new URL(url), clientId, undefined, authentication, {
    // Whether plain http may be called at all is the guard's to say. Signatures are checked although TLS would do (OpenID
    // Connect Core 1.0, section 3.1.3.7): in development there is none.
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
    timeout: timeoutMs / 1000,
    [openid.customFetch]: guardedFetch(deps.outbound),
  })
  cache.set(key, configuration)
  return configuration
}

/** What the library asks of the provider goes through the outbound guard. */
function guardedFetch(outbound: Outbound): openid.CustomFetch {
  return async (url, { method, headers, body }) => {
    const response = await outbound.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers: { ...headers, 'accept-encoding': 'identity' },
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      timeoutMs,
      maxResponseBytes,
    })
    const isEmpty = response.status === 204 || response.status === 304
    return new Response(isEmpty ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
    })
  }
}
