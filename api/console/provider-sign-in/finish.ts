import * as openid from 'openid-client'
import { deleteConsoleSession } from '../../../db/repos/console/sessions.ts'
import { takeConsoleSignIn } from '../../../db/repos/console/sign-ins.ts'
import { changesBy } from '../../../db/repos/operations/audited.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { OutboundError } from '../../../shared/outbound/outbound-error.ts'
import { consoleCookie, setConsoleCookie } from '../../access/console/cookie.ts'
import { type ConsoleProvider, findProviderOf, hashOfGrants } from '../../access/console/provider.ts'
import { beginConsoleSession } from '../../access/console/session.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Answer } from '../../http/representations/answer.ts'
import type { Headers } from '../../http/route.ts'
import { discover, isProviderTrouble } from '../../relying-party/discover.ts'
import { contextOf, type PendingSignIn } from './begin.ts'
import { continueAt, failSignIn, type SignInFailure } from './outcome.ts'
import { claimAt, readPerson, type SignedInManager } from './person.ts'

interface ProviderCallback {
  tenant: Tenant
  headers: Headers
  /** The query parameters that the provider added to the callback address. */
  answer: Record<string, string>
  requestId: string
}

/** Handles the callback of the provider, successful or not (OpenID Connect Core 1.0, section 3.1.2.5). */
export async function finishSignIn(
  deps: Deps,
  { tenant, headers, answer, requestId }: ProviderCallback,
): Promise<Answer> {
  const endedCookie = setConsoleCookie(tenant, 'console-sign-in', { value: '', sameSite: 'Lax', forSeconds: 0 })
  const fail = (failure: SignInFailure, reason: string) => failSignIn(tenant, failure, endedCookie, reason)

  const pending = await takePending(deps, tenant, headers, answer.state)
  if (!pending) return fail('expired', 'This browser has no pending sign-in with this state')
  if (answer.error === 'access_denied') return fail('cancelled', 'The sign-in was cancelled at the provider')
  if (answer.error !== undefined) return fail('failed', 'The provider refused the sign-in')
  const provider = await findProviderOf(deps, tenant)
  if (!provider || hashOfGrants(provider) !== pending.providerHash)
    return fail('changed', 'The settings of the provider were changed during the sign-in')
  const claims = await claimsFrom(deps, provider, pending, answer)
  if (typeof claims === 'string') return fail('unavailable', `The provider is unreachable: ${claims}`)
  if (claims instanceof Error) return fail('failed', `The provider's response is invalid: ${claims.message}`)
  const person = readPerson(provider, claims)
  if (!person) return fail('failed', `The claim ${provider.userClaim} is missing or not usable`)
  if (person.roles.length === 0) return fail('no_role', `The claim ${provider.claim} of the person maps to no role`)
  const cookie = await signIn(deps, tenant, { person, pending, requestId })
  return continueAt(tenant, pending.returnTo, { cookies: [endedCookie, cookie] })
}

/**
 * Takes the pending sign-in, which can be taken only once. Requires the cookie of the browser that started it, beside the
 * state.
 */
async function takePending(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  state = '',
): Promise<PendingSignIn | undefined> {
  const browser = consoleCookie(tenant, headers, 'console-sign-in')
  if (browser === undefined) return undefined
  const of = { id: idOfSecret(state), stateHash: hashSecret(state), browserHash: hashSecret(browser) }
  const taken = await deps.db.tx((tx) => takeConsoleSignIn(tx, tenant.id, of, deps.clock.now()))
  // Boundary: `beginSignIn` sealed this value.
  return taken && (JSON.parse(deps.secrets.open(taken.sealedRequest, contextOf(taken.id))) as PendingSignIn)
}

type Claims = Record<string, unknown>

/**
 * Exchanges the code for the claims of the person. `openid-client` does all checks of the response and the id token, including
 * RFC 9207. Claims that the id token does not have are read from the userinfo. Returns a text if the provider is unreachable, and
 * an error if its response is invalid.
 */
async function claimsFrom(
  deps: Deps,
  provider: ConsoleProvider,
  { redirectUri, nonce, codeVerifier }: PendingSignIn,
  answer: Record<string, string>,
): Promise<Claims | Error | string> {
  try {
    const configuration = await discover(deps, provider)
    const url = new URL(redirectUri)
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
    const tokens = await deps.withoutSlot(
      openid.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: codeVerifier,
        expectedState: answer.state ?? '',
        expectedNonce: nonce,
        idTokenExpected: true,
      }),
    )
    const idToken = tokens.claims()
    if (!idToken) return new Error('the id token is missing')
    const hasClaim = (name: string) => claimAt(idToken, name) !== undefined
    const isComplete = hasClaim(provider.claim) && hasClaim(provider.userClaim)
    if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return idToken
    const userInfo = await deps.withoutSlot(openid.fetchUserInfo(configuration, tokens.access_token, idToken.sub))
    return { ...userInfo, ...idToken }
  } catch (error) {
    if (!isProviderTrouble(error)) throw error
    for (let each: unknown = error; each instanceof Error; each = each.cause)
      if (each instanceof OutboundError) return each.message
    return error
  }
}

async function signIn(
  deps: Deps,
  tenant: Tenant,
  { person, pending, requestId }: { person: SignedInManager; pending: PendingSignIn; requestId: string },
): Promise<string> {
  const by = { event: 'CONSOLE_SIGN_IN', requestId, managementUserId: person.managementUserId }
  return changesBy(
    deps,
    by,
  )(async (tx, record) => {
    if (pending.formerId !== undefined) await deleteConsoleSession(tx, tenant.id, pending.formerId)
    const who = { ...person, providerHash: pending.providerHash }
    const { session, cookie } = await beginConsoleSession(tx, tenant, who, deps.clock.now())
    record(tenant.id, { id: session.id, roles: person.roles })
    return cookie
  })
}
