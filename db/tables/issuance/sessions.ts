import { isNotNull } from 'drizzle-orm'
import { index, integer, json, table, text, timestamp } from '../../columns.ts'

/**
 * Sessions of wallets. A session is what a wallet got for a code or a refresh token: one access token (as a hash) and
 * what it can collect. Its id is the `sessionId` in webhooks and lists of credentials.
 */
export const sessions = table(
  'sessions',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    offerId: text('offer_id'),
    clientId: text('client_id'),
    /** The registration of the client, whose removal ends the session. Null for an unregistered client. */
    registrationId: text('registration_id'),
    configurationIds: json<string[]>('configuration_ids').notNull(),
    /**
     * Maps the credential identifiers in the token response to configuration ids. Empty if `authorization_details` was
     * not used.
     */
    credentialIdentifiers: json<Record<string, string>>('credential_identifiers').notNull(),
    tokenHash: text('token_hash').notNull(),
    /**
     * The authorization of the session, whose end ends the session. Null for a pre-authorized offer. The column has an
     * older name.
     */
    authorizationId: text('grant_id'),
    /** The view that issued the token. Null: the tenant itself. */
    viewId: text('view_id'),
    /** The key that the token is bound to (RFC 9449, section 6). Null for a bearer token. */
    dpopJkt: text('dpop_jkt'),
    /** The attested key of the client instance that got the token. */
    instanceJkt: text('instance_jkt'),
    /**
     * The hash of the code or refresh token that was exchanged. A wallet that repeats the exchange shortly afterwards gets the
     * same token.
     */
    exchangedHash: text('exchanged_hash'),
    /**
     * The number of credentials of an authorization that the session can still collect. Null in rows of older versions and for a
     * pre-authorized offer, which issues each configuration once.
     */
    credentialsLeft: integer('credentials_left'),
    /** When the token response was sent. */
    sentAt: timestamp('sent_at'),
    /** The trace that later requests join. Null if the request that created the row was not recorded. */
    traceparent: text('traceparent'),
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('sessions_user').on(columns.tenantId, columns.userId),
    index('sessions_grant').on(columns.tenantId, columns.authorizationId).where(isNotNull(columns.authorizationId)),
    index('sessions_view').on(columns.tenantId, columns.viewId).where(isNotNull(columns.viewId)),
    index('sessions_expiry').on(columns.expiresAt),
  ],
)
