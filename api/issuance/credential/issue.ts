import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import {
  findClaimedIssuance,
  findIssuance,
  type NewIssuance,
  type UnwrittenIssuance,
} from '../../../db/repos/issuance/issuances.ts'
import type { HolderKey } from '../../../db/tables/issuance/issuances.ts'
import { faultText, mapClaims } from '../../../shared/domain/issuance/claims/claim-faults.ts'
import type { ClaimSources } from '../../../shared/domain/issuance/claims/claim-values.ts'
import { mapValidity } from '../../../shared/domain/issuance/claims/mapped-validity.ts'
import { countCredentials } from '../../../shared/domain/issuance/credential-count.ts'
import { isKeyBound } from '../../../shared/domain/issuance/profiles.ts'
import { codeOf, Problem, withCheck } from '../../../shared/errors/errors.ts'
import { thumbprint } from '../../../shared/formats/jwk.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { IssuanceRequest } from '../../../shared/jobs/payloads.ts'
import { NeverSent } from '../../../shared/jobs/signing-queue.ts'
import { signingWeight } from '../../../shared/jobs/signing-weight.ts'
import { wrongToken } from '../../access/holder.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import { viewIdOf } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import type { AttributedIds } from '../../http/attributed-ids.ts'
import { findRecentConfiguration } from '../configurations/recent.ts'
import { checkProofs } from '../proofs/check-proofs.ts'
import { type ClaimSourceContext, callClaimSource, type SourceFailure } from './call-claim-source.ts'
import { findEarlier, mayCollect, usesOf } from './earlier-request.ts'
import { handleOf } from './handles.ts'
import { type IssueOutcome, issuedFrom, refusedAs, refusedFor } from './outcome.ts'
import { refuseWithoutSource } from './refuse-without-source.ts'
import type { CredentialRequest } from './schemas.ts'
import { abandon, defer } from './unsigned.ts'

interface Issuing {
  deps: Deps
  tenant: Tenant
  requestId: string
  /** The published URL of the endpoint. */
  url: string
  /** The deadline of the request, by `performance.now()`. */
  deadlineAt: number
  attribute(offerId: string | null, names: AttributedIds): void
}

/**
 * Issues the credentials of a request (OpenID4VCI 1.0, section 8). All checks run here, and a failed check stores
 * nothing. A signing process signs the checked request. One transaction of it spends the nonce and the offer and writes
 * the issuance as `issued`. A request that is not signed in time is written here, as `abandoned` or as deferred. Both
 * rows have the same id, so that only one of them is written.
 */
export async function issueCredential(
  { deps, tenant, requestId, url, deadlineAt, attribute }: Issuing,
  holder: Holder,
  request: CredentialRequest,
): Promise<IssueOutcome> {
  const configuration = await configurationOf(deps, tenant, holder, request)
  const { offerId, userId, sessionId } = holder
  if (!isKeyBound(configuration)) attribute(offerId, { userId, sessionId, keyBinding: false })
  const proofs = checkProofs(deps, tenant, holder, configuration, request.proofs)
  const { sources, failure } = await claimSources(deps, tenant, { holder, requestId }, configuration)
  if (failure) refuseWithoutSource(configuration, sources, failure)
  const { claims, faults } = mapClaims(configuration, sources)
  const fault = faultText(faults)
  if (fault !== undefined) throw new Problem('credential_request_denied', { message: fault })

  const at = deps.clock.now()
  const issuance = {
    id: newOrderedId(at),
    tenantId: tenant.id,
    ...{ sessionId, offerId, userId },
    authorizationId: holder.authorizationId,
    configurationId: configuration.id,
    claims,
    validity: mapValidity(configuration, sources),
    holderKeys: proofs.holderKeys,
    viewId: viewIdOf(tenant),
    requestedAt: at,
  }
  const uses = usesOf(issuance, proofs)
  const isAllowed = await mayCollect(deps, holder, issuance)
  // A signing process finds the earlier result of a repeated request itself.
  if (!isAllowed || !deps.keys.hasSigner()) {
    const earlier = await findEarlier(deps, tenant.id, uses)
    if (earlier) return outcomeOf(deps, tenant, holder, { ...issuance, id: earlier.id })
    if (!isAllowed) throw new Problem('collected_enough')
  }
  return sign({ deps, tenant, url, deadlineAt }, holder, { issuance, uses })
}

async function configurationOf(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  request: CredentialRequest,
): Promise<ConfigurationRow> {
  const { credential_identifier: identifier, credential_configuration_id: named } = request
  const id = identifier === undefined ? named : identified(holder, identifier)
  const configuration =
    id !== undefined && holder.configurationIds.includes(id) && (await findRecentConfiguration(deps, tenant.id, id))
  if (configuration) return configuration
  throw new Problem(identifier === undefined ? 'unknown_credential_configuration' : 'unknown_credential_identifier')
}

function identified({ credentialIdentifiers }: Holder, identifier: string): string | undefined {
  return Object.hasOwn(credentialIdentifiers, identifier) ? credentialIdentifiers[identifier] : undefined
}

async function claimSources(
  deps: Deps,
  tenant: Tenant,
  context: ClaimSourceContext,
  { settings: { claimSourceId } }: ConfigurationRow,
): Promise<{ sources: ClaimSources; failure?: SourceFailure }> {
  const { holder } = context
  if (!holder.knownClaims) throw new Error('the route does not load the claims')
  const { offerClaims, hookClaims, userClaims, subjectId, providerUrl } = holder.knownClaims
  if (holder.authorizationId === null && !offerClaims)
    throw new Problem('credential_request_denied', { check: 'collected_once' })
  const first = [offerClaims ?? {}, hookClaims ?? {}]
  const authenticationProvider = {
    ...(subjectId === null ? {} : { subjectId }),
    ...(providerUrl === null ? {} : { url: providerUrl }),
  }
  const stored = { claims: [...first, userClaims], authenticationProvider }
  if (claimSourceId === undefined) return { sources: stored }
  const { claims, failure } = await callClaimSource(deps, tenant, context, claimSourceId, stored)
  return { sources: { ...stored, claims: [...first, claims, userClaims] }, ...(failure && { failure }) }
}

/**
 * Sends the request to a signing process, which writes it, and waits. On a timeout, defers it if the tenant allows it. Otherwise cancels it.
 */
async function sign(
  call: Pick<Issuing, 'deps' | 'tenant' | 'url' | 'deadlineAt'>,
  holder: Holder,
  checked: UnwrittenIssuance,
): Promise<IssueOutcome> {
  const { deps, tenant, url, deadlineAt } = call
  const { issuance } = checked
  try {
    const weight = signingWeight(countCredentials(issuance.holderKeys), issuance.claims)
    const credentials = await deps.keys.request('issueCredentials', itemOf(checked), { deadlineAt, weight })
    // The signing process replies after its commit. Without credentials in the reply, the row contains them.
    if (credentials) return issuedFrom(deps, { ...issuance, deferredAt: null, credentials })
  } catch (error) {
    if (!(error instanceof Problem)) return endUnsigned(deps, tenant, holder, checked, error)
    if (error.code === codeOf('credential_request_denied')) return outcomeOf(deps, tenant, holder, issuance, error)
    if (error.problem === 'invalid_token')
      throw wrongToken(tenant, url, { reason: 'The grant of the access token was revoked during the request' })
    return endUnsigned(deps, tenant, holder, checked, error)
  }
  return outcomeOf(deps, tenant, holder, issuance)
}

function itemOf({ issuance: { id, requestedAt, viewId, ...content }, uses }: UnwrittenIssuance): IssuanceRequest {
  const inMs = uses.map(({ expiresAt, ...use }) => ({ ...use, expiresAt: expiresAt.getTime() }))
  const ofView = viewId === null ? {} : { viewId }
  return { ...content, ...ofView, issuanceId: id, requestedAt: requestedAt.getTime(), uses: inMs }
}

/** Ends a request without a signature: returns the outcome of an earlier, equal request, or defers or cancels this one. */
async function endUnsigned(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  checked: UnwrittenIssuance,
  error: unknown,
): Promise<IssueOutcome> {
  const { issuance, uses } = checked
  // A request is also cancelled if the database cannot be read. Otherwise it may still be signed and use up the offer.
  const earlier = await findEarlier(deps, tenant.id, uses).catch(() => undefined)
  if (earlier) return outcomeOf(deps, tenant, holder, { ...issuance, id: earlier.id })
  if (error instanceof Problem && error.problem === 'invalid_nonce') throw error
  if (tenant.settings.deferredIssuance === 'whenSlow') {
    const isDeferred = await defer(deps, checked).catch(() => undefined)
    if (isDeferred) return deferredAs(deps, tenant, issuance)
    if (isDeferred !== undefined) return outcomeOf(deps, tenant, holder, issuance)
  }
  if (error instanceof NeverSent || (await abandon(deps, checked)))
    return { kind: 'unknown', error: notSignedInTime(error) }
  return outcomeOf(deps, tenant, holder, issuance)
}

/** Names the failed check. Other errors than an unavailable signing process stay as they are. */
function notSignedInTime(error: unknown): unknown {
  const isUnavailable = error instanceof Problem && error.problem === 'service_unavailable'
  return isUnavailable ? withCheck(error, 'signed_in_time') : error
}

function deferredAs(deps: Deps, tenant: Tenant, { id }: NewIssuance): IssueOutcome {
  return { kind: 'deferred', transactionId: handleOf(deps, tenant, 'transaction_id', id) }
}

/** Returns the outcome in the row of the issuance. `denial` is the problem of the signing process, if it is known. */
async function outcomeOf(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  requested: NewIssuance,
  denial?: Problem,
): Promise<IssueOutcome> {
  const issuance = await findIssuance(deps.db.read, tenant.id, requested.id)
  if (issuance?.state === 'issued') return issuedFrom(deps, issuance)
  // It was deferred by an equal request, or by this one, whose commit was not confirmed in time.
  if (issuance?.state === 'requested' && issuance.deferredAt) return deferredAs(deps, tenant, requested)
  // The row is missing if the database lost a commit before it was flushed, or if the person was deleted. In the second
  // case the next request fails. The row is abandoned if a duplicate of this request cancelled it.
  if (!issuance || issuance.state === 'abandoned' || issuance.state === 'requested')
    return { kind: 'unknown', error: new Problem('service_unavailable', { check: 'signed_in_time' }) }
  const problem = denial ?? refusedAs(issuance)
  // A session of an authorization can collect the credential again.
  if (holder.authorizationId !== null) return refusedFor(deps, tenant, holder, problem)
  // A wallet that lost the response repeats the request with the same keys. It gets the credentials issued for these
  // keys, while its token is valid and the credential is retained.
  const earlier = await findClaimedIssuance(deps.db.read, tenant.id, holder.sessionId, requested.configurationId)
  if (earlier?.state === 'issued' && isForSameKeys(earlier.holderKeys, requested.holderKeys)) {
    return issuedFrom(deps, earlier)
  }
  return refusedFor(deps, tenant, holder, problem)
}

function isForSameKeys(left: HolderKey[], right: HolderKey[]): boolean {
  const keysOf = (holderKeys: HolderKey[]) =>
    holderKeys
      .map(({ jwk }) => thumbprint(jwk))
      .sort()
      .join(' ')
  return keysOf(left) === keysOf(right)
}
