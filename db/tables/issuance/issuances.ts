import type { PublicJwk } from '../../../shared/formats/jwk.ts'
import { index, json, table, text, timestamp } from '../../columns.ts'
import type { Claims } from './users.ts'

/**
 * `requested` -> `issued` or `refused` (by the signing process) or `abandoned` (by the API at its deadline); an issued one
 * is `wiped` when its credentials are not kept any longer.
 */
export type IssuanceState = 'requested' | 'issued' | 'refused' | 'abandoned' | 'wiped'

export interface HolderKey {
  jwk: PublicJwk
  /** The DID that the wallet named itself by, when its proof did. */
  did?: string
}

/** ISO 8601, with milliseconds. */
export interface MappedValidity {
  from?: string
  until?: string
}

/** One credential request: the intention, then its result. */
export const issuances = table(
  'issuances',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    sessionId: text('session_id').notNull(),
    offerId: text('offer_id'),
    /** The authorization that it came from; then its offer is shared, and not used up. The column has an older name. */
    authorizationId: text('grant_id'),
    userId: text('user_id').notNull(),
    configurationId: text('configuration_id').notNull(),
    state: text('state').$type<IssuanceState>().notNull(),
    /** The claims to sign; wiped when the issuance ends. */
    claims: json<Claims>('claims'),
    /** When the credential is to be valid, where claims say so; wiped with them. */
    validity: json<MappedValidity>('validity'),
    holderKeys: json<HolderKey[]>('holder_keys').notNull(),
    /**
     * The signed credentials, one per holder key, with their ids, as `IssuedCredential[]` that is sealed. Rows of earlier versions have them
     * unsealed. Wiped with the retention of deliveries.
     */
    credentials: json<string | IssuedCredential[]>('credentials'),
    requestedAt: timestamp('requested_at').notNull(),
    endedAt: timestamp('ended_at'),
    /** When the wallet was told to come back later (OpenID4VCI 1.0, section 9); such a one is not called off. */
    deferredAt: timestamp('deferred_at'),
    /** When the wallet was known to have what was deferred; then its handle is used up. */
    deliveredAt: timestamp('delivered_at'),
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
