import { isNotNull } from 'drizzle-orm'
import { boolean, folded, index, integer, json, table, text, timestamp } from '../../columns.ts'
import type { Claims } from './users.ts'

/**
 * `usable` -> `spent` (the code was exchanged for a token) -> `claimed` (a credential was issued). `ended`: three wrong
 * transaction codes, or a second use of the code that revoked the token. A deleted offer has no row.
 */
export type OfferState = 'usable' | 'spent' | 'claimed' | 'ended'

/** The maximum lifetime of an offer. */
export const maxOfferMs = 10 * 60_000

/** Pre-authorized credential offers (OpenID4VCI 1.0, section 4.1). */
export const offers = table(
  'offers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** Empty until the sign-in, if a claim link without a user needs one. */
    userId: text('user_id').notNull(),
    state: text('state').$type<OfferState>().notNull(),
    configurationIds: json<string[]>('configuration_ids').notNull(),
    claims: json<Claims>('claims').notNull(),
    codeHash: text('code_hash').notNull(),
    /** The pre-authorized code, sealed, for requests to the URL of the offer. Null if no wallet gets it, and in rows of older versions. */
    sealedCode: text('sealed_code'),
    /** The hash of the secret in the URL of the offer. */
    referenceHash: text('reference_hash'),
    /** Whether the client requested an offer by reference (`credential_offer_uri`). */
    isByReference: boolean('is_by_reference').notNull().default(false),
    /** The claim link that made the offer. Null for other offers. */
    claimLinkId: text('claim_link_id'),
    /** Whether the wallet gets no pre-authorized code, and the person signs in at the tenant's provider. Only offers of claim links. */
    needsSignIn: boolean('needs_sign_in').notNull().default(false),
    transactionCodeMac: text('transaction_code_mac'),
    transactionCodeDescription: text('transaction_code_description'),
    wrongTransactionCodes: integer('wrong_transaction_codes').notNull(),
    /** The view that the offer is for. Null: the tenant itself. */
    viewId: text('view_id'),
    /** The session that the code was exchanged for. */
    sessionId: text('session_id'),
    /** The trace that later requests join. Null if the request that created the row was not recorded. */
    traceparent: text('traceparent'),
    expiresAt: timestamp('expires_at').notNull(),
    /** The reference that operators gave the offer, such as a customer number. It is never issued. */
    label: text('label'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('offers_user').on(columns.tenantId, columns.userId, columns.createdAt, columns.id),
    index('offers_expiry').on(columns.expiresAt),
    index('offers_label')
      .on(columns.tenantId, folded(columns.label), columns.createdAt, columns.id)
      .where(isNotNull(columns.label)),
    index('offers_view').on(columns.tenantId, columns.viewId).where(isNotNull(columns.viewId)),
    index('offers_list').on(columns.tenantId, columns.createdAt, columns.id),
  ],
)
