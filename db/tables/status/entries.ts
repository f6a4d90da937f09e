import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, table, text, uniqueIndex } from '../../columns.ts'
import type { CredentialStatus } from '../issuance/credentials.ts'

/** Where a revocable credential stands in its list, and how. */
export const statusEntries = table(
  'status_entries',
  {
    tenantId: text('tenant_id').notNull(),
    listId: text('list_id').notNull(),
    /** From 0. */
    position: integer('position').notNull(),
    /** Null once its person was erased: the list goes on saying that it is invalid. */
    credentialId: text('credential_id'),
    status: text('status').$type<CredentialStatus>().notNull(),
  },
  (columns) => [
    primaryKey({ columns: [columns.listId, columns.position] }),
    uniqueIndex('status_entries_credential').on(columns.tenantId, columns.credentialId),
    // What a list is made of; most of a list is valid.
    index('status_entries_set').on(columns.listId, columns.position).where(sql`${columns.status} <> 'valid'`),
  ],
)
