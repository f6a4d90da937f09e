import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, table, text, uniqueIndex } from '../../columns.ts'
import type { CredentialStatus } from '../issuance/credentials.ts'

/** The list, the position and the status of each revocable credential. */
export const statusEntries = table(
  'status_entries',
  {
    tenantId: text('tenant_id').notNull(),
    listId: text('list_id').notNull(),
    /** The position in the list, from 0. */
    position: integer('position').notNull(),
    /** Null once the user was erased. The list then still shows the credential as invalid. */
    credentialId: text('credential_id'),
    status: text('status').$type<CredentialStatus>().notNull(),
  },
  (columns) => [
    primaryKey({ columns: [columns.listId, columns.position] }),
    uniqueIndex('status_entries_credential').on(columns.tenantId, columns.credentialId),
    // The content of a list. Most entries of a list are valid.
    index('status_entries_set').on(columns.listId, columns.position).where(sql`${columns.status} <> 'valid'`),
  ],
)
