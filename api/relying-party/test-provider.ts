import * as openid from 'openid-client'
import { z } from 'zod'
import { privateKeyJwt } from '../../shared/domain/identifiers/client-assertions.ts'
import { bodyText } from '../../shared/outbound/text-of.ts'
import type { Deps } from '../deps.ts'
import { assertionFor } from './client-authentication.ts'
import { describeDiscoveryError, fetchProvider } from './discover.ts'
import type { RelyingParty } from './relying-party.ts'
import type { checks } from './tested.ts'

/** A provider to test, with the scopes and claims that it must offer. */
export interface TestedProvider extends RelyingParty {
  scope: readonly string[]
  /** Required claims, each a name or a dotted path. If empty, claims are not checked. */
  claims: readonly string[]
  /** The consequence of missing claims, as text for the operator. */
  withoutClaims: string
}

/** The result of a check, with a message for the operator. */
export interface Found {
  result: 'passed' | 'failed' | 'unknown'
  message: string
}

export interface ProviderCheck extends Found {
  check: (typeof checks)[number]
}

type Metadata = ReturnType<openid.Configuration['serverMetadata']>

const passed = (message: string): Found => ({ result: 'passed', message })
const failed = (message: string): Found => ({ result: 'failed', message })
const unknown = (message: string): Found => ({ result: 'unknown', message })

/** Short, because an operator waits for the result. */
const timeoutMs = 3_000

/** Tests a provider without a sign-in. Sends at most three requests and stores nothing. */
export async function testProvider(deps: Deps, provider: TestedProvider, redirectUrl: string) {
  const checks = await runChecks(deps, provider, redirectUrl)
  return { works: checks.every(({ result }) => result !== 'failed'), redirectUrl, checks }
}

async function runChecks(deps: Deps, provider: TestedProvider, redirectUri: string): Promise<ProviderCheck[]> {
  const configuration = await fetchProvider(deps, provider, timeoutMs).catch(describeDiscoveryError)
  if (typeof configuration === 'string') {
    return [{ check: 'discovery', ...failed(`OpenID Connect Discovery failed: ${configuration}`) }]
  }
  const metadata = configuration.serverMetadata()
  return [
    { check: 'discovery', ...passed('The provider publishes its configuration') },
    { check: 'keys', ...(await checkKeys(deps, metadata)) },
    { check: 'flow', ...checkFlow(metadata, provider) },
    { check: 'client', ...(await checkClient(deps, configuration, provider, redirectUri)) },
    { check: 'scope', ...checkScope(metadata, provider) },
    ...(provider.claims.length > 0 ? [{ check: 'claim' as const, ...checkClaim(metadata, provider) }] : []),
  ]
}

/** A key set (RFC 7517, section 5) with at least one key. */
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) })

/** Checks that the provider publishes a key set. */
export async function checkKeys({ outbound }: Pick<Deps, 'outbound'>, { jwks_uri: url }: Metadata): Promise<Found> {
  if (url === undefined) return failed('The provider does not publish the URL of its keys (jwks_uri)')
  try {
    const { status, body } = await outbound.request({ method: 'GET', url, headers: {}, timeoutMs, maxResponseBytes })
    if (status !== 200) return failed(`The keys of the provider cannot be read: status ${status}`)
    const { keys } = KeySet.parse(JSON.parse(bodyText(body)))
    return passed(`The provider has ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`)
  } catch (error) {
    const why =
      error instanceof SyntaxError || error instanceof z.ZodError
        ? 'the response is not a key set'
        : describeDiscoveryError(error)
    return failed(`The keys of the provider cannot be read: ${why}`)
  }
}

const maxResponseBytes = 500_000

function checkFlow(metadata: Metadata, { tokenEndpointAuthMethod: method }: TestedProvider): Found {
  const { authorization_endpoint: authorize, token_endpoint: tokens, response_types_supported: types } = metadata
  if (authorize === undefined || tokens === undefined)
    return failed('The provider does not support the authorization code flow')
  if (types && !types.includes('code'))
    return failed('The provider does not support the response type `code` (response_types_supported)')
  const challenges = metadata.code_challenge_methods_supported
  if (challenges && !challenges.includes('S256')) return failed('The provider does not support PKCE with S256')
  // The default value (OpenID Connect Discovery 1.0, section 3).
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (!methods.includes(method))
    return failed(`The provider does not support ${method}. It supports ${excerptOf(methods)}.`)
  return challenges
    ? passed('The provider supports the authorization code flow with PKCE')
    : unknown('The provider does not declare whether it supports PKCE')
}

/** Checks the client with an invalid code. A provider rejects the code only after it has authenticated the client (RFC 6749, section 5.2). */
async function checkClient(
  deps: Deps,
  configuration: openid.Configuration,
  provider: TestedProvider,
  redirectUri: string,
): Promise<Found> {
  const client =
    provider.tokenEndpointAuthMethod === privateKeyJwt ? 'clientId and the key' : 'clientId and clientSecret'
  const assertion = await assertionFor(deps, provider, configuration)
  const codeVerifier = openid.randomPKCECodeVerifier()
  const parameters = { code: 'none', redirect_uri: redirectUri, code_verifier: codeVerifier, ...assertion }
  try {
    await openid.genericGrantRequest(configuration, 'authorization_code', parameters)
    return unknown('The provider accepted an invalid code')
  } catch (error) {
    const code = error instanceof openid.ResponseBodyError ? error.error : undefined
    if (code === 'invalid_grant') return passed(`The provider accepts ${client}`)
    const isRefused = code === 'invalid_client' || code === 'unauthorized_client'
    if (isRefused || error instanceof openid.WWWAuthenticateChallengeError)
      return failed(`The provider rejects ${client}, or does not allow this flow for the client`)
    return unknown(`${client} cannot be checked before the first sign-in`)
  }
}

function checkScope({ scopes_supported: supported }: Metadata, { scope }: TestedProvider): Found {
  if (!supported) return unknown('The provider does not publish its scopes')
  const missing = scope.filter((each) => !supported.includes(each))
  return missing.length === 0
    ? passed('The provider supports these scopes')
    : unknown(`The provider does not list the scopes ${excerptOf(missing)}`)
}

function checkClaim({ claims_supported: supported }: Metadata, { claims, withoutClaims }: TestedProvider): Found {
  if (!supported) return unknown('The provider does not publish its claims')
  const isNamed = (name: string) => supported.includes(name) || supported.includes(name.split('.')[0] ?? '')
  const missing = claims.filter((each) => !isNamed(each))
  if (missing.length === 0) return passed('The provider supports these claims')
  return unknown(`The provider does not list the claims ${excerptOf(missing)}: ${withoutClaims}`)
}

const excerptOf = (names: readonly string[]) => names.slice(0, 10).join(', ').slice(0, 300)
