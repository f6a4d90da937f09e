import { findNamedConfigurations } from '../../../db/repos/issuance/configurations.ts'
import { findSharedOffer, type SharedOfferRow } from '../../../db/repos/issuance/offers.ts'
import { Problem } from '../../../shared/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { Uuid } from '../../http/fields.ts'
import { findScopedIds } from '../configurations/scoped-ids.ts'
import { detailedConfigurationIds } from '../token/authorization-details.ts'
import type { Parameters } from './schemas.ts'

/** An authorization request as it counts: as it was sent, or as it was pushed before. */
export interface AuthorizationRequest {
  parameters: Parameters
  /** Of a key that was proven when the request was pushed. */
  dpopJkt: string | null
  instanceJkt: string | null
  /** Who pushed it, where it was, and until when any browser may open it. */
  pushed?: { id: string; registrationId: string | null; openUntil: Date }
}

/** What an authorization request asks for, once client and redirect URI have been checked. */
export interface RequestedAuthorization {
  configurationIds: string[]
  detailsRequested: boolean
  codeChallenge: string
  clientState: string | null
  dpopJkt: string | null
  offer: SharedOfferRow | undefined
}

/** SHA-256 in base64url. */
const digest = /^[\w-]{43}$/
const longestState = 4_000

/**
 * Checks a request (OpenID4VCI 1.0, section 5.1; RFC 7636; RFC 9449, section 10), which names `offer`. Throws what the wallet is
 * told.
 */
export async function readAuthorizationRequest(
  deps: Deps,
  tenant: Tenant,
  parameters: Parameters,
  offer: SharedOfferRow | undefined,
): Promise<RequestedAuthorization> {
  const { response_type, response_mode, request, state, code_challenge, code_challenge_method, dpop_jkt } = parameters
  if (request !== undefined) throw new Problem('request_not_supported')
  if (response_type === undefined) throw invalid('response_type is missing')
  if (response_type !== 'code') throw new Problem('unsupported_response_type')
  if (response_mode !== undefined && response_mode !== 'query')
    throw invalid('Only the response_mode query is supported')
  // RFC 9700, section 2.1.1: PKCE is not optional, and `plain` is none.
  if (code_challenge === undefined) throw invalid('code_challenge is missing')
  if (code_challenge_method !== 'S256') throw invalid('code_challenge_method must be S256')
  if (!digest.test(code_challenge)) throw invalid('code_challenge is not the SHA-256 of a verifier')
  if (dpop_jkt !== undefined && !digest.test(dpop_jkt)) throw invalid('dpop_jkt is not the thumbprint of a key')
  if (state !== undefined && state.length > longestState) throw invalid('state is too long')
  return {
    ...(await configurationsOf(deps, tenant, parameters, offer)),
    codeChallenge: code_challenge,
    clientState: state ?? null,
    dpopJkt: dpop_jkt ?? null,
    offer: usable(offer),
  }
}

/** The shared offer that a request names, also one that is deleted: its timeline tells of the request. Anybody can make up an `issuer_state`: it recalls what the offer said, and proves nothing. */
export async function offerOf(
  deps: Deps,
  tenant: Tenant,
  { issuer_state: issuerState }: Parameters,
): Promise<SharedOfferRow | undefined> {
  return issuerState !== undefined && Uuid.safeParse(issuerState).success
    ? findSharedOffer(deps.db.read, tenant.id, issuerState)
    : undefined
}

function usable(offer: SharedOfferRow | undefined): SharedOfferRow | undefined {
  return offer?.deletedAt === null ? offer : undefined
}

/** By scope, by authorization_details, or by both; with neither, what the offer was for. Scopes of others are ignored. */
async function configurationsOf(
  deps: Deps,
  tenant: Tenant,
  { scope, authorization_details: details, issuer_state: issuerState }: Parameters,
  offer: SharedOfferRow | undefined,
): Promise<Pick<RequestedAuthorization, 'configurationIds' | 'detailsRequested'>> {
  const detailed = details === undefined ? [] : detailedConfigurationIds(details)
  const known = await knownIds(deps, tenant, detailed)
  if (known.length < detailed.length) throw new Problem('invalid_authorization_details')
  const named = [...detailed, ...(scope === undefined ? [] : await findScopedIds(deps.db.read, tenant.id, scope))]
  const ids = named.length > 0 ? named : await knownIds(deps, tenant, usable(offer)?.configurationIds ?? [])
  if (ids.length === 0) {
    const named = offer ? 'an offer that was deleted' : 'no offer'
    const isOfNone = issuerState !== undefined && !usable(offer)
    throw new Problem('invalid_scope', isOfNone ? { reason: `The issuer_state names ${named}, and scope nothing` } : {})
  }
  return { configurationIds: [...new Set(ids)], detailsRequested: detailed.length > 0 }
}

/** Those of `ids` that the tenant still has, in their order. */
async function knownIds({ db }: Deps, { id: tenantId }: Tenant, ids: string[]): Promise<string[]> {
  const known = new Set((await findNamedConfigurations(db.read, tenantId, ids)).map(({ id }) => id))
  return ids.filter((id) => known.has(id))
}

function invalid(message: string): Problem {
  return new Problem('invalid_request', { message })
}
