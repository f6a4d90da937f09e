import type { CheckName } from '../../../shared/domain/issuance/checks.ts'
import type { MappedValidity } from '../../../shared/domain/issuance/claims/mapped-validity.ts'
import type { PublicJwk } from '../../../shared/formats/jwk.ts'
import { index, json, table, text, timestamp } from '../../columns.ts'
import type { Claims } from './users.ts'

/**
 * `requested` -> `issued` or `refused` (by the signing process) or `abandoned` (by the API at its deadline). An
 * `issued` row becomes `wiped` when the retention of its credentials ends.
 */
export type IssuanceState = 'requested' | 'issued' | 'refused' | 'abandoned' | 'wiped'

/** The reason of a refused issuance. */
export interface Refusal {
  /** The check that refused it, for the timeline of its offer. */
  check: CheckName
  /** The reason for the issuer, without values of claims. */
  reason: string
}

export interface HolderKey {
  jwk: PublicJwk
  /** The DID that the wallet used in its proof, if any. */
  did?: string
}

/** One credential request: the intention, then its result. */
export const issuances = table(
  'issuances',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    sessionId: text('session_id').notNull(),
    offerId: text('offer_id'),
    /** The authorization of the issuance. Its offer is then shared and is not used up. The column has an older name. */
    authorizationId: text('grant_id'),
    userId: text('user_id').notNull(),
    configurationId: text('configuration_id').notNull(),
    state: text('state').$type<IssuanceState>().notNull(),
    /** The claims to sign. Removed when the issuance ends. */
    claims: json<Claims>('claims'),
    /** The validity that claims determine, if they do. Removed with the claims. */
    validity: json<MappedValidity>('validity'),
    /** Empty: one credential without a key. */
    holderKeys: json<HolderKey[]>('holder_keys').notNull(),
    /**
     * The signed credentials with their ids, one per holder key or one without a key: sealed `IssuedCredential[]`. Rows of earlier versions
     * have them unsealed. Removed with the retention of deliveries.
     */
    credentials: json<string | IssuedCredential[]>('credentials'),
    requestedAt: timestamp('requested_at').notNull(),
    endedAt: timestamp('ended_at'),
    /**
     * When the wallet received a deferred response (OpenID4VCI 1.0, section 9). A deferred issuance is not abandoned.
     */
    deferredAt: timestamp('deferred_at'),
    /** When the wallet had received the deferred credentials. The transaction id cannot be used afterwards. */
    deliveredAt: timestamp('delivered_at'),
    /** The reason of a `refused` issuance. Absent in rows of earlier versions. */
    refusal: json<Refusal>('refusal'),
    /** The view through which the wallet requested it (db/tables/issuance/views.ts). */
    viewId: text('view_id'),
  },
  (columns) => [
    index('issuances_user').on(columns.tenantId, columns.userId),
    index('issuances_state').on(columns.state, columns.requestedAt),
    index('issuances_offer').on(columns.tenantId, columns.offerId),
  ],
)

export interface IssuedCredential {
  id: string
  format: string
  credential: string | Record<string, unknown>
}
