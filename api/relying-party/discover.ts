import * as openid from 'openid-client'
import { z } from 'zod'
import { minuteMs } from '../../shared/clock.ts'
import { hashSecret } from '../../shared/ids.ts'
import type { Outbound } from '../../shared/outbound/outbound.ts'
import { OutboundError } from '../../shared/outbound/outbound-error.ts'
import type { Deps } from '../deps.ts'
import { defineCache } from '../process/caches.ts'
import { authenticationOf } from './client-authentication.ts'
import type { RelyingParty } from './relying-party.ts'

type Fetching = Pick<Deps, 'outbound'>

const defaultTimeoutMs = 5_000
const maxResponseBytes = 500_000
/** Providers rarely change keys and addresses. The library fetches the keys again when a signature names an unknown key. */
const providerTtlMs = 10 * minuteMs

/** The discovered configuration of each identity provider, by its settings. */
export const providersCache = defineCache<string, Promise<openid.Configuration>>('providers', {
  max: 1_000,
  ttl: providerTtlMs,
})

/**
 * Returns the configuration of the provider (OpenID Connect Discovery 1.0), cached for ten minutes or until its settings change. Concurrent
 * sign-ins share one discovery. A failed discovery is not cached. The configuration calls the provider through the `outbound` of the request
 * that discovered it. Later requests wait for such calls with `deps.withoutSlot`. `fetchConfiguration` is another way to discover it.
 */
export async function discover(
  deps: Fetching & Pick<Deps, 'caches' | 'withoutSlot'>,
  party: RelyingParty,
  fetchConfiguration = fetchProvider,
): Promise<openid.Configuration> {
  const cache = deps.caches.of(providersCache)
  const { issuer, clientId, clientSecret, tokenEndpointAuthMethod } = party
  const key = [issuer, clientId, tokenEndpointAuthMethod, hashSecret(clientSecret)].join(' ')
  const cached = cache.get(key)
  if (cached) return deps.withoutSlot(cached)
  const fetched = fetchConfiguration(deps, party, defaultTimeoutMs)
  cache.set(key, fetched)
  fetched.catch(() => {
    if (cache.peek(key) === fetched) cache.delete(key)
  })
  return deps.withoutSlot(fetched)
}

/** The well-known document of a provider: of OpenID Connect Discovery 1.0, or of RFC 8414. */
type Algorithm = 'oidc' | 'oauth2'

/** Discovers the configuration of the provider without the cache. Rejects with the error of the library or of the outbound guard. */
export async function fetchProvider(
  deps: Fetching,
  party: RelyingParty,
  timeoutMs: number,
  algorithm: Algorithm = 'oidc',
): Promise<openid.Configuration> {
  const { issuer, clientId } = party
  const guarded = guardedFetch(deps.outbound, timeoutMs)
  // The configuration of the library is kept. A new one of the same metadata would not know that the issuer of Entra is a template.
  const configuration = await openid.discovery(new URL(issuer), clientId, undefined, authenticationOf(party), {
    timeout: timeoutMs / 1000,
    algorithm,
    [openid.customFetch]: async (...request) => withUserInfoAlgorithms(await guarded(...request)),
    // The outbound guard decides whether plain http is allowed. Signatures are always checked, because there is no TLS in development
    // (with TLS the check is optional: OpenID Connect Core 1.0, section 3.1.3.7).
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
  })
  configuration[openid.customFetch] = guarded
  return configuration
}

const Metadata = z.looseObject({ id_token_signing_alg_values_supported: z.unknown().optional() })

/**
 * Lets a provider that does not publish the algorithms of signed UserInfo responses use those of its ID tokens. The library refuses such a
 * response otherwise. It verifies no signature with a secret, and refuses `none`.
 * The library itself judges a response that is not a discovery document.
 */
async function withUserInfoAlgorithms(response: Response): Promise<Response> {
  const read = Metadata.safeParse(
    await response
      .clone()
      .json()
      .catch(() => undefined),
  )
  if (!read.success) return response
  const ofIdTokens = read.data.id_token_signing_alg_values_supported ?? ['RS256']
  const document = { userinfo_signing_alg_values_supported: ofIdTokens, ...read.data }
  return new Response(JSON.stringify(document), { status: response.status, headers: response.headers })
}

/** Sends the requests of the library through the outbound guard. */
function guardedFetch(outbound: Outbound, timeoutMs: number): openid.CustomFetch {
  return async (url, { method, headers, body }) => {
    const response = await outbound.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
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

/**
 * Discovers an authorization server without the cache, which need not be an OpenID Connect provider: if it has no document of OpenID
 * Connect Discovery, that of RFC 8414 is read. Rejects like `fetchProvider`.
 */
export async function fetchAuthorizationServer(
  deps: Fetching,
  party: RelyingParty,
  timeoutMs: number,
): Promise<openid.Configuration> {
  try {
    return await fetchProvider(deps, party, timeoutMs)
  } catch (error) {
    if (wrongStatusOf(error) === undefined) throw error
    return fetchProvider(deps, party, timeoutMs, 'oauth2')
  }
}

/** Whether a discovery failed because the document names another issuer. */
export function isOtherIssuer(error: unknown): boolean {
  return causesOf(error).some((each) => each instanceof openid.ClientError && each.code === otherIssuerCode)
}

/** Returns the status of the response that ended a discovery, if it was not 200. */
function wrongStatusOf(error: unknown): number | undefined {
  const response = causesOf(error).find(({ cause }) => cause instanceof Response && cause.status !== 200)?.cause
  return response instanceof Response ? response.status : undefined
}

/** Returns the error and its causes, the outermost first. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let each: unknown = error; each instanceof Error; each = each.cause) causes.push(each)
  return causes
}

/** The code of the library for a provider configuration whose `issuer` is not the expected one (OpenID Connect Discovery 1.0, section 4.3). */
const otherIssuerCode = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'

/** Describes why a discovery failed, without the response: the operator chose the URL, and the response may be confidential. */
export function describeDiscoveryError(error: unknown): string {
  const refused = causesOf(error).find((each) => each instanceof OutboundError)
  if (refused) return refused.message
  const status = wrongStatusOf(error)
  if (status !== undefined) return `status ${status}`
  if (isOtherIssuer(error))
    return 'the provider configuration has another issuer. Copy the exact value of its member issuer'
  return 'the response is not a provider configuration'
}

export type ProviderTrouble = Error & { code?: string | undefined }

/** Whether the provider, or a request to it, caused the error. Any other error is a bug. */
export function isProviderTrouble(error: unknown): error is ProviderTrouble {
  return (
    error instanceof OutboundError ||
    error instanceof openid.ClientError ||
    error instanceof openid.AuthorizationResponseError ||
    error instanceof openid.ResponseBodyError ||
    error instanceof openid.WWWAuthenticateChallengeError
  )
}
