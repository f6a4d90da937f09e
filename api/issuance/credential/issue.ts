import { addToOutbox } from '../../../db/outbox.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import {
  abandonIssuance,
  deferIssuance,
  findClaimedIssuance,
  findIssuance,
  type NewIssuance,
} from '../../../db/repos/issuance/issuances.ts'
import { extendAuthorization } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { extendSession } from '../../../db/repos/issuance/sessions/sessions.ts'
import type { HolderKey } from '../../../db/tables/issuance/issuances.ts'
import { plusMs } from '../../../shared/clock.ts'
import { rollbackTimeMs } from '../../../shared/deadline.ts'
import { faultText, mapClaims } from '../../../shared/domain/issuance/claims/claim-faults.ts'
import type { ClaimSources } from '../../../shared/domain/issuance/claims/claim-values.ts'
import { mapValidity } from '../../../shared/domain/issuance/claims/mapped-validity.ts'
import { countCredentials } from '../../../shared/domain/issuance/credential-count.ts'
import { isKeyBound } from '../../../shared/domain/issuance/profiles.ts'
import { codeOf, Problem, withCheck } from '../../../shared/errors/errors.ts'
import { thumbprint } from '../../../shared/formats/jwk.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { signingWeight } from '../../../shared/jobs/signing-weight.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { AttributedIds } from '../../http/attributed-ids.ts'
import { findRecentConfiguration } from '../configurations/recent.ts'
import { checkProofs } from '../proofs/check-proofs.ts'
import { type ClaimSourceContext, callClaimSource, type SourceFailure } from './call-claim-source.ts'
import { handleOf } from './handles.ts'
import { type IssueOutcome, issuedFrom, refusedAs, refusedFor } from './outcome.ts'
import { refuseWithoutSource } from './refuse-without-source.ts'
import type { CredentialRequest } from './schemas.ts'
import { spentValuesOf, writeRequest } from './write-request.ts'

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
 * Issues the credentials of a request (OpenID4VCI 1.0, section 8). All checks run here. A failed check throws its
 * problem before the issuance is stored. Then one transaction spends the nonce and stores the requested issuance, and
 * the signing process signs it. The last of the two to update the row leaves it as `issued` or `abandoned`, never both.
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

  const issuance = {
    id: newOrderedId(deps.clock.now()),
    tenantId: tenant.id,
    ...{ sessionId, offerId, userId },
    authorizationId: holder.authorizationId,
    configurationId: configuration.id,
    claims,
    validity: mapValidity(configuration, sources),
    holderKeys: proofs.holderKeys,
    requestedAt: deps.clock.now(),
  }
  const writtenFrom = performance.now()
  const written = await writeRequest(
    { deps, tenant, url },
    holder,
    issuance,
    spentValuesOf(holder, configuration, proofs),
  )
  // Cancelling the issuance takes about as long as storing it.
  const moreToUndo = Math.max(0, performance.now() - writtenFrom - rollbackTimeMs(deps.config.credentialDeadlineMs))
  const requested = { ...issuance, id: written.id }
  if (written.state !== 'requested') return outcomeOf(deps, tenant, holder, requested)
  if (written.deferredAt) return deferredAs(deps, tenant, requested)
  return sign(deps, tenant, holder, requested, deadlineAt - moreToUndo)
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
 * Waits for the signature. On a timeout, defers the issuance if the tenant allows it. Otherwise cancels it, so that the
 * offer can be used again. Cancelling is not limited by the request's deadline: an issuance that is neither cancelled nor
 * deferred may still be signed and use up the offer.
 */
async function sign(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  requested: NewIssuance,
  deadlineAt: number,
): Promise<IssueOutcome> {
  const { id, sessionId } = requested
  try {
    const weight = signingWeight(countCredentials(requested.holderKeys), requested.claims)
    const ref = { tenantId: tenant.id, issuanceId: id }
    const credentials = await deps.keys.request('signCredentials', ref, { deadlineAt, weight })
    // The signing process replies after its commit. Without credentials in the reply, the row contains them.
    if (credentials) return issuedFrom(deps, { id, sessionId, deferredAt: null, credentials })
  } catch (error) {
    if (error instanceof Problem && error.code === codeOf('credential_request_denied')) {
      return outcomeOf(deps, tenant, holder, requested, error)
    }
    if (tenant.settings.deferredIssuance === 'whenSlow') {
      const isDeferred = await defer(deps, tenant, requested).catch(() => undefined)
      if (isDeferred) return deferredAs(deps, tenant, requested)
      if (isDeferred !== undefined) return outcomeOf(deps, tenant, holder, requested)
    }
    const abandoned = await deps.db.withoutDeadline.tx((tx) => abandonIssuance(tx, tenant.id, id, deps.clock.now()))
    if (abandoned) return { kind: 'unknown', error: notSignedInTime(error) }
  }
  return outcomeOf(deps, tenant, holder, requested)
}

/** Names the failed check. Other errors than an unavailable signing process stay as they are. */
function notSignedInTime(error: unknown): unknown {
  const isUnavailable = error instanceof Problem && error.problem === 'service_unavailable'
  return isUnavailable ? withCheck(error, 'signed_in_time') : error
}

/**
 * The time in which a wallet can collect a deferred credential. A bearer token should not live longer than necessary.
 */
const deferredForMs = 3_600_000

/** Returns false if the issuance was signed or refused before. */
async function defer(
  deps: Deps,
  tenant: Tenant,
  { id: issuanceId, sessionId, authorizationId }: NewIssuance,
): Promise<boolean> {
  const at = deps.clock.now()
  const isDeferred = await deps.db.tx(async (tx) => {
    if (!(await deferIssuance(tx, tenant.id, issuanceId, at))) return false
    const until = plusMs(at, deferredForMs)
    await extendSession(tx, tenant.id, sessionId, until)
    if (authorizationId !== null) await extendAuthorization(tx, tenant.id, authorizationId, until)
    await addToOutbox(tx, 'signCredentials', [{ payload: { tenantId: tenant.id, issuanceId } }], at)
    return true
  })
  deps.bus.poke()
  return isDeferred
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
  // The row is missing if the database lost a commit before it was flushed, or if the person was deleted. In the second
  // case the next request fails. The row is abandoned if a duplicate of this request cancelled it.
  if (!issuance || issuance.state === 'abandoned')
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
