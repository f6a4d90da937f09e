import {
  extendPushedRequest,
  insertAuthorization,
  openPushedRequest,
} from '../../../db/repos/issuance/sessions/authorizations.ts'
import { plusMs } from '../../../shared/clock.ts'
import type { CheckName } from '../../../shared/domain/issuance/checks.ts'
import { followsHaip } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { tracing } from '../../../shared/tracing/tracing.ts'
import type { Tenant } from '../../access/subjects.ts'
import { viewIdOf } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import type { Answer } from '../../http/representations/answer.ts'
import type { Headers } from '../../http/route.ts'
import { findAdmittedClient, refuseWebsite, unknownClient } from '../wallets/admitted-client.ts'
import { beginCookies } from './browser.ts'
import { startLogin } from './login/start-login.ts'
import { findPushed } from './pushed-request.ts'
import {
  type AuthorizationRequest,
  offerOf,
  type RequestedAuthorization,
  readAuthorizationRequest,
} from './read-request.ts'
import { type Destination, redirectAnswer, redirectTo } from './redirect.ts'
import { reviewPath } from './review/address.ts'
import type { Parameters } from './schemas.ts'

/** The time that a person has to sign in. */
const loginWithinMs = 30 * 60_000

/**
 * Starts an authorization (OpenID4VCI 1.0, section 5) and redirects the person to the sign-in, or to the review before it.
 * Returns errors to a registered wallet once its redirect URI is checked. Throws all other errors, which only the person
 * sees.
 */
export async function authorize(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  sent: Parameters,
  about: (offerId: string | undefined) => void,
): Promise<Answer> {
  const request = await requestOf(deps, tenant, headers, sent)
  const { client_id: clientId, redirect_uri: redirectUri, state } = request.parameters
  // The offer is looked up before the client is checked, so that the offer's timeline also shows a request of an
  // unknown client.
  const offer = await offerOf(deps, tenant, request.parameters)
  about(offer?.id)
  if (clientId === undefined || redirectUri === undefined)
    throw invalid('client', 'client_id or redirect_uri is missing')
  const client = await findAdmittedClient(deps, tenant, clientId, redirectUri, request.instanceJkt)
  if (!client) throw unknownClient(clientId, redirectUri)
  refuseWebsite(client, { redirectUri, instanceJkt: request.instanceJkt }, offer)
  const registrationId = client.registered?.id ?? null
  if (request.pushed && request.pushed.registrationId !== registrationId) throw wrongRequestUri()
  try {
    // HAIP 1.0, section 4.3: this profile requires pushed authorization requests.
    if (followsHaip(tenant.profile) && sent.request_uri === undefined)
      throw invalid('pushed_request', 'The request must be pushed')
    const requested = await readAuthorizationRequest(deps, tenant, request.parameters, offer)
    const login = await sendToLogin(deps, tenant, { ...request, clientId, registrationId, redirectUri }, requested)
    return redirectAnswer(login.address, { cookies: beginCookies(deps, tenant, headers, login.authorizationId) })
  } catch (error) {
    // Anyone can be an unregistered wallet. Its redirect URI receives no error before a person has chosen to sign in.
    if (!(error instanceof Problem) || !client.registered) throw error
    // The wallet gets one response to a pushed request (RFC 9126, section 4), and another browser has brought it.
    if (error.problem === 'sign_in_handed_back') throw error
    return redirect(tenant, { redirectUri, clientState: state ?? null, viewId: viewIdOf(tenant) }, error)
  }
}

async function requestOf(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  sent: Parameters,
): Promise<AuthorizationRequest> {
  const { request_uri: requestUri, client_id: clientId } = sent
  if (requestUri === undefined) return { parameters: sent, dpopJkt: null, instanceJkt: null }
  const pushed = await findPushed(deps, tenant, headers, { requestUri, clientId })
  // RFC 9126, section 4: parameters outside the pushed request are ignored.
  if (!pushed) throw wrongRequestUri()
  return pushed
}

interface Start extends AuthorizationRequest {
  clientId: string
  registrationId: string | null
  redirectUri: string
}

async function sendToLogin(deps: Deps, tenant: Tenant, start: Start, requested: RequestedAuthorization) {
  const { offer, dpopJkt, ...rest } = requested
  // The wallet cannot choose the trace: a `traceparent` of its request is ignored.
  tracing?.begin(undefined)
  const at = deps.clock.now()
  const id = newOrderedId(at)
  // The offer's parameters override those of the wallet.
  const parameters = { ...start.parameters, ...offer?.requestParameters }
  const { url, step, requestParameters } = await startLogin(deps, tenant, id, parameters)
  const { clientId, registrationId, redirectUri, instanceJkt, pushed } = start
  const expiresAt = plusMs(at, loginWithinMs)
  await deps.db.tx(async (tx) => {
    await insertAuthorization(tx, {
      ...rest,
      ...step,
      ...{ id, tenantId: tenant.id, state: 'login', clientId, registrationId, redirectUri },
      pushedRequestId: pushed?.id ?? null,
      dpopJkt: dpopJkt ?? start.dpopJkt,
      instanceJkt,
      viewId: viewIdOf(tenant),
      offerId: offer?.id ?? null,
      claimLinkId: offer?.claimLinkId ?? null,
      requestParameters,
      traceparent: tracing?.traceparent() ?? null,
      ...{ userId: null, hookClaims: null, codeHash: null, expiresAt, createdAt: at },
    })
    if (!pushed) return
    const opening = { authorizationId: id, openUntil: pushed.openUntil }
    if (!(await openPushedRequest(tx, tenant.id, pushed.id, opening))) throw new Problem('sign_in_handed_back')
    // A step in another tab may take longer.
    await extendPushedRequest(tx, tenant.id, pushed.id, expiresAt)
  })
  const address = tenant.settings.reviewBeforeSignIn ? reviewPath(deps, tenant, id) : url.href
  return { address, authorizationId: id }
}

function redirect(tenant: Tenant, to: Destination, problem: Problem): Answer {
  const url = redirectTo(tenant, to, { error: problem.code, error_description: problem.message })
  return redirectAnswer(url, { refused: problem })
}

function wrongRequestUri(): Problem {
  return invalid('pushed_request', 'The request_uri is wrong, expired or already used')
}

function invalid(check: CheckName, message: string): Problem {
  return new Problem('invalid_request', { message, check })
}
