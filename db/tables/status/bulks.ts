import { boolean, index, integer, json, table, text, timestamp } from '../../columns.ts'

/** Which credentials a bulk request is about: every member that is given must hold. Times in milliseconds, both inclusive. */
export interface BulkFilter {
  configurationId?: string
  userId?: string
  issuedFrom?: number
  issuedTo?: number
}

export type BulkState = 'pending' | 'running' | 'done'

/** A request to revoke many credentials, or to take that back, and how far it is. */
export const statusBulks = table(
  'status_bulks',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    isRevoked: boolean('is_revoked').notNull(),
    /** The credentials by their ids, or a filter: one of the two. */
    credentialIds: json<string[]>('credential_ids'),
    filter: json<BulkFilter>('filter'),
    state: text('state').$type<BulkState>().notNull(),
    /** Those that it is about, as far as is known before it is done. */
    total: integer('total').notNull(),
    /** Those that it has come to, failed ones included. */
    done: integer('done').notNull(),
    failed: json<{ id: string; reason: string }[]>('failed').notNull(),
    /** Where it goes on: the next position in the ids, or a place among the credentials (repos/status/bulk-pages.ts). */
    progress: text('progress'),
    createdAt: timestamp('created_at').notNull(),
    endedAt: timestamp('ended_at'),
  },
  (columns) => [index('status_bulks_tenant').on(columns.tenantId), index('status_bulks_age').on(columns.createdAt)],
)
