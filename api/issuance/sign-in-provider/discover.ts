import * as openid from 'openid-client'
import type { AuthenticationProviderRow } from '../../../db/repos/issuance/sign-in-providers.ts'
import { OutboundError } from '../../../shared/outbound/outbound-error.ts'
import type { Outbound } from '../../../shared/outbound.ts'
import type { Deps } from '../../deps.ts'
import { openClientSecret } from './client-secret.ts'

const defaultTimeoutMs = 5_000
const maxResponseBytes = 500_000

/** The tenant's provider as it describes itself (OpenID Connect Discovery 1.0), asked again after ten minutes or a change. */
export async function discoverProvider(deps: Deps, provider: AuthenticationProviderRow): Promise<openid.Configuration> {
  const cache = deps.caches.providers
  const { id, url, clientId, sealedClientSecret, tokenEndpointAuthMethod } = provider
  const key = [id, url, clientId, sealedClientSecret, tokenEndpointAuthMethod].join(' ')
  const cached = cache.get(key)
  if (cached) return cached
  const configuration = await askProvider(deps, provider, defaultTimeoutMs)
  cache.set(key, configuration)
  return configuration
}

function askProvider(
  deps: Deps,
  provider: AuthenticationProviderRow,
  timeoutMs: number,
): Promise<openid.Configuration> {
  const { url, clientId, tokenEndpointAuthMethod } = provider
  const secret = openClientSecret(deps.secrets, provider)
  const authentication =
    tokenEndpointAuthMethod === 'client_secret_post'
      ? openid.ClientSecretPost(secret)
      : openid.ClientSecretBasic(secret)
  return openid.discovery(new URL(url), clientId, undefined, authentication, {
    // Whether plain http may be called at all is the guard's to say. Signatures are checked although TLS would do (OpenID
    // Connect Core 1.0, section 3.1.3.7): in development there is none.
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
    timeout: timeoutMs / 1000,
    [openid.customFetch]: guardedFetch(deps.outbound, timeoutMs),
  })
}

/** What the library asks of the provider goes through the outbound guard. */
function guardedFetch(outbound: Outbound, timeoutMs: number): openid.CustomFetch {
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

/** While whoever configures a provider waits. */
const triedMs = 2_000

/** What an operator is told of a provider at which nobody could sign in now; empty where discovery works. */
export async function findDiscoveryWarnings(deps: Deps, provider: AuthenticationProviderRow): Promise<string[]> {
  try {
    await askProvider(deps, provider, triedMs)
    return []
  } catch (error) {
    const why = error instanceof Error ? whyUndiscovered(error) : 'it failed'
    deps.log.info({ err: error, providerId: provider.id }, 'discovery at a provider did not work')
    return [`Nobody can sign in yet: OpenID Connect Discovery at url did not work (${why})`]
  }
}

/** Without what was answered: the address was chosen by the operator, and what is there may be nobody's business. */
function whyUndiscovered(error: Error): string {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof OutboundError) return each.message
    if (each.cause instanceof Response && each.cause.status !== 200) return `status ${each.cause.status}`
  }
  return 'what is there is no description of a provider, or that of another issuer'
}
