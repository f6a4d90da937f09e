import { boolean, index, integer, json, table, text, timestamp } from '../../columns.ts'

/**
 * Selects the credentials of a bulk request. All members that are set must match. Times are in milliseconds and
 * inclusive.
 */
export interface BulkFilter {
  configurationId?: string
  userId?: string
  signerId?: string
  issuedFrom?: number
  issuedTo?: number
}

/** The request of a bulk change. One of the two ids is set. */
export interface BulkRequest {
  requestId: string
  clientId?: string | undefined
  managementUserId?: string | undefined
  /** The name of the client or person at the time of the request. */
  name?: string | undefined
}

export type BulkState = 'pending' | 'running' | 'done'

/** A request to revoke many credentials or to undo it, with its progress. */
export const statusBulks = table(
  'status_bulks',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    isRevoked: boolean('is_revoked').notNull(),
    /** The ids of the credentials. Either this or `filter` is set. */
    credentialIds: json<string[]>('credential_ids'),
    filter: json<BulkFilter>('filter'),
    state: text('state').$type<BulkState>().notNull(),
    /** The credentials found so far. Exact once the request is done. */
    total: integer('total').notNull(),
    /** The credentials processed so far, including failed ones. */
    done: integer('done').notNull(),
    failed: json<{ id: string; reason: string }[]>('failed').notNull(),
    /**
     * Where the next portion starts: a position in the ids, or a cursor in the credentials
     * (repos/status/bulk-pages.ts).
     */
    progress: text('progress'),
    /** The request, for the audit rows of the changed credentials. Null in rows of earlier versions. */
    changedBy: json<BulkRequest>('changed_by'),
    createdAt: timestamp('created_at').notNull(),
    endedAt: timestamp('ended_at'),
  },
  (columns) => [index('status_bulks_tenant').on(columns.tenantId), index('status_bulks_age').on(columns.createdAt)],
)
