import type { z } from 'zod'
import type { Reader, Writer } from '../../../db/client.ts'
import { isUniqueViolation } from '../../../db/engine/unique-violation.ts'
import { findConfigurationSigners } from '../../../db/repos/issuance/configuration-signers.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { insertOfferWithUser } from '../../../db/repos/issuance/offers/new-offers.ts'
import { insertOffer, type OfferRow } from '../../../db/repos/issuance/offers/offers.ts'
import { statesOfMerge, statesOfNew } from '../../../db/repos/issuance/users/user-states.ts'
import { type IndexedState, type UserTerms, withUserTerms } from '../../../db/repos/issuance/users/user-terms.ts'
import { insertUser, persistClaims } from '../../../db/repos/issuance/users/users.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import { plusMs } from '../../../shared/clock.ts'
import { faultText, inCredentialOf, mapClaims } from '../../../shared/domain/issuance/claims/claim-faults.ts'
import { findKnownFault, type KnownConditions } from '../../../shared/domain/issuance/claims/known-faults.ts'
import { newTransactionCode } from '../../../shared/domain/issuance/transaction-code.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import { publishes, viewIdOf } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import { findRecentServers, offeredIssuer } from '../authorization-servers/offered-server.ts'
import { findRecentConfiguration } from '../configurations/recent.ts'
import { readerWarnings } from '../readers/offer-warnings.ts'
import { claimWarnings, claimWarningsOf } from './claim-warnings.ts'
import { getOffered } from './configurations.ts'
import { newOffer } from './new-offer.ts'
import { offerUri, preAuthorizedOffer } from './offer-object.ts'
import { pageAddressOf, referenceOf } from './reference.ts'
import type { PreAuthorizedOfferRequest } from './schemas.ts'
import { offerAddressOf } from './shown.ts'
import { signerWarnings } from './signer-warnings.ts'
import { requirePublished, withViewOfOffer } from './view-of-offer.ts'
import type { OfferWarning } from './warning-schemas.ts'

type Request = z.infer<typeof PreAuthorizedOfferRequest>

/**
 * Creates an offer that one wallet can redeem once (OpenID4VCI 1.0, section 3.5). Creates its user if the request names
 * none.
 */
export function createPreAuthorizedOffer(deps: Deps, tenant: Tenant, request: Request, commitAnswer: CommitAnswer) {
  return withViewOfOffer(deps, tenant, request, (through) => createThrough(deps, through, request, commitAnswer))
}

/** Stores the answer of the request in the transaction. */
type CommitAnswer = (tx: Writer, content: unknown) => Promise<void>

async function createThrough(deps: Deps, tenant: Tenant, request: Request, commitAnswer: CommitAnswer) {
  const at = deps.clock.now()
  const configurationIds = [...new Set(request.credentials)]
  const txConfiguration = request.transactionCodeConfiguration
  const transactionCode = txConfiguration && newTransactionCode()
  const description = txConfiguration?.description
  const isByReference = request.by === 'reference'
  const expiresAt = plusMs(at, request.expiresIn)
  const { offer, code } = newOffer(
    deps,
    tenant,
    {
      ...{ configurationIds, claims: request.claims, isByReference, viewId: viewIdOf(tenant) },
      ...{ claimLinkId: null, label: request.label ?? null, expiresAt, createdAt: at },
    },
    transactionCode === undefined ? undefined : { code: transactionCode, description },
  )
  const { id } = offer
  const content = preAuthorizedOffer(
    tenant.issuer,
    configurationIds,
    code,
    txConfiguration && (description === undefined ? {} : { description }),
    offeredIssuer(tenant, await findRecentServers(deps, tenant.id)),
  )
  const reference = referenceOf(deps, tenant, id)
  const unreadable = await readerWarnings(deps, tenant, content)

  const viewOf = ({ userId, warnings }: Stored) => ({
    id,
    userId,
    uri: offerUri({ ...offerAddressOf(tenant), content, reference, isByReference }),
    page: pageAddressOf(tenant, reference),
    ...(offer.viewId !== null && { view: offer.viewId }),
    expiresAt: expiresAt.getTime(),
    ...(transactionCode === undefined ? {} : { transactionCode }),
    ...(warnings.length + unreadable.length > 0 && { warnings: [...unreadable, ...warnings] }),
  })
  const commit = (tx: Writer, stored: Stored) => commitAnswer(tx, viewOf(stored))
  return viewOf(await store({ deps, tenant, request, offer, commit }))
}

interface Storing {
  deps: Deps
  tenant: Tenant
  request: Request
  /** The offer without its user. */
  offer: Omit<OfferRow, 'userId'>
  /** Stores the answer of the request in the transaction. */
  commit(tx: Writer, stored: Stored): Promise<void>
}

interface Stored {
  userId: string
  warnings: z.infer<typeof OfferWarning>[]
}

/** Stores the offer. Throws if a configuration is unknown or the claims cannot be signed. */
async function store(storing: Storing): Promise<Stored> {
  return (await storeAtOnce(storing)) ?? storeStepByStep(storing)
}

/**
 * Stores an offer of one configuration for a new user without stored claims, which is the common case, in one database
 * message. Checks the cached configuration, which is up to one second old, and the cached view, which must be unchanged. Returns
 * undefined for other offers, and if a check fails.
 */
async function storeAtOnce({ deps, tenant, request, offer, commit }: Storing): Promise<Stored | undefined> {
  const [configurationId = '', ...more] = offer.configurationIds
  if (more.length > 0 || request.userId !== undefined || request.claimsToPersist.length > 0) return undefined
  const configuration = await findRecentConfiguration(deps, tenant.id, configurationId)
  if (!configuration || !publishes(tenant.view, configuration)) return undefined
  const { authorities, faults } = await findConfigurationSigners(deps.db.read, [configuration], offer.createdAt)
  const conditions = { now: offer.createdAt, authorities }
  if (findOfferFault(configuration, request.claims, conditions)) return undefined
  const userId = newOrderedId(offer.createdAt)
  const sources = { claims: [request.claims], authenticationProvider: {} }
  const warnings = [...signerWarnings(faults), ...claimWarnings([configuration], sources, conditions)]
  const stored = { userId, warnings }
  try {
    const isStored = await deps.db.txAtOnce(async (tx) => {
      const isInserted = await insertOfferWithUser(tx, { ...offer, userId }, tenant.view?.configurations)
      if (isInserted) await commit(tx, stored)
      return isInserted
    })
    return isStored ? stored : undefined
  } catch (error) {
    // Only this request uses these ids. So the earlier commit is its own, and the reply to it was lost.
    if (isUniqueViolation(error)) return stored
    throw error
  }
}

async function storeStepByStep({ deps, tenant, request, offer, commit }: Storing): Promise<Stored> {
  const states = await statesOfUserFor(deps.db.read, tenant.id, request)
  return withUserTerms(states, (terms) =>
    deps.db.tx(async (tx) => {
      const offered = await getOffered(tx, tenant.id, request.credentials)
      await requirePublished(tx, tenant.id, offer.viewId, offered)
      const { authorities, faults } = await findConfigurationSigners(tx, offered, offer.createdAt)
      const conditions = { now: offer.createdAt, authorities }
      for (const configuration of offered) refuseUnsignable(configuration, request.claims, conditions)
      const userId = await userFor(tx, tenant.id, request, offer.createdAt, terms)
      await insertOffer(tx, { ...offer, userId })
      const content = { configurations: offered, claims: request.claims, conditions }
      const ofClaims = await claimWarningsOf(tx, tenant.id, request.userId, content)
      const stored = { userId, warnings: [...signerWarnings(faults), ...ofClaims] }
      await commit(tx, stored)
      return stored
    }),
  )
}

/** Returns the states of the user that `userFor` reads and writes. */
async function statesOfUserFor(db: Reader, tenantId: string, request: Request): Promise<IndexedState[]> {
  const claims = claimsToPersist(request)
  return request.userId === undefined ? statesOfNew({ claims }) : statesOfMerge(db, tenantId, request.userId, claims)
}

/** Returns the id of the offer's user, and stores the claims to persist. */
async function userFor(tx: Writer, tenantId: string, request: Request, at: Date, terms: UserTerms): Promise<string> {
  const claims = claimsToPersist(request)
  if (request.userId === undefined) {
    const user = await insertUser(tx, tenantId, { claims }, at, terms)
    if (!user) throw new Error('a user without a provider cannot conflict with another user')
    return user.id
  }
  if (await persistClaims(tx, tenantId, request.userId, claims, terms)) return request.userId
  throw unknownReference('userId', request.userId, 'GET /v1/users')
}

function claimsToPersist({ claims, claimsToPersist: names }: Request): Claims {
  const kept: Claims = {}
  for (const name of names) {
    if (Object.hasOwn(claims, name)) kept[name] = claims[name]
  }
  return kept
}

/** Refuses claims early that the wallet's request would be refused for later. */
function refuseUnsignable(configuration: ConfigurationRow, claims: Claims, conditions: KnownConditions): void {
  const fault = findOfferFault(configuration, claims, conditions)
  if (fault) throw wrongField('claims', `${fault}, ${inCredentialOf(configuration.profile)}`)
}

function findOfferFault(
  configuration: ConfigurationRow,
  claims: Claims,
  conditions: KnownConditions,
): string | undefined {
  const sources = { claims: [claims], authenticationProvider: {} }
  const { claims: mapped, faults } = mapClaims(configuration, sources, { isPartial: true })
  const knownFault = findKnownFault(configuration, mapped, sources, conditions)
  return faultText(knownFault ? [...faults, knownFault] : faults)
}
