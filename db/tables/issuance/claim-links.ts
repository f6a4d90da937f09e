import { isNotNull } from 'drizzle-orm'
import type { LinkSignIn } from '../../../shared/domain/issuance/claim-links.ts'
import { index, integer, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/**
 * `open` -> `opened` (a person made an offer with it) -> `collected` (a credential was issued). `revoked` by an operator, or by too many
 * wrong transaction codes. A link that is `open` or `opened` ends at `expiresAt`.
 */
export type ClaimLinkState = 'open' | 'opened' | 'collected' | 'revoked'

/** The number of wrong transaction codes, over all offers of a link, that revokes the link. */
export const maxWrongCodesOfLink = 9

/** Links with which one person collects credentials once. Each opening makes a new offer, because offers are valid for minutes only. */
export const claimLinks = table(
  'claim_links',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** The bulk issuance that made the link, and the row of its file. */
    bulkId: text('bulk_id').notNull(),
    row: integer('row_number').notNull(),
    externalId: text('external_id'),
    /** The label of the operator, which the offers of the link get. */
    label: text('label'),
    /** The user of the offers. Null until the first opening, or the first sign-in if one is needed, if the row names no user. */
    userId: text('user_id'),
    configurationIds: json<string[]>('configuration_ids').notNull(),
    state: text('state').$type<ClaimLinkState>().notNull(),
    /** The number of renewals of the link. The secret of the address depends on it. */
    generation: integer('generation').notNull(),
    /** The hash of the secret in the address. */
    secretHash: text('secret_hash').notNull(),
    /** The claims and the transaction code, sealed (shared/domain/issuance/claim-links.ts). Null after the collection. */
    sealedContent: text('sealed_content'),
    /** The settings of the transaction code. Null: the wallet asks for no code. */
    transactionCode: json<{ description?: string }>('transaction_code'),
    /** The person who must sign in to collect. Null: there is no sign-in. */
    signIn: json<LinkSignIn>('sign_in'),
    /** Over all offers of the link since the last renewal. */
    wrongCodes: integer('wrong_codes').notNull(),
    /** The newest offer. Only this offer can issue credentials. */
    offerId: text('offer_id'),
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** The last opening. */
    openedAt: timestamp('opened_at'),
    /** When the link was collected or revoked. */
    endedAt: timestamp('ended_at'),
  },
  (columns) => [
    uniqueIndex('claim_links_row').on(columns.tenantId, columns.bulkId, columns.row),
    // Counts and lists by state read only this index.
    index('claim_links_state').on(columns.tenantId, columns.bulkId, columns.state, columns.row, columns.expiresAt),
    index('claim_links_user').on(columns.tenantId, columns.userId).where(isNotNull(columns.userId)),
    index('claim_links_expiry').on(columns.expiresAt),
  ],
)
