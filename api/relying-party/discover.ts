import * as openid from 'openid-client'
import { hashSecret } from '../../shared/ids.ts'
import type { Outbound } from '../../shared/outbound/outbound.ts'
import { OutboundError } from '../../shared/outbound/outbound-error.ts'
import type { Deps } from '../deps.ts'

/** What this service is at a provider (OpenID Connect Core 1.0, section 1.2). */
export interface RelyingParty {
  issuer: string
  clientId: string
  clientSecret: string
  tokenEndpointAuthMethod: string
}

type Asking = Pick<Deps, 'outbound'>

const defaultTimeoutMs = 5_000
const maxResponseBytes = 500_000

/**
 * The provider as it describes itself (OpenID Connect Discovery 1.0), asked again after ten minutes or a change. Sign-ins of one moment
 * share one discovery. A discovery that fails is not kept. The configuration calls the provider through the `outbound` of the request that
 * discovered it. Later requests wait for such calls with `deps.withoutSlot`.
 */
export async function discover(
  deps: Asking & Pick<Deps, 'caches' | 'withoutSlot'>,
  party: RelyingParty,
): Promise<openid.Configuration> {
  const cache = deps.caches.providers
  const { issuer, clientId, clientSecret, tokenEndpointAuthMethod } = party
  const key = [issuer, clientId, hashSecret(clientSecret), tokenEndpointAuthMethod].join(' ')
  const cached = cache.get(key)
  if (cached) return deps.withoutSlot(cached)
  const asked = askProvider(deps, party, defaultTimeoutMs)
  cache.set(key, asked)
  asked.catch(() => {
    if (cache.peek(key) === asked) cache.delete(key)
  })
  return deps.withoutSlot(asked)
}

/** The same, as it is now. Rejects with what the library or the guard says. */
export function askProvider(
  { outbound }: Asking,
  { issuer, clientId, clientSecret, tokenEndpointAuthMethod }: RelyingParty,
  timeoutMs: number,
): Promise<openid.Configuration> {
  const authentication =
    tokenEndpointAuthMethod === 'client_secret_post'
      ? openid.ClientSecretPost(clientSecret)
      : openid.ClientSecretBasic(clientSecret)
  return openid.discovery(new URL(issuer), clientId, undefined, authentication, {
    // Whether plain http may be called at all is the guard's to say. Signatures are checked although TLS would do (OpenID
    // Connect Core 1.0, section 3.1.3.7): in development there is none.
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
    timeout: timeoutMs / 1000,
    [openid.customFetch]: guardedFetch(outbound, timeoutMs),
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

/** Without what was answered: the address was chosen by the operator, and what is there may be nobody's business. */
export function whyUndiscovered(error: unknown): string {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof OutboundError) return each.message
    if (each.cause instanceof Response && each.cause.status !== 200) return `status ${each.cause.status}`
  }
  return 'what is there is no description of a provider, or that of another issuer'
}

export type ProviderTrouble = Error & { code?: string | undefined }

/** What a provider did, or what came of asking it: anything else that is thrown is a bug. */
export function isProviderTrouble(error: unknown): error is ProviderTrouble {
  return (
    error instanceof OutboundError ||
    error instanceof openid.ClientError ||
    error instanceof openid.AuthorizationResponseError ||
    error instanceof openid.ResponseBodyError ||
    error instanceof openid.WWWAuthenticateChallengeError
  )
}
