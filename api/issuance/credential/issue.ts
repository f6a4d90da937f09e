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
import { codeOf, Problem } from '../../../shared/errors.ts'
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

/** The id of an issuance that the wallet has to come back for. */
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
 * Issues the credentials of a request (OpenID4VCI 1.0, section 8). Everything that can be refused is refused here; then
 * one transaction spends the nonce and writes down what is wanted, and the signing process, which alone can sign, makes
 * it so. Whoever of the two changes the row last leaves it as `issued` or `abandoned`, never both.
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
  // Calling off takes about as long.
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
  if (!holder.known) throw new Error('the route does not ask for claims')
  const { offerClaims, hookClaims, userClaims, subjectId, providerUrl } = holder.known
  if (holder.authorizationId === null && !offerClaims) throw new Problem('credential_request_denied')
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

/** How long a wallet may come back for what was deferred; a bearer token should not live longer than it has to. */
const deferredForMs = 3_600_000

interface Signing {
  isDeferred: boolean
  /** Where they came with the answer; otherwise the row tells. */
  credentials?: IssuedCredential[]
  /** Why it was refused. */
  denial?: Problem
}

/**
 * Waits for the signature. When none comes in time, the issuance is called off, and the offer can be used again; or the
 * wallet is told to come back, where the tenant has it so. Calling off does not end at the request's deadline: what is neither
 * called off nor deferred may still be signed, and use up the offer.
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
    if (abandoned) throw error
    return { isDeferred: false }
  }
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

/** What the signing process answers once it has committed it. */
function issuedNow({ id, sessionId }: Requested, credentials: IssuedCredential[]): Collected {
  return { id, sessionId, credentials, deferredAt: null }
}

/** What became of the issuance: the row is the truth, whatever the reply said. */
async function resultOf(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  requested: Requested,
  denial = new Problem('credential_request_denied'),
): Promise<Collected> {
  const issuance = await findIssuance(deps.db.read, tenant.id, requested.id)
  if (issuance?.state === 'issued') return collectedFrom(deps, issuance)
  // The database lost what it had not on disk yet; or the person was erased, which the next request is told. Or it was called off
  // by the same request, which came twice.
  if (!issuance || issuance.state === 'abandoned') throw new Problem('service_unavailable', { retryAfterSeconds: 2 })
  // With a session of an authorization it is collected once more.
  if (holder.authorizationId !== null) throw await refusalOf(deps, tenant, holder, denial)
  // A wallet whose answer was lost on the way asks again with the same keys: it gets what was made for them, as long as
  // its token lives and the credential is kept.
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
