import { isNotNull } from 'drizzle-orm'
import { boolean, index, json, table, text, timestamp } from '../../columns.ts'
import type { Claims } from './users.ts'

/**
 * `login`: the person is at the identity provider. `interaction`: at the component of the operator, if there is one.
 * `granted`: the wallet has a code. `redeemed`: the code was exchanged. `ended`: it failed, was refused, or its code
 * was used twice.
 */
export type AuthorizationState = 'login' | 'interaction' | 'granted' | 'redeemed' | 'ended'

/** One authorization request, from the browser of the wallet to the code (RFC 6749, section 4.1). */
export const authorizations = table(
  'authorizations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    state: text('state').$type<AuthorizationState>().notNull(),
    clientId: text('client_id').notNull(),
    /** The registration of the client, whose removal ends the authorization. Null for an unregistered client. */
    registrationId: text('registration_id'),
    redirectUri: text('redirect_uri').notNull(),
    /** The pushed request that started it. The response to the wallet spends the pushed request. */
    pushedRequestId: text('pushed_request_id'),
    /** The `state` of the wallet, which is returned unchanged. */
    clientState: text('client_state'),
    configurationIds: json<string[]>('configuration_ids').notNull(),
    /** Whether `authorization_details` was used. The token response then names credential identifiers. */
    detailsRequested: boolean('details_requested').notNull(),
    codeChallenge: text('code_challenge').notNull(),
    /** The key that the token request must prove (RFC 9449, section 10). */
    dpopJkt: text('dpop_jkt'),
    /** The attested key of the client instance. The token request must use the same key. */
    instanceJkt: text('instance_jkt'),
    /** The view that got the request. Null: the tenant itself. */
    viewId: text('view_id'),
    /** The offer that `issuer_state` named. */
    offerId: text('offer_id'),
    /** The claim link of this offer. Null for a shared offer. */
    claimLinkId: text('claim_link_id'),
    /** Parameters for the provider, such as `login_hint`. */
    requestParameters: json<Record<string, string>>('request_parameters').notNull(),
    /** The hash of the `state` with which the current step must return. Null after the return. */
    stepHash: text('step_hash'),
    /** The nonce and the PKCE verifier of the login, sealed. */
    sealedLogin: text('sealed_login'),
    userId: text('user_id'),
    /** The claims that the interaction returned for this issuance. */
    hookClaims: json<Claims>('hook_claims'),
    codeHash: text('code_hash'),
    /** The trace that later requests join. Null if the request that created the row was not recorded. */
    traceparent: text('traceparent'),
    /** When the current step, the code or the rights from the code expire. The row has no effect afterwards. */
    expiresAt: timestamp('expires_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('authorizations_user').on(columns.tenantId, columns.userId),
    index('authorizations_view').on(columns.tenantId, columns.viewId).where(isNotNull(columns.viewId)),
    index('authorizations_expiry').on(columns.expiresAt),
  ],
)
