import { boolean, index, integer, json, table, text, timestamp } from '../../columns.ts'
import type { Claims } from './users.ts'

/**
 * `usable` -> `spent` (its code was exchanged for a token) -> `claimed` (a credential was issued); `ended` after three
 * wrong transaction codes, or after a second use of its code that revoked the token. A deleted offer has no row.
 */
export type OfferState = 'usable' | 'spent' | 'claimed' | 'ended'

/** For how long an offer can be usable. */
export const longestOfferMs = 10 * 60_000

/** Pre-authorized credential offers (OpenID4VCI 1.0, section 4.1). */
export const offers = table(
  'offers',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    state: text('state').$type<OfferState>().notNull(),
    configurationIds: json<string[]>('configuration_ids').notNull(),
    claims: json<Claims>('claims').notNull(),
    codeHash: text('code_hash').notNull(),
    /** The pre-authorized code, sealed, for who has the offer's address; null in rows of versions whose URI alone carried it. */
    sealedCode: text('sealed_code'),
    /** Of the secret in that address. */
    referenceHash: text('reference_hash'),
    /** Whether its URI was asked to say where it is, and not to carry it. */
    isByReference: boolean('is_by_reference').notNull().default(false),
    transactionCodeMac: text('transaction_code_mac'),
    transactionCodeDescription: text('transaction_code_description'),
    wrongTransactionCodes: integer('wrong_transaction_codes').notNull(),
    /** The session that its code gave. */
    sessionId: text('session_id'),
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('offers_user').on(columns.tenantId, columns.userId),
    index('offers_expiry').on(columns.expiresAt),
    index('offers_list').on(columns.tenantId, columns.createdAt, columns.id),
  ],
)
