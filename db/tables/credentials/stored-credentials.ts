import { index, json, primaryKey, table, text, timestamp } from '../../columns.ts'

/** A signed JSON-LD credential. */
export interface StoredDocument {
  issuanceDate: string
  type: string[]
  credentialStatus?: Record<string, unknown>
  [member: string]: unknown
}

/** The profiles whose credentials can be stored whole. */
export type StoredProfile = 'web-semantic' | 'sd-jwt'

/** The credentials that are stored because their request or configuration sets `persist`. */
export const storedCredentials = table(
  'stored_credentials',
  {
    /** The id of the credential. */
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** Rows of earlier versions are web-semantic. */
    profile: text('profile').$type<StoredProfile>().notNull().default('web-semantic'),
    /** The user to whom OpenID4VCI issued it. Null for one that was signed directly. */
    userId: text('user_id'),
    /** A label of the operator's choice. */
    tag: text('tag'),
    /** A JSON-LD document, or the text of an SD-JWT with all disclosures. */
    credential: json<StoredDocument | string>('credential').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('stored_credentials_page').on(columns.tenantId, columns.profile, columns.createdAt, columns.id),
    index('stored_credentials_tag').on(columns.tenantId, columns.tag, columns.createdAt, columns.id),
    index('stored_credentials_user').on(columns.tenantId, columns.userId),
  ],
)

/** The types of each stored credential, for searches by type. Tag and creation time are copies. */
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
