import { deleteConsoleSession } from '../../../db/repos/console/sessions.ts'
import { hasConsoleSignIn, takeConsoleSignIn } from '../../../db/repos/console/sign-ins.ts'
import { changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { consoleSignInContext } from '../../../shared/secrets/stored-contexts.ts'
import { consoleCookie, setConsoleCookie } from '../../access/console/cookie.ts'
import { findProviderOf, hashOfGrants } from '../../access/console/provider.ts'
import { beginConsoleSession } from '../../access/console/session.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Answer } from '../../http/representations/answer.ts'
import type { Headers } from '../../http/route.ts'
import { finishAtProvider, type ProviderClaims, prepareFinish } from '../../relying-party/sign-in.ts'
import type { PendingSignIn } from './begin.ts'
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

  const sought = soughtBy(tenant, headers, answer.state)
  const provider = await findProviderOf(deps, tenant)
  // The state is not used yet. After `service_unavailable`, the callback can be repeated.
  const isPending = sought && (await hasConsoleSignIn(deps.db.read, tenant.id, sought, deps.clock.now()))
  const prepared = isPending && provider && answer.error === undefined ? await prepareFinish(deps, provider) : undefined
  const pending = sought && (await takePending(deps, tenant, sought))
  if (!pending) return fail('expired', 'This browser has no pending sign-in with this state')
  if (answer.error === 'access_denied') return fail('cancelled', 'The sign-in was cancelled at the provider')
  if (answer.error !== undefined) return fail('failed', 'The provider refused the sign-in')
  if (!provider || !prepared || hashOfGrants(provider) !== pending.providerHash)
    return fail('changed', 'The settings of the provider were changed during the sign-in')
  const isComplete = (idToken: ProviderClaims) =>
    [provider.claim, provider.userClaim].every((name) => claimAt(idToken, name) !== undefined)
  const { claims, failure } = await finishAtProvider(deps, prepared, { ...pending, answer, isComplete })
  if (failure?.kind === 'unreachable') return fail('unavailable', `The provider is unreachable: ${failure.reason}`)
  if (failure) return fail('failed', `The provider's response is invalid: ${failure.reason}`)
  const person = readPerson(provider, claims)
  if (!person) return fail('failed', `The claim ${provider.userClaim} is missing or not usable`)
  if (person.roles.length === 0) return fail('no_role', `The claim ${provider.claim} of the person maps to no role`)
  const cookie = await signIn(deps, tenant, { person, pending, requestId })
  return continueAt(tenant, pending.returnTo, { cookies: [endedCookie, cookie] })
}

interface SoughtSignIn {
  id: string
  stateHash: string
  browserHash: string
}

/** Requires the cookie of the browser that started the sign-in, beside the state. */
function soughtBy(tenant: Tenant, headers: Headers, state = ''): SoughtSignIn | undefined {
  const browser = consoleCookie(tenant, headers, 'console-sign-in')
  if (browser === undefined) return undefined
  return { id: idOfSecret(state), stateHash: hashSecret(state), browserHash: hashSecret(browser) }
}

/** Takes the pending sign-in, which can be taken only once. */
async function takePending(deps: Deps, tenant: Tenant, sought: SoughtSignIn): Promise<PendingSignIn | undefined> {
  const taken = await deps.db.tx((tx) => takeConsoleSignIn(tx, tenant.id, sought, deps.clock.now()))
  // Boundary: `beginSignIn` sealed this value.
  return taken && (JSON.parse(deps.secrets.open(taken.sealedRequest, consoleSignInContext(taken.id))) as PendingSignIn)
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
