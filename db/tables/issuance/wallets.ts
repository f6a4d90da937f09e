import { withDefaults } from '../../../shared/with-defaults.ts'
import { boolean, index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

export interface AttestationRules {
  required: boolean
  /** The DPoP key must be the attested key. A separate proof of possession is then not required. */
  dpopRequired: boolean
  /** PEM certificates. */
  rootCertificates: string[]
}

const noRules: AttestationRules = { required: false, dpopRequired: false, rootCertificates: [] }

/** Registered wallets. */
export const oauthClients = table(
  'oauth_clients',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    clientId: text('client_id').notNull(),
    name: text('name').notNull(),
    redirectUris: json<string[]>('redirect_uris').notNull(),
    attestation: json('attestation', withDefaults(noRules)).notNull(),
    dpopRequired: boolean('dpop_required').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('oauth_clients_client_id').on(columns.tenantId, columns.clientId),
    index('oauth_clients_page').on(columns.tenantId, columns.createdAt, columns.id),
  ],
)
