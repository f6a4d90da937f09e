import { addToOutbox } from '../../../db/outbox.ts'
import { keepAuthorizationUntil } from '../../../db/repos/issuance/authorizations.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import {
  abandonIssuance,
  deferIssuance,
  findClaimedIssuance,
  findIssuance,
  type NewIssuance,
} from '../../../db/repos/issuance/issuances.ts'
import { extendSession } from '../../../db/repos/issuance/sessions.ts'
import type { HolderKey, IssuedCredential } from '../../../db/tables/issuance/issuances.ts'
import { plusMs } from '../../../shared/clock.ts'
import { timeToUndo } from '../../../shared/deadline.ts'
import { codeOf, Problem, withCheck } from '../../../shared/errors.ts'
import { thumbprint } from '../../../shared/formats/jwk.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { openCredentials } from '../../../shared/jobs/answered-credentials.ts'
import { signingWeight } from '../../../shared/jobs/signing-weight.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { type ClaimSources, mapClaims } from '../configurations/claims.ts'
import { mapValidity } from '../configurations/mapped-validity.ts'
import { findRecentConfiguration } from '../configurations/recent.ts'
import { findFault } from '../configurations/signable.ts'
import { checkProofs } from '../proofs/check-proofs.ts'
import { callClaimSource, type Occasion } from './call-claim-source.ts'
import { type Collected, collectedFrom } from './collected.ts'
import { refusalOf } from './refusal.ts'
import type { CredentialRequest } from './schemas.ts'
import { spendingOf, writeRequest } from './write-request.ts'

/** A deferred issuance, which the wallet collects later. Contains the id of the issuance. */
export interface Deferred {
  deferred: string
}

interface Issuing {
  deps: Deps
  tenant: Tenant
  requestId: string
  /** By `performance.now()`. */
  deadlineAt: number
}

/**
 * Issues the credentials of a request (OpenID4VCI 1.0, section 8). All checks run here. Then one transaction spends the
 * nonce and stores the requested issuance, and the signing process signs it. The last of the two to update the row
 * leaves it as `issued` or `abandoned`, never both.
 */
export async function issueCredential(
  { deps, tenant, requestId, deadlineAt }: Issuing,
  holder: Holder,
  request: CredentialRequest,
): Promise<Collected | Deferred> {
  const configuration = await configurationOf(deps, tenant, holder, request)
  const proofs = checkProofs(deps, tenant, holder, configuration, request.proofs)
  const sources = await claimSources(deps, tenant, { holder, requestId }, configuration)
  const claims = mapClaims(configuration, sources)
  const fault = findFault(configuration, claims)
  if (fault) throw new Problem('credential_request_denied', { message: fault })

  const issuance = {
    id: newOrderedId(deps.clock.now()),
    tenantId: tenant.id,
    sessionId: holder.sessionId,
    offerId: holder.offerId,
    authorizationId: holder.authorizationId,
    userId: holder.userId,
    configurationId: configuration.id,
    claims,
    validity: mapValidity(configuration, sources),
    holderKeys: proofs.holderKeys,
    requestedAt: deps.clock.now(),
  }
  const writtenFrom = performance.now()
  const written = await writeRequest(deps, tenant, holder, issuance, spendingOf(holder, configuration, proofs))
  // Canceling the issuance takes about as long as storing it.
  const moreToUndo = Math.max(0, performance.now() - writtenFrom - timeToUndo(deps.config.credentialDeadlineMs))
  const asked = { ...issuance, id: written.id }
  if (written.state !== 'requested') return resultOf(deps, tenant, holder, asked)
  if (written.deferredAt) return { deferred: asked.id }
  const { isDeferred, credentials, denial } = await waitForSignature(deps, tenant, asked, deadlineAt - moreToUndo)
  if (isDeferred) return { deferred: asked.id }
  return credentials ? issuedNow(asked, credentials) : resultOf(deps, tenant, holder, asked, denial)
}

async function configurationOf(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  request: CredentialRequest,
): Promise<ConfigurationRow> {
  const { credential_identifier: identifier, credential_configuration_id: named } = request
  const id = identifier === undefined ? named : identified(holder, identifier)
  const found =
    id !== undefined && holder.configurationIds.includes(id) && (await findRecentConfiguration(deps, tenant.id, id))
  if (found) return found
  throw new Problem(identifier === undefined ? 'unknown_credential_configuration' : 'unknown_credential_identifier')
}

function identified({ credentialIdentifiers }: Holder, identifier: string): string | undefined {
  return Object.hasOwn(credentialIdentifiers, identifier) ? credentialIdentifiers[identifier] : undefined
}

async function claimSources(
  deps: Deps,
  tenant: Tenant,
  occasion: Occasion,
  { settings: { claimSourceId } }: ConfigurationRow,
): Promise<ClaimSources> {
  const { holder } = occasion
  if (!holder.known) throw new Error('the route does not load the claims')
  const { offerClaims, hookClaims, userClaims, subjectId, providerUrl } = holder.known
  if (holder.authorizationId === null && !offerClaims)
    throw new Problem('credential_request_denied', { check: 'collected_once' })
  const first = [offerClaims ?? {}, hookClaims ?? {}]
  const authenticationProvider = {
    ...(subjectId === null ? {} : { subjectId }),
    ...(providerUrl === null ? {} : { url: providerUrl }),
  }
  const known = { claims: [...first, userClaims], authenticationProvider }
  if (claimSourceId === undefined) return known
  const sourceClaims = await callClaimSource(deps, tenant, occasion, claimSourceId, known)
  return { ...known, claims: [...first, sourceClaims, userClaims] }
}

/**
 * The time in which a wallet can collect a deferred credential. A bearer token should not live longer than necessary.
 */
const deferredForMs = 3_600_000

interface Signing {
  isDeferred: boolean
  /** The credentials, if the signing process returned them. Otherwise the row contains them. */
  credentials?: IssuedCredential[]
  /** The reason for the refusal. */
  denial?: Problem
}

/**
 * Waits for the signature. On a timeout, defers the issuance if the tenant allows it. Otherwise cancels it, so that the
 * offer can be used again. Canceling is not limited by the request's deadline: an issuance that is neither canceled nor
 * deferred may still be signed and use up the offer.
 */
async function waitForSignature(
  deps: Deps,
  tenant: Tenant,
  requested: NewIssuance,
  deadlineAt: number,
): Promise<Signing> {
  const { id, sessionId, authorizationId } = requested
  try {
    const weight = signingWeight(requested.holderKeys.length, requested.claims)
    const ref = { tenantId: tenant.id, issuanceId: id }
    const sealed = await deps.keys.request('signCredentials', ref, { deadlineAt, weight })
    return {
      isDeferred: false,
      ...(sealed && { credentials: openCredentials<IssuedCredential>(deps.secrets, id, sealed) }),
    }
  } catch (error) {
    if (error instanceof Problem && error.code === codeOf('credential_request_denied')) {
      return { isDeferred: false, denial: error }
    }
    if (tenant.settings.deferredIssuance === 'whenSlow') {
      const isDeferred = await defer(deps, tenant, { id, sessionId, authorizationId }).catch(() => undefined)
      if (isDeferred !== undefined) return { isDeferred }
    }
    const abandoned = await deps.db.withoutDeadline.tx((tx) => abandonIssuance(tx, tenant.id, id, deps.clock.now()))
    if (abandoned) throw notSignedInTime(error)
    return { isDeferred: false }
  }
}

/** Names the failed check. Other errors than an unavailable signing process stay as they are. */
function notSignedInTime(error: unknown): unknown {
  const isUnavailable = error instanceof Problem && error.problem === 'service_unavailable'
  return isUnavailable ? withCheck(error, 'signed_in_time') : error
}

async function defer(
  deps: Deps,
  tenant: Tenant,
  { id: issuanceId, sessionId, authorizationId }: Pick<Requested, 'id' | 'sessionId' | 'authorizationId'>,
): Promise<boolean> {
  const at = deps.clock.now()
  const isDeferred = await deps.db.tx(async (tx) => {
    if (!(await deferIssuance(tx, tenant.id, issuanceId, at))) return false
    const until = plusMs(at, deferredForMs)
    await extendSession(tx, tenant.id, sessionId, until)
    if (authorizationId !== null) await keepAuthorizationUntil(tx, tenant.id, authorizationId, until)
    await addToOutbox(tx, 'signCredentials', [{ payload: { tenantId: tenant.id, issuanceId } }], at)
    return true
  })
  deps.bus.poke()
  return isDeferred
}

type Requested = Pick<NewIssuance, 'id' | 'sessionId' | 'authorizationId' | 'configurationId' | 'holderKeys'>

/** Returns the credentials from the reply of the signing process, which it sends after its commit. */
function issuedNow({ id, sessionId }: Requested, credentials: IssuedCredential[]): Collected {
  return { id, sessionId, credentials, deferredAt: null }
}

/** Returns the result of the issuance. The row decides, whatever the reply was. */
async function resultOf(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  requested: Requested,
  denial = new Problem('credential_request_denied', { check: 'collected_once' }),
): Promise<Collected> {
  const issuance = await findIssuance(deps.db.read, tenant.id, requested.id)
  if (issuance?.state === 'issued') return collectedFrom(deps, issuance)
  // The row is missing if the database lost a commit before it was flushed, or if the person was deleted. In the second
  // case the next request fails. The row is abandoned if a duplicate of this request canceled it.
  if (!issuance || issuance.state === 'abandoned')
    throw new Problem('service_unavailable', { retryAfterSeconds: 2, check: 'signed_in_time' })
  // A session of an authorization can collect the credential again.
  if (holder.authorizationId !== null) throw await refusalOf(deps, tenant, holder, denial)
  // A wallet that lost the response repeats the request with the same keys. It gets the credentials issued for these
  // keys, while its token is valid and the credential is retained.
  const earlier = await findClaimedIssuance(deps.db.read, tenant.id, holder.sessionId, requested.configurationId)
  if (earlier?.state === 'issued' && isForSameKeys(earlier.holderKeys, requested.holderKeys)) {
    return collectedFrom(deps, earlier)
  }
  throw await refusalOf(deps, tenant, holder, denial)
}

function isForSameKeys(left: HolderKey[], right: HolderKey[]): boolean {
  const keysOf = (holderKeys: HolderKey[]) =>
    holderKeys
      .map(({ jwk }) => thumbprint(jwk))
      .sort()
      .join(' ')
  return keysOf(left) === keysOf(right)
}
