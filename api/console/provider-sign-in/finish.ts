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
import { type AskedProvider, contextOf } from './begin.ts'
import { failedWith, goOn, type SignInFailure } from './outcome.ts'
import { claimAt, personOf, type SignedInManager } from './person.ts'

interface Return {
  tenant: Tenant
  headers: Headers
  /** What the provider has put into the address. */
  answer: Record<string, string>
  requestId: string
}

/** A person comes back from the provider (OpenID Connect Core 1.0, section 3.1.2.5), signed in or not. */
export async function finishSignIn(deps: Deps, { tenant, headers, answer, requestId }: Return): Promise<Answer> {
  const over = setConsoleCookie(tenant, 'console-sign-in', { value: '', sameSite: 'Lax', forSeconds: 0 })
  const fail = (failure: SignInFailure, reason: string) => failedWith(tenant, failure, over, reason)

  const asked = await takeAsked(deps, tenant, headers, answer.state)
  if (!asked) return fail('expired', 'No sign-in of this browser is under way with this state')
  if (answer.error === 'access_denied') return fail('cancelled', 'The sign-in was cancelled at the provider')
  if (answer.error !== undefined) return fail('failed', 'The provider refused the sign-in')
  const provider = await findProviderOf(deps, tenant)
  if (!provider || hashOfGrants(provider) !== asked.providerHash)
    return fail('changed', 'The settings of the provider were changed during the sign-in')
  const claims = await claimsFrom(deps, provider, asked, answer)
  if (typeof claims === 'string') return fail('unavailable', `The provider cannot be reached: ${claims}`)
  if (claims instanceof Error) return fail('failed', `The provider gave no valid answer: ${claims.message}`)
  const person = personOf(provider, claims)
  if (!person) return fail('failed', `The provider gave no usable claim ${provider.userClaim}`)
  if (person.roles.length === 0) return fail('no_role', `The claim ${provider.claim} of the person gives no role`)
  const cookie = await signIn(deps, tenant, { person, asked, requestId })
  return goOn(tenant, asked.returnTo, { cookies: [over, cookie] })
}

/** Once, whatever comes of it, and in the browser that began: a state alone is worth nothing. */
async function takeAsked(deps: Deps, tenant: Tenant, headers: Headers, state = ''): Promise<AskedProvider | undefined> {
  const browser = consoleCookie(tenant, headers, 'console-sign-in')
  if (browser === undefined) return undefined
  const of = { id: idOfSecret(state), stateHash: hashSecret(state), browserHash: hashSecret(browser) }
  const taken = await deps.db.tx((tx) => takeConsoleSignIn(tx, tenant.id, of, deps.clock.now()))
  // Boundary: `beginSignIn` sealed it.
  return taken && (JSON.parse(deps.secrets.open(taken.sealedRequest, contextOf(taken.id))) as AskedProvider)
}

type Claims = Record<string, unknown>

/**
 * All checks of the answer and the id token are the library's, RFC 9207 among them. What the person is known by may stand in the
 * userinfo alone. A text says why the provider was not reached, an error what was wrong with its answer.
 */
async function claimsFrom(
  deps: Deps,
  provider: ConsoleProvider,
  { redirectUri, nonce, codeVerifier }: AskedProvider,
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
    if (!idToken) return new Error('there is no id token')
    const isThere = (name: string) => claimAt(idToken, name) !== undefined
    const isComplete = isThere(provider.claim) && isThere(provider.userClaim)
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
  { person, asked, requestId }: { person: SignedInManager; asked: AskedProvider; requestId: string },
): Promise<string> {
  const by = { event: 'CONSOLE_SIGN_IN', requestId, managementUserId: person.managementUserId }
  return changesBy(
    deps,
    by,
  )(async (tx, tell) => {
    if (asked.formerId !== undefined) await deleteConsoleSession(tx, tenant.id, asked.formerId)
    const who = { ...person, providerHash: asked.providerHash }
    const { session, cookie } = await beginConsoleSession(tx, tenant, who, deps.clock.now())
    tell(tenant.id, { id: session.id, roles: person.roles })
    return cookie
  })
}
