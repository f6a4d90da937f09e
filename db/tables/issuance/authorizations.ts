import { boolean, index, json, table, text, timestamp } from '../../columns.ts'
import type { Claims } from './users.ts'

/**
 * `login` (the person is at the identity provider) -> `interaction` (at the operator's component, where there is one) ->
 * `granted` (the wallet has a code) -> `redeemed`; `ended` when it failed, was refused, or its code was used twice.
 */
export type AuthorizationState = 'login' | 'interaction' | 'granted' | 'redeemed' | 'ended'

/** One authorization request, from the wallet's browser to its code (RFC 6749, section 4.1). */
export const authorizations = table(
  'authorizations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    state: text('state').$type<AuthorizationState>().notNull(),
    clientId: text('client_id').notNull(),
    /** The client's registration, whose end ends this; null for a client that nobody registered. */
    registrationId: text('registration_id'),
    redirectUri: text('redirect_uri').notNull(),
    /** The pushed request that it was begun with, which its answer spends. */
    pushedRequestId: text('pushed_request_id'),
    /** The wallet's own `state`, which goes back to it unread. */
    clientState: text('client_state'),
    configurationIds: json<string[]>('configuration_ids').notNull(),
    /** Whether `authorization_details` asked, so that the token response has to name identifiers. */
    detailsRequested: boolean('details_requested').notNull(),
    codeChallenge: text('code_challenge').notNull(),
    /** The key that the token request must prove (RFC 9449, section 10). */
    dpopJkt: text('dpop_jkt'),
    /** The attested key of the client's instance, which the token request must be of too. */
    instanceJkt: text('instance_jkt'),
    /** The shared offer that `issuer_state` named. */
    offerId: text('offer_id'),
    /** What goes to the provider with the login, such as `login_hint`. */
    requestParameters: json<Record<string, string>>('request_parameters').notNull(),
    /** Of the `state` that the step in progress must come back with; null once it has. */
    stepHash: text('step_hash'),
    /** What the login needs when it comes back, sealed: nonce and PKCE verifier. */
    sealedLogin: text('sealed_login'),
    userId: text('user_id'),
    /** The claims that the interaction gave for this issuance. */
    hookClaims: json<Claims>('hook_claims'),
    codeHash: text('code_hash'),
    /** Of the step in progress, the code, or what the code gave: after it the row means nothing. */
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('authorizations_user').on(columns.tenantId, columns.userId),
    index('authorizations_expiry').on(columns.expiresAt),
  ],
)
