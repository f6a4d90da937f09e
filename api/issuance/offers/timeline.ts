import {
  findDeliveriesOf,
  findNotifications,
  findOfferDates,
  findOfferEvents,
  findOfferIssuances,
} from '../../../db/repos/issuance/offers/timeline.ts'
import { type CheckName, isCheckName, type RequestKind } from '../../../shared/domain/issuance/checks.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { type Checked, checkedBy, isCheckOfSigning } from './checks.ts'
import { checkOfOlderEvent } from './checks-of-older-events.ts'

export interface TimelineStep extends Partial<Checked> {
  /** When the step began, if that is known. */
  at: string
  step: string
  outcome: 'success' | 'failure'
  /** The check that refused the step, or its result. Never contains the value of a claim. */
  reason?: string
  requestId?: string
  userId?: string
  sessionId?: string
  view?: string
  webhookId?: string
  webhookHost?: string
}

const deferredRequest = 'deferred credential requested'

/** The step names and checks of event types. Other events do not appear in timelines. */
const steps: Record<string, { step: string; kind?: RequestKind }> = {
  OPENID_OFFER_CREATE: { step: 'offer created' },
  OPENID_PRE_AUTHORIZED_OFFER_CREATE: { step: 'offer created' },
  OPENID_CLAIM_LINK_OPEN: { step: 'claim link opened' },
  OPENID_PRE_AUTHORIZED_OFFER_DELETE: { step: 'offer deleted' },
  OPENID_OFFER_DELETE: { step: 'offer deleted' },
  OPENID_AUTHORIZE: { step: 'authorization requested', kind: 'authorization' },
  OPENID_SIGN_IN_REVIEW: { step: 'review before the sign-in', kind: 'review' },
  OPENID_PUSHED_AUTHORIZATION: { step: 'authorization request pushed', kind: 'pushed' },
  OPENID_AUTHENTICATION_PROVIDER_AUTHORIZE: { step: 'sign-in at the identity provider', kind: 'signIn' },
  OPENID_INTERACTION_HOOK: { step: 'interaction', kind: 'interaction' },
  OPENID_TOKEN: { step: 'code exchanged for a token', kind: 'codeToken' },
  OPENID_TOKEN_REVOKE: { step: 'token revoked' },
  OPENID_CREDENTIAL: { step: 'credential requested', kind: 'credential' },
  OPENID_DEFERRED_CREDENTIAL: { step: deferredRequest, kind: 'deferred' },
  OPENID_NOTIFICATION: { step: 'notification by the wallet', kind: 'notification' },
  CLAIM_SOURCE_CALL: { step: 'claim source called', kind: 'claimSource' },
}

/**
 * Returns the steps of an offer in the order in which they began. Operators open the timeline when a wallet reports an error. For a
 * shared offer, returns the latest steps of all its users.
 */
export async function offerTimeline(deps: Deps, tenant: Tenant, id: string): Promise<TimelineStep[]> {
  const { read } = deps.db
  const dates = await findOfferDates(read, tenant.id, id)
  const events = await findOfferEvents(read, tenant.id, id)
  // Events outlive their offer. An offer that only occurs in refused requests may never have existed.
  if (!dates && !events.some(({ type }) => type.endsWith('_SUCCESS'))) throw notFound('id', id)
  const issuances = await findOfferIssuances(read, tenant.id, id)
  const issuanceIds = issuances.map((issuance) => issuance.id)
  const notifications = await findNotifications(read, tenant.id, issuanceIds)
  const deliveries = await findDeliveriesOf(read, tenant.id, issuanceIds)
  const isExpired = dates?.expiresAt && dates.expiresAt <= deps.clock.now()
  const isForOne = dates?.expiresAt !== undefined || events.some(({ type }) => createdForOne.has(type))
  const requests = events.flatMap((event) => eventStep(event, isForOne))
  const refusedSessions = new Set(requests.filter(isRefusedWithItsCredential).map(({ sessionId }) => sessionId))
  const hasCreationEvent = events.some(({ type }) => type.endsWith('OFFER_CREATE_SUCCESS'))
  return [
    ...(dates && !hasCreationEvent ? [succeeded(dates.createdAt, 'offer created')] : []),
    ...requests,
    ...issuances.flatMap((issuance) => issuanceSteps(issuance, refusedSessions)),
    ...notifications.map((notification) => notificationStep(notification, issuances)),
    ...deliveries.flatMap(deliverySteps),
    ...(dates?.expiresAt && isExpired ? [succeeded(dates.expiresAt, 'offer expired')] : []),
  ].sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0))
}

const createdForOne: ReadonlySet<string> = new Set([
  'OPENID_PRE_AUTHORIZED_OFFER_CREATE_SUCCESS',
  'OPENID_CLAIM_LINK_OPEN_SUCCESS',
])

type Found<Find extends (...parameters: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Find>>[number]

function eventStep(
  { type, at: endedAt, startedAt, data, requestId }: Found<typeof findOfferEvents>,
  isForOne: boolean | undefined,
): TimelineStep[] {
  const [, prefix = '', outcome] = /^(.*)_(SUCCESS|FAIL)$/.exec(type) ?? []
  const entry = steps[prefix]
  if (!entry) return []
  const { step } = entry
  const at = startedAt ?? endedAt
  const kind = entry.kind === 'codeToken' && isForOne ? 'preAuthorizedToken' : entry.kind
  const reason = outcome === 'SUCCESS' ? undefined : messageOf(data)
  const result = reason === undefined ? succeeded(at, step) : failed(at, step, reason)
  const refusing = kind && reason !== undefined ? checkOf(kind, data, reason) : undefined
  const hasNoProofs = data.keyBinding === false
  return [{ ...result, ...(kind && checkedBy(kind, refusing, { hasNoProofs })), requestId, ...namesOf(data) }]
}

function checkOf(kind: RequestKind, { error }: Record<string, unknown>, reason: string): CheckName {
  const check = typeof error === 'object' && error !== null && 'check' in error ? error.check : undefined
  return isCheckName(check) ? check : checkOfOlderEvent(kind, reason)
}

/** Returns the user, the session and the view of an event, if it names them. */
function namesOf({ userId, sessionId, view }: { userId?: unknown; sessionId?: unknown; view?: unknown }) {
  return {
    ...(typeof userId === 'string' ? { userId } : {}),
    ...(typeof sessionId === 'string' ? { sessionId } : {}),
    ...(typeof view === 'string' ? { view } : {}),
  }
}

function namesOfIssuance(issuance: FoundIssuance | undefined) {
  return issuance ? namesOf({ ...issuance, view: issuance.viewId }) : {}
}

function notificationStep(
  { issuanceId, event, at, description }: Found<typeof findNotifications>,
  issuances: Found<typeof findOfferIssuances>[],
): TimelineStep {
  const step = `wallet says: ${event}`
  const result =
    event === 'credential_failure'
      ? { ...failed(at, step, description ?? 'The wallet gave no reason'), ...takenByWallet }
      : succeeded(at, step, description ?? undefined)
  return { ...result, ...namesOfIssuance(issuances.find(({ id }) => id === issuanceId)) }
}

const takenByWallet = checkedBy('notification', 'taken_by_wallet')

function messageOf({ error }: Record<string, unknown>): string {
  const details = typeof error === 'object' && error !== null ? error : {}
  return ['type' in details && details.type, 'message' in details && details.message].filter(Boolean).join(': ')
}

/** Whether a request of a deferred credential failed because the credential was refused. Its step names the check. */
function isRefusedWithItsCredential({ step, refusedBy }: TimelineStep): boolean {
  return step === deferredRequest && refusedBy !== undefined && isCheckOfSigning(refusedBy.check)
}

type FoundIssuance = Found<typeof findOfferIssuances>

/** `refusedSessions`: the sessions whose request of the deferred credential has the failed step. */
function issuanceSteps(issuance: FoundIssuance, refusedSessions: ReadonlySet<string | undefined>): TimelineStep[] {
  const isNamed = issuance.state === 'refused' && refusedSessions.has(issuance.sessionId)
  return endingOf(issuance, isNamed).map((step) => ({ ...step, ...namesOfIssuance(issuance) }))
}

function endingOf({ state, endedAt, deferredAt, refusal, keys }: FoundIssuance, isNamed: boolean): TimelineStep[] {
  const deferred = deferredAt ? [succeeded(deferredAt, 'credential deferred', notSignedInTime.reason)] : []
  if (!endedAt) return deferred
  if (state === 'issued' || state === 'wiped') {
    return [...deferred, succeeded(endedAt, 'credential signed', keys === 0 ? unbound : undefined)]
  }
  // The step of the request names the check that refused it. The request of a deferred credential ended before the refusal.
  if (state === 'refused' && (!deferredAt || isNamed)) return deferred
  const { check, reason } = state === 'refused' ? (refusal ?? refusedBySigner) : notSignedInTime
  return [...deferred, { ...failed(endedAt, 'credential signed', reason), ...checkedBy('signing', check) }]
}

const unbound = 'The credential is not bound to a key'
/** The reason in rows of earlier versions. */
const refusedBySigner = { check: 'collected_once', reason: 'The signing process refused the credential' } as const
const notSignedInTime = { check: 'signed_in_time', reason: 'The credential was not signed in time' } as const

/** Shows only the host of a webhook, because its path can contain a secret. */
function deliverySteps({ kind, attempts, webhookId, webhookUrl }: Found<typeof findDeliveriesOf>): TimelineStep[] {
  return attempts.map(({ at, status, error }) => {
    const step = `webhook called: ${kind}`
    const isDelivered = status !== undefined && status >= 200 && status < 300
    const result = isDelivered
      ? succeeded(new Date(at), step)
      : failed(new Date(at), step, error ?? `It answered ${status}`)
    const refusing = error === undefined ? 'webhook_status' : 'webhook_reached'
    return {
      ...result,
      ...checkedBy('webhook', isDelivered ? undefined : refusing),
      webhookId,
      ...(webhookUrl !== null && { webhookHost: new URL(webhookUrl).host }),
    }
  })
}

function succeeded(at: Date, step: string, reason?: string): TimelineStep {
  return { at: at.toISOString(), step, outcome: 'success', ...(reason === undefined ? {} : { reason }) }
}

function failed(at: Date, step: string, reason: string): TimelineStep {
  return { at: at.toISOString(), step, outcome: 'failure', reason }
}
