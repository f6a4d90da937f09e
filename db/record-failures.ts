import type { Clock } from '../shared/clock.ts'
import { type CheckName, isCheckName } from '../shared/domain/issuance/checks.ts'
import type { AnalyticsEvent } from '../shared/domain/operations/events.ts'
import type { Database, Writer } from './client.ts'
import { type OfferFailure, recordOfferFailure } from './repos/issuance/offers/offer-failures.ts'
import type { OfferState } from './tables/issuance/offers.ts'

interface FailureDeps {
  db: Database
  clock: Clock
}

type States = readonly [OfferState, OfferState?]

/** The states in which an offer waits for a request of this type. A failure in another state does not concern the offer. */
const waitingFor: Record<string, States> = {
  OPENID_TOKEN_FAIL: ['usable', 'ended'],
  OPENID_CREDENTIAL_FAIL: ['spent'],
  OPENID_DEFERRED_CREDENTIAL_FAIL: ['spent'],
}

/** Failures that remain after a credential of the offer was collected. */
const lasting: Partial<Record<CheckName, States>> = {
  claims: ['spent', 'claimed'],
  taken_by_wallet: ['claimed'],
}

/** The first answer to a wallet with DPoP, which sends its request again with the nonce (RFC 9449, section 8). */
const withoutNonce = 'use_dpop_nonce'

/** The job that finds failures reads a time some seconds after it (`settledAfterMs`). A failure must be committed within this time. */
const maxCommitMs = 2_500

/**
 * Stores the last failed request of each offer in the batch. A batch without failures runs no query. Each failure is one statement, so
 * that it waits for no lock of another offer.
 */
export async function recordFailures({ db, clock }: FailureDeps, events: AnalyticsEvent[]): Promise<void> {
  const last = new Map<string, { tenantId: string; failure: OfferFailure; states: States }>()
  for (const { offerId, tenantId, type, requestId, timestamp, data } of events) {
    const error = offerId === undefined ? undefined : errorOf(data)
    const states = error && (lasting[error.check] ?? waitingFor[type])
    if (!states || offerId === undefined) continue
    const earlier = last.get(offerId)
    const failedAt = new Date(timestamp)
    if (earlier && earlier.failure.failedAt > failedAt) continue
    last.set(offerId, { tenantId, states, failure: { requestId, ...error, failedAt } })
  }
  await Promise.all(
    [...last].map(([offerId, { tenantId, failure, states }]) =>
      commitInTime({ db, clock }, (tx, at) => recordOfferFailure(tx, tenantId, offerId, failure, states, at)),
    ),
  )
}

/** Repeats a write with a later time if it waited too long for a lock, so that the job that reads by this time does not miss it. */
async function commitInTime({ db, clock }: FailureDeps, write: (tx: Writer, at: Date) => Promise<void>): Promise<void> {
  for (;;) {
    let at = clock.now()
    await db.txAtOnce((tx) => {
      at = clock.now()
      return write(tx, at)
    })
    if (clock.now().getTime() - at.getTime() < maxCommitMs) return
  }
}

function errorOf({ error }: Record<string, unknown>): { check: CheckName; reason: string } | undefined {
  if (typeof error !== 'object' || error === null || !('check' in error) || !isCheckName(error.check)) return undefined
  const { type, message } = { type: '', message: '', ...error }
  if (type === withoutNonce) return undefined
  return { check: error.check, reason: [type, message].filter(Boolean).join(': ') }
}
