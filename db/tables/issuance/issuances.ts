import { isNotNull } from 'drizzle-orm'
import type { PublicJwk } from '../../../shared/formats/jwk.ts'
import { index, integer, json, primaryKey, table, text, timestamp, uniqueIndex } from '../../columns.ts'
import type { CredentialProfile } from './configurations.ts'
import type { Claims } from './users.ts'

/** What a wallet got for its code: an access token (by hash), and what it may collect with it. */
export const sessions = table(
  'sessions',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    offerId: text('offer_id'),
    clientId: text('client_id'),
    /** The client's registration, whose end ends this; null for a client that nobody registered. */
    registrationId: text('registration_id'),
    configurationIds: json<string[]>('configuration_ids').notNull(),
    /** Configuration id by the credential identifier that the token response named; only if it was asked for. */
    credentialIdentifiers: json<Record<string, string>>('credential_identifiers').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** The authorization that this came from, whose end ends it; null for a pre-authorized offer. */
    grantId: text('grant_id'),
    /** The key that the token is bound to (RFC 9449, section 6); null for a bearer token. */
    dpopJkt: text('dpop_jkt'),
    /** The attested key of the client's instance that it was given to. */
    instanceJkt: text('instance_jkt'),
    /** Of the code or refresh token that it was given for: who brings that again at once gets the same token again. */
    exchangedHash: text('exchanged_hash'),
    /** When the wallet was known to have its token. */
    sentAt: timestamp('sent_at'),
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('sessions_user').on(columns.tenantId, columns.userId),
    index('sessions_grant').on(columns.tenantId, columns.grantId).where(isNotNull(columns.grantId)),
    index('sessions_expiry').on(columns.expiresAt),
  ],
)

/** Each configuration is issued once per session: whoever inserts the row issues it. */
export const sessionClaims = table(
  'session_claims',
  {
    tenantId: text('tenant_id').notNull(),
    sessionId: text('session_id').notNull(),
    configurationId: text('configuration_id').notNull(),
    issuanceId: text('issuance_id').notNull(),
  },
  (columns) => [
    primaryKey({ name: 'session_claims_key', columns: [columns.tenantId, columns.sessionId, columns.configurationId] }),
  ],
)

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

/** One credential request: the intention, then its result. */
export const issuances = table(
  'issuances',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    sessionId: text('session_id').notNull(),
    offerId: text('offer_id'),
    /** The authorization that it came from; then its offer is shared, and not used up. */
    grantId: text('grant_id'),
    userId: text('user_id').notNull(),
    configurationId: text('configuration_id').notNull(),
    state: text('state').$type<IssuanceState>().notNull(),
    /** The claims to sign; wiped when the issuance ends. */
    claims: json<Claims>('claims'),
    holderKeys: json<HolderKey[]>('holder_keys').notNull(),
    /** The signed credentials, one per holder key, with their ids; wiped with the retention of deliveries. */
    credentials: json<IssuedCredential[]>('credentials'),
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

export type CredentialStatus = 'valid' | 'invalid' | 'suspended'

/** What is known of an issued credential: metadata, never claim values (decisions: users). */
export const credentials = table(
  'credentials',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    issuanceId: text('issuance_id').notNull(),
    profile: text('profile').$type<CredentialProfile>().notNull(),
    type: text('type').notNull(),
    offerId: text('offer_id'),
    sessionId: text('session_id').notNull(),
    configurationId: text('configuration_id').notNull(),
    devicePublicKey: json<PublicJwk>('device_public_key').notNull(),
    status: text('status').$type<CredentialStatus>().notNull(),
    issuedAt: timestamp('issued_at').notNull(),
    validFrom: timestamp('valid_from').notNull(),
    validUntil: timestamp('valid_until'),
    position: integer('position').notNull(),
  },
  (columns) => [
    index('credentials_page').on(columns.tenantId, columns.userId, columns.issuedAt, columns.id),
    uniqueIndex('credentials_issuance').on(columns.tenantId, columns.issuanceId, columns.position),
  ],
)

/** Nonces and proof ids that were used: whoever inserts the row uses it. Kept until nothing could accept it any more. */
export const spentProofs = table(
  'spent_proofs',
  {
    tenantId: text('tenant_id').notNull(),
    hash: text('hash').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (columns) => [
    primaryKey({ name: 'spent_proofs_key', columns: [columns.tenantId, columns.hash] }),
    index('spent_proofs_expiry').on(columns.expiresAt),
  ],
)

export type NotificationEvent = 'credential_accepted' | 'credential_failure' | 'credential_deleted'

/** What wallets said became of their credentials (OpenID4VCI 1.0, section 11); said twice it is one row. */
export const notifications = table(
  'notifications',
  {
    tenantId: text('tenant_id').notNull(),
    issuanceId: text('issuance_id').notNull(),
    event: text('event').$type<NotificationEvent>().notNull(),
    description: text('description'),
    receivedAt: timestamp('received_at').notNull(),
  },
  (columns) => [
    primaryKey({ name: 'notifications_key', columns: [columns.tenantId, columns.issuanceId, columns.event] }),
  ],
)
