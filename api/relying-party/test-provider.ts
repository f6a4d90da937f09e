import * as openid from 'openid-client'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { askProvider, type RelyingParty, whyUndiscovered } from './discover.ts'
import type { checks } from './tested.ts'

/** What is asked of a provider, and told by it. */
export interface TestedProvider extends RelyingParty {
  scope: readonly string[]
  /** Claims that are wanted, each a name or a dotted path; none: nobody looks. */
  claims: readonly string[]
  /** What those who lack them miss, for people. */
  withoutClaims: string
}

export interface ProviderCheck {
  check: (typeof checks)[number]
  result: 'passed' | 'failed' | 'unknown'
  message: string
}

type Found = Pick<ProviderCheck, 'result' | 'message'>
type Metadata = ReturnType<openid.Configuration['serverMetadata']>

const passed = (message: string): Found => ({ result: 'passed', message })
const failed = (message: string): Found => ({ result: 'failed', message })
const unknown = (message: string): Found => ({ result: 'unknown', message })

/** While whoever configures a provider waits. */
const timeoutMs = 3_000

/** What can be found out about a provider without anybody who signs in. Asks it three times at most; stores nothing. */
export async function testProvider(deps: Deps, provider: TestedProvider, redirectUrl: string) {
  const checks = await lookAt(deps, provider, redirectUrl)
  return { works: checks.every(({ result }) => result !== 'failed'), redirectUrl, checks }
}

async function lookAt(deps: Deps, provider: TestedProvider, redirectUri: string): Promise<ProviderCheck[]> {
  const configuration = await askProvider(deps, provider, timeoutMs).catch(whyUndiscovered)
  if (typeof configuration === 'string') {
    return [{ check: 'discovery', ...failed(`OpenID Connect Discovery did not work: ${configuration}`) }]
  }
  const metadata = configuration.serverMetadata()
  return [
    { check: 'discovery', ...passed('The provider describes itself') },
    { check: 'keys', ...(await checkKeys(deps, metadata)) },
    { check: 'flow', ...checkFlow(metadata, provider) },
    { check: 'client', ...(await checkClient(configuration, redirectUri)) },
    { check: 'scope', ...checkScope(metadata, provider) },
    ...(provider.claims.length > 0 ? [{ check: 'claim' as const, ...checkClaim(metadata, provider) }] : []),
  ]
}

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) })

async function checkKeys({ outbound }: Deps, { jwks_uri: url }: Metadata): Promise<Found> {
  if (url === undefined) return failed('The provider does not say where its keys are (jwks_uri)')
  try {
    const { status, body } = await outbound.request({ method: 'GET', url, headers: {}, timeoutMs, maxResponseBytes })
    if (status !== 200) return failed(`The keys of the provider cannot be read: status ${status}`)
    const { keys } = KeySet.parse(JSON.parse(body.toString()))
    return passed(`The provider has ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`)
  } catch (error) {
    const why =
      error instanceof SyntaxError || error instanceof z.ZodError ? 'what is there are none' : whyUndiscovered(error)
    return failed(`The keys of the provider cannot be read: ${why}`)
  }
}

const maxResponseBytes = 500_000

function checkFlow(metadata: Metadata, { tokenEndpointAuthMethod: method }: TestedProvider): Found {
  const { authorization_endpoint: there, token_endpoint: tokens, response_types_supported: types } = metadata
  if (there === undefined || tokens === undefined) return failed('The provider has no authorization code flow')
  if (types && !types.includes('code'))
    return failed('The provider does not answer with a code (response_types_supported)')
  const challenges = metadata.code_challenge_methods_supported
  if (challenges && !challenges.includes('S256')) return failed('The provider does not take PKCE with S256')
  // Left out, it is this one (OpenID Connect Discovery 1.0, section 3).
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (!methods.includes(method)) return failed(`The provider does not take ${method}; it takes ${shown(methods)}`)
  return challenges
    ? passed('The authorization code flow with PKCE is there')
    : unknown('The provider does not say whether it takes PKCE')
}

/** A code that is none is refused only after the client was recognised (RFC 6749, section 5.2). */
async function checkClient(configuration: openid.Configuration, redirectUri: string): Promise<Found> {
  const asked = { code: 'none', redirect_uri: redirectUri, code_verifier: openid.randomPKCECodeVerifier() }
  try {
    await openid.genericGrantRequest(configuration, 'authorization_code', asked)
    return unknown('The provider took a code that is none')
  } catch (error) {
    const code = error instanceof openid.ResponseBodyError ? error.error : undefined
    if (code === 'invalid_grant') return passed('The provider knows clientId and clientSecret')
    const isRefused = code === 'invalid_client' || code === 'unauthorized_client'
    if (isRefused || error instanceof openid.WWWAuthenticateChallengeError)
      return failed('The provider does not know clientId with this clientSecret, or not for this flow')
    return unknown('Whether the provider knows clientId and clientSecret is seen when somebody signs in')
  }
}

function checkScope({ scopes_supported: supported }: Metadata, { scope }: TestedProvider): Found {
  if (!supported) return unknown('The provider does not say which scopes it has')
  const missing = scope.filter((each) => !supported.includes(each))
  return missing.length === 0
    ? passed('The provider has these scopes')
    : unknown(`The provider does not name ${shown(missing)} among its scopes`)
}

function checkClaim({ claims_supported: supported }: Metadata, { claims, withoutClaims }: TestedProvider): Found {
  if (!supported) return unknown('The provider does not say which claims it has')
  const isNamed = (name: string) => supported.includes(name) || supported.includes(name.split('.')[0] ?? '')
  const missing = claims.filter((each) => !isNamed(each))
  if (missing.length === 0) return passed('The provider has these claims')
  return unknown(`The provider does not name ${shown(missing)} among its claims: ${withoutClaims}`)
}

const shown = (words: readonly string[]) => words.slice(0, 10).join(', ').slice(0, 300)
