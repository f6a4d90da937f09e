import { index, json, primaryKey, table, text, timestamp } from '../../columns.ts'

/** A JSON-LD credential as it was signed. */
export interface StoredDocument {
  issuanceDate: string
  type: string[]
  credentialStatus?: Record<string, unknown>
  [member: string]: unknown
}

/** The JSON-LD credentials that are kept whole because their request or configuration says `persist`. */
export const storedCredentials = table(
  'stored_credentials',
  {
    /** Of the credential. */
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** To whom it was issued by OpenID4VCI; null for one that was signed directly. */
    userId: text('user_id'),
    /** The operator's own word for it. */
    tag: text('tag'),
    credential: json<StoredDocument>('credential').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('stored_credentials_page').on(columns.tenantId, columns.createdAt, columns.id),
    index('stored_credentials_tag').on(columns.tenantId, columns.tag, columns.createdAt, columns.id),
    index('stored_credentials_user').on(columns.tenantId, columns.userId),
  ],
)

/** Each of a stored credential's types, by which it is found. Tag and time are the credential's. */
export const storedCredentialTypes = table(
  'stored_credential_types',
  {
    tenantId: text('tenant_id').notNull(),
    credentialId: text('credential_id').notNull(),
    type: text('type').notNull(),
    tag: text('tag'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    primaryKey({ columns: [columns.credentialId, columns.type] }),
    index('stored_credential_types_page').on(columns.tenantId, columns.type, columns.createdAt, columns.credentialId),
    index('stored_credential_types_tag').on(
      columns.tenantId,
      columns.type,
      columns.tag,
      columns.createdAt,
      columns.credentialId,
    ),
    index('stored_credential_types_credential').on(columns.tenantId, columns.credentialId),
  ],
)
