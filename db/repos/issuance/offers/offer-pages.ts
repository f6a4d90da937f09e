import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { param, prepared } from '../../../engine/prepared.ts'
import { offers } from '../../../tables/issuance/offers.ts'
import { sharedOffers } from '../../../tables/issuance/shared-offers.ts'

const byId = prepared('shown_offer', (db) =>
  db
    .select({
      id: offers.id,
      state: offers.state,
      configurationIds: offers.configurationIds,
      viewId: offers.viewId,
      sealedCode: offers.sealedCode,
      referenceHash: offers.referenceHash,
      isByReference: offers.isByReference,
      needsSignIn: offers.needsSignIn,
      transactionCodeMac: offers.transactionCodeMac,
      transactionCodeDescription: offers.transactionCodeDescription,
      traceparent: offers.traceparent,
      expiresAt: offers.expiresAt,
    })
    .from(offers)
    .where(and(inRow(offers.tenantId, param('tenantId')), eq(offers.id, param('id')))),
)

/** The columns of an offer that its page shows, without its claims, which can be large. */
export type ShownOffer = NonNullable<Awaited<ReturnType<typeof findShownOffer>>>

export async function findShownOffer(db: Reader, tenantId: string, id: string) {
  const [row] = await byId(db, { tenantId, id })
  return row
}

const sharedById = prepared('shown_shared_offer', (db) =>
  db
    .select({
      id: sharedOffers.id,
      configurationIds: sharedOffers.configurationIds,
      viewId: sharedOffers.viewId,
      referenceHash: sharedOffers.referenceHash,
      isByReference: sharedOffers.isByReference,
      authorizationServerId: sharedOffers.authorizationServerId,
      // The query has no condition on this column: PostgreSQL would use the tenant's index of offers that are not deleted.
      deletedAt: sharedOffers.deletedAt,
    })
    .from(sharedOffers)
    .where(and(inRow(sharedOffers.tenantId, param('tenantId')), eq(sharedOffers.id, param('id')))),
)

export type ShownSharedOffer = NonNullable<Awaited<ReturnType<typeof findShownSharedOffer>>>

export async function findShownSharedOffer(db: Reader, tenantId: string, id: string) {
  const [row] = await sharedById(db, { tenantId, id })
  return row?.deletedAt === null ? row : undefined
}
