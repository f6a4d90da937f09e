import { isNotNull } from 'drizzle-orm'
import { index, integer, json, table, text, timestamp } from '../../columns.ts'

/**
 * A session is what a wallet got for a code or a refresh token: one access token (by hash), and what it may collect with it.
 * Its id is the `sessionId` that webhooks and lists of credentials name.
 */
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
    /** The authorization that this came from, whose end ends it; null for a pre-authorized offer. The column has an older name. */
    authorizationId: text('grant_id'),
    /** The key that the token is bound to (RFC 9449, section 6); null for a bearer token. */
    dpopJkt: text('dpop_jkt'),
    /** The attested key of the client's instance that it was given to. */
    instanceJkt: text('instance_jkt'),
    /** Of the code or refresh token that it was given for: who brings that again at once gets the same token again. */
    exchangedHash: text('exchanged_hash'),
    /**
     * How many credentials of an authorization it may still collect; null in rows of older versions, and for a pre-authorized
     * offer, of which each configuration is issued once.
     */
    credentialsLeft: integer('credentials_left'),
    /** When the wallet was known to have its token. */
    sentAt: timestamp('sent_at'),
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('sessions_user').on(columns.tenantId, columns.userId),
    index('sessions_grant').on(columns.tenantId, columns.authorizationId).where(isNotNull(columns.authorizationId)),
    index('sessions_expiry').on(columns.expiresAt),
  ],
)
