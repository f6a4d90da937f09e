import * as openid from 'openid-client'
import { claimsOfVerification } from '../../shared/domain/issuance/claim-links.ts'
import { isStorableJson } from '../../shared/formats/lossless-json.ts'
import { OutboundError } from '../../shared/outbound/outbound-error.ts'
import type { Deps } from '../deps.ts'
import { assertionFor } from './client-authentication.ts'
import { discover, isProviderTrouble, type ProviderTrouble } from './discover.ts'
import type { RelyingParty } from './relying-party.ts'

type Asking = Pick<Deps, 'outbound' | 'keys' | 'caches' | 'withoutSlot'>

/** The secrets of a sign-in that its callback needs. */
export interface SignInSecrets {
  nonce: string
  codeVerifier: string
}

/**
 * Starts a sign-in (OpenID Connect Core 1.0, section 3.1.2.1, with PKCE). Returns the URL of the provider's sign-in page, and the secrets to
 * store. Rejects with provider trouble if the provider is unreachable.
 */
export async function startAtProvider(
  deps: Asking,
  party: RelyingParty,
  parameters: { redirect_uri: string; scope: string; state: string; [more: string]: string },
): Promise<{ url: URL; secrets: SignInSecrets }> {
  const configuration = await discover(deps, party)
  const secrets = { nonce: openid.randomNonce(), codeVerifier: openid.randomPKCECodeVerifier() }
  const url = openid.buildAuthorizationUrl(configuration, {
    ...parameters,
    nonce: secrets.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: 'S256',
  })
  return { url, secrets }
}

export type ProviderClaims = Record<string, unknown> & { sub: string }

/** The reason why a sign-in could not be finished. */
export interface ProviderSignInFailure {
  /** The provider is unreachable, or its ID token or another part of its response is invalid. */
  kind: 'unreachable' | 'id_token' | 'response'
  /** The reason for the operator. Contains no values of claims. */
  reason: string
  code: string
}

interface Callback extends SignInSecrets {
  redirectUri: string
  /** The query parameters that the provider added to the redirect URI. */
  answer: Record<string, string>
  /** Whether the ID token has all claims that are needed. Otherwise the UserInfo endpoint is called. */
  isComplete(idToken: ProviderClaims): boolean
  /** The names of the claims that are stored or compared. Absent if there are none. */
  used?: readonly string[]
}

type Finished = { claims: ProviderClaims; failure?: never } | { claims?: never; failure: ProviderSignInFailure }

/** The values that finish a sign-in, or the reason why it cannot be finished. */
export type PreparedFinish =
  | { configuration: openid.Configuration; assertion: Record<string, string>; failure?: never }
  | { failure: ProviderSignInFailure }

/**
 * Prepares the end of a sign-in. Call it before the state is used, so that the person can reload the page if it throws: it throws
 * `service_unavailable` if the signing process does not answer in time. Trouble of the provider is returned.
 */
export async function prepareFinish(deps: Asking, party: RelyingParty): Promise<PreparedFinish> {
  try {
    const configuration = await discover(deps, party)
    return { configuration, assertion: await assertionFor(deps, party, configuration) }
  } catch (error) {
    if (!isProviderTrouble(error)) throw error
    return { failure: failureOf(error) }
  }
}

/** Finishes a sign-in (OpenID Connect Core 1.0, section 3.1.2.5): exchanges the code for the claims of the person. */
export async function finishAtProvider(
  deps: Pick<Deps, 'withoutSlot'>,
  prepared: PreparedFinish,
  callback: Callback,
): Promise<Finished> {
  if (prepared.failure) return prepared
  try {
    const claims = await claimsFrom(deps, prepared, callback)
    const unusable = callback.used?.find((name) => !isStorableClaim(name, claims[name]))
    return unusable === undefined ? { claims } : { failure: failureOfClaim(unusable) }
  } catch (error) {
    if (!isProviderTrouble(error)) throw error
    return { failure: failureOf(error) }
  }
}

/** The library performs all checks of the response and the ID token, including RFC 9207. */
async function claimsFrom(
  deps: Pick<Deps, 'withoutSlot'>,
  { configuration, assertion }: Exclude<PreparedFinish, { failure: ProviderSignInFailure }>,
  { nonce, codeVerifier, redirectUri, answer, isComplete }: Callback,
): Promise<ProviderClaims> {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  const checks = {
    pkceCodeVerifier: codeVerifier,
    expectedState: answer.state ?? '',
    expectedNonce: nonce,
    idTokenExpected: true,
  }
  const tokens = await deps.withoutSlot(openid.authorizationCodeGrant(configuration, url, checks, assertion))
  const idToken = tokens.claims()
  if (!idToken) throw new Error('the library must reject a response without an ID token')
  if (isComplete(idToken) || configuration.serverMetadata().userinfo_endpoint === undefined) return { ...idToken }
  const userInfo = await deps.withoutSlot(openid.fetchUserInfo(configuration, tokens.access_token, idToken.sub))
  return mergeClaims(idToken, userInfo)
}

/**
 * Merges the claims of an ID token, or of an access token, with those of UserInfo. The token comes first. A claim and its verification come from the same response, so that the
 * verification of one address never counts for another address.
 */
export function mergeClaims(idToken: ProviderClaims, userInfo: ProviderClaims): ProviderClaims {
  const claims: ProviderClaims = { ...userInfo, ...idToken }
  for (const pair of claimsOfVerification) {
    const source = sourceOfPair([idToken, userInfo], pair)
    if (!source) continue
    for (const name of pair) {
      if (Object.hasOwn(source, name)) claims[name] = source[name]
      else delete claims[name]
    }
  }
  return claims
}

/** Returns the first response with the claim and its verification, or else the first one with the claim. */
function sourceOfPair(responses: ProviderClaims[], [claim, verification]: [string, string]) {
  const withClaim = responses.filter((response) => Object.hasOwn(response, claim))
  return withClaim.find((response) => Object.hasOwn(response, verification)) ?? withClaim[0]
}

/** The limit of the API for subjects. OpenID Connect Core 1.0, section 2, allows 255 characters. */
const maxSubjectLength = 500

/** Whether the database can store the claim unchanged. Two subjects that it changed could be the same user. */
export function isStorableClaim(name: string, value: unknown): boolean {
  if (!isStorableJson(value)) return false
  return name !== 'sub' || (typeof value === 'string' && value !== '' && value.length <= maxSubjectLength)
}

function failureOfClaim(name: string): ProviderSignInFailure {
  return { kind: 'response', reason: `The claim ${name} cannot be stored`, code: 'claim_not_storable' }
}

function failureOf(error: ProviderTrouble): ProviderSignInFailure {
  const code = error.code ?? error.name
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if (each instanceof OutboundError) return { kind: 'unreachable', reason: each.message, code }
  // The message of a failed check names claims and checks but contains no values of claims. Other nested errors may contain some.
  const failedCheck = failedCheckOf(error)
  const kind = failedCheck && isOfIdToken(failedCheck) ? 'id_token' : 'response'
  return { kind, reason: (failedCheck ?? error).message, code }
}

function failedCheckOf({ cause }: Error): Error | undefined {
  return cause instanceof Error && cause.name === 'OperationProcessingError' ? cause : undefined
}

/** Returns whether the library refused the ID token. Then the cause of the failed check is a part of the JWT, or the JWT itself. */
function isOfIdToken({ cause: part }: Error): boolean {
  if (typeof part !== 'object' || part === null) return typeof part === 'string'
  return ['header', 'claims', 'signature'].some((name) => name in part)
}
