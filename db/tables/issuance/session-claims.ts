import { primaryKey, table, text } from '../../columns.ts'

/**
 * The first time that a session collected a configuration. A pre-authorized offer allows only one. The transaction that
 * inserts the row issues the credential.
 */
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
