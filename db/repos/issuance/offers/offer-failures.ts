import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { CheckName } from '../../../../shared/domain/issuance/checks.ts'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { param, paramOf, prepared } from '../../../engine/prepared.ts'
import { offerFailures } from '../../../tables/issuance/offer-failures.ts'
import { type OfferState, offers } from '../../../tables/issuance/offers.ts'

/** A failed request of an offer. */
export interface OfferFailure {
  requestId: string
  check: CheckName
  /** Contains no values of claims. */
  reason: string
  failedAt: Date
}

const { failedState, requestId, check, reason, failedAt, recordedAt } = offerFailures

const record = prepared('record_offer_failure', (tx) => {
  const failed = { requestId, check, reason, failedAt, recordedAt } as const
  const values = Object.entries(failed).map(([name, column]) => paramOf(column, name))
  const { id, tenantId, userId, state, createdAt, expiresAt } = offers
  const columns = sql.join([id, tenantId, userId, state, ...values, createdAt, expiresAt], sql`, `)
  const isFailing = sql`${state} in (${param('state')}, ${param('otherState')})`
  return tx
    .insert(offerFailures)
    .select(
      sql`select ${columns} from ${offers} where ${and(inRow(tenantId, param('tenantId')), eq(id, param('offerId')), isFailing)}`,
    )
    .onConflictDoUpdate({
      target: offerFailures.id,
      set: Object.fromEntries(
        Object.entries({ userId: offerFailures.userId, failedState, ...failed }).map(([name, column]) => [
          name,
          sql.raw(`excluded.${column.name}`),
        ]),
      ),
      setWhere: sql`${failedAt} <= ${sql.raw(`excluded.${failedAt.name}`)}`,
    })
    .returning({ id: offerFailures.id })
})

/** Records a failed request of an offer that is in one of the states. Replaces an earlier failure. The offer can have got its user since then. */
export async function recordOfferFailure(
  tx: Writer,
  tenantId: string,
  offerId: string,
  failure: OfferFailure,
  states: readonly [OfferState, OfferState?],
  at: Date,
): Promise<void> {
  const [state, otherState = state] = states
  await record(tx, { tenantId, offerId, ...failure, recordedAt: at, state, otherState })
}

/** Matches failures whose offer is still in the state in which it failed. */
export const isCurrent: SQL = sql`${offers.state} = ${failedState}`

const failureColumns = { requestId, check: sql<CheckName>`${check}`, reason, failedAt }

/** Returns the current failures of offers, by the id of the offer. */
export async function findOfferFailures(
  db: Reader,
  tenantId: string,
  offerIds: string[],
): Promise<Map<string, OfferFailure>> {
  if (offerIds.length === 0) return new Map()
  const rows = await db
    .select({ ...failureColumns, id: offerFailures.id })
    .from(offerFailures)
    .innerJoin(offers, and(inRow(offers.tenantId, tenantId), eq(offers.id, offerFailures.id)))
    .where(and(inRow(offerFailures.tenantId, tenantId), inArray(offerFailures.id, offerIds), isCurrent))
  return new Map(rows.map(({ id, ...failure }) => [id, failure]))
}
