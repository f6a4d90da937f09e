import { findSharedOffer } from '../../../db/repos/issuance/offers/offers.ts'
import { findSignInOffer } from '../../../db/repos/issuance/sessions/sign-in-offers.ts'
import type { CheckName } from '../../../shared/domain/issuance/checks.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import { isOfView } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import { Uuid } from '../../http/fields.ts'
import { findPublishedIds } from '../configurations/published-ids.ts'
import { findScopedIds } from '../configurations/scoped-ids.ts'
import { isIssuerStateOf } from '../offers/issuer-state.ts'
import { detailedConfigurationIds } from '../token/authorization-details.ts'
import type { Parameters } from './schemas.ts'

/** The effective authorization request: the one that was sent, or the one that was pushed before. */
export interface AuthorizationRequest {
  parameters: Parameters
  /** The thumbprint of the key that was proven when the request was pushed. */
  dpopJkt: string | null
  instanceJkt: string | null
  /**
   * The pushed request: its id, the registered wallet that pushed it, and the time until which any browser may open it.
   */
  pushed?: { id: string; registrationId: string | null; openUntil: Date }
}

/** The content of an authorization request, after client and redirect URI have been checked. */
export interface RequestedAuthorization {
  configurationIds: string[]
  detailsRequested: boolean
  codeChallenge: string
  clientState: string | null
  dpopJkt: string | null
  offer: NamedOffer | undefined
}

/** The offer that an `issuer_state` names: a shared offer, or the offer of a claim link whose person must sign in. */
export interface NamedOffer {
  id: string
  configurationIds: string[]
  /** Parameters for the provider. */
  requestParameters: Record<string, string>
  claimLinkId: string | null
  /** False if the offer was deleted, or if the offer of a claim link was used, is expired or was replaced. */
  isUsable: boolean
}

/** SHA-256 in base64url. */
const digest = /^[\w-]{43}$/
const maxStateLength = 4_000

/**
 * Checks a request (OpenID4VCI 1.0, section 5.1; RFC 7636; RFC 9449, section 10). `offer` is the offer that the request
 * names. Throws the error response for the wallet.
 */
export async function readAuthorizationRequest(
  deps: Deps,
  tenant: Tenant,
  parameters: Parameters,
  offer: NamedOffer | undefined,
): Promise<RequestedAuthorization> {
  const { response_type, response_mode, request, state, code_challenge, code_challenge_method, dpop_jkt } = parameters
  if (request !== undefined) throw new Problem('request_not_supported')
  if (response_type === undefined) throw invalid('parameters', 'response_type is missing')
  if (response_type !== 'code') throw new Problem('unsupported_response_type')
  if (response_mode !== undefined && response_mode !== 'query')
    throw invalid('parameters', 'Only the response_mode query is supported')
  // RFC 9700, section 2.1.1: PKCE is required, and `plain` is not accepted.
  if (code_challenge === undefined) throw invalid('code_challenge', 'code_challenge is missing')
  if (code_challenge_method !== 'S256') throw invalid('code_challenge', 'code_challenge_method must be S256')
  if (!digest.test(code_challenge)) throw invalid('code_challenge', 'code_challenge is not the SHA-256 of a verifier')
  if (dpop_jkt !== undefined && !digest.test(dpop_jkt))
    throw invalid('dpop_jkt', 'dpop_jkt is not the thumbprint of a key')
  if (state !== undefined && state.length > maxStateLength)
    throw invalid('parameters', 'state is longer than 4000 characters')
  requireUsable(parameters, offer)
  return {
    ...(await configurationsOf(deps, tenant, parameters, offer)),
    codeChallenge: code_challenge,
    clientState: state ?? null,
    dpopJkt: dpop_jkt ?? null,
    offer,
  }
}

/**
 * Refuses a state of our form whose offer cannot be used. Without its offer, the person would get a credential without the claims of the
 * offer or the claim link. Other states are ignored.
 */
function requireUsable({ issuer_state: issuerState = '' }: Parameters, offer: NamedOffer | undefined): void {
  if (offer?.isUsable || (!offer && offerIdIn(issuerState) === undefined)) return
  const message = offer?.claimLinkId
    ? 'The offer is expired or used. Open the link again'
    : 'The issuer_state names no offer, or a deleted one. Get a new offer'
  throw invalid('requested_credentials', message)
}

/** Returns the id of the offer in a state that this service can have made. */
function offerIdIn(issuerState: string): string | undefined {
  const [id = ''] = issuerState.split('.', 1)
  return Uuid.safeParse(id).success ? id : undefined
}

/**
 * Finds the offer that a request names, including a deleted offer, because its timeline shows the request. Anyone can
 * invent the `issuer_state` of a shared offer: it identifies the offer and proves nothing.
 */
export async function offerOf(
  deps: Deps,
  tenant: Tenant,
  { issuer_state: issuerState = '' }: Parameters,
): Promise<NamedOffer | undefined> {
  const id = offerIdIn(issuerState)
  if (id === undefined) return undefined
  if (issuerState !== id)
    return isIssuerStateOf(deps, tenant, id, issuerState) ? offerOfLink(deps, tenant, id) : undefined
  const shared = await findSharedOffer(deps.db.read, tenant.id, id)
  return shared && isOfView(tenant, shared)
    ? { ...shared, claimLinkId: null, isUsable: shared.deletedAt === null }
    : undefined
}

async function offerOfLink(deps: Deps, tenant: Tenant, id: string): Promise<NamedOffer | undefined> {
  const offer = await findSignInOffer(deps.db.read, tenant.id, id)
  if (!offer || !isOfView(tenant, offer)) return undefined
  const isUsable = offer.state === 'usable' && offer.expiresAt > deps.clock.now()
  return { ...offer, requestParameters: {}, isUsable }
}

/**
 * Returns the requested configurations: by scope, by authorization_details, or by both. Without either, returns the
 * configurations of the offer. Unknown scopes are ignored.
 */
async function configurationsOf(
  deps: Deps,
  tenant: Tenant,
  { scope, authorization_details: details, issuer_state: issuerState }: Parameters,
  offer: NamedOffer | undefined,
): Promise<Pick<RequestedAuthorization, 'configurationIds' | 'detailsRequested'>> {
  const detailed = details === undefined ? [] : detailedConfigurationIds(details)
  const existingIds = await findPublishedIds(deps, tenant, detailed)
  if (existingIds.length < detailed.length) throw new Problem('invalid_authorization_details')
  const scoped = scope === undefined ? [] : await findScopedIds(deps.db.read, tenant.id, scope)
  const named = [...detailed, ...(tenant.view ? await findPublishedIds(deps, tenant, scoped) : scoped)]
  const offered = offer?.configurationIds ?? []
  const allowed = offer && offer.claimLinkId !== null ? named.filter((id) => offered.includes(id)) : named
  const ids = named.length > 0 ? allowed : await findPublishedIds(deps, tenant, offered)
  if (ids.length === 0) {
    const reason = 'The issuer_state names no offer, and the request has no known scope'
    throw new Problem('invalid_scope', issuerState !== undefined && !offer ? { reason } : {})
  }
  return { configurationIds: [...new Set(ids)], detailsRequested: detailed.length > 0 }
}

function invalid(check: CheckName, message: string): Problem {
  return new Problem('invalid_request', { message, check })
}
