import { index, integer, json, table, text, timestamp } from '../../columns.ts'

/**
 * `waiting` until another person or program decides, or until the approval expires. `approved` until the one who sent the request has executed it,
 * for requests that the service does not execute itself.
 */
export type ApprovalState = 'waiting' | 'approved' | 'executed' | 'rejected' | 'expired'

/** Requests that another person or program must approve before they are executed. */
export const approvals = table(
  'approvals',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** The member of the setting `approvals` that requires the approval. */
    kind: text('kind').notNull(),
    /** The operation that is executed after the approval. */
    operation: text('operation').notNull(),
    state: text('state').$type<ApprovalState>().notNull(),
    /** The number of objects that the request changes. */
    objects: integer('objects').notNull(),
    /** The parts of the request that people see before they decide. They have no secrets. */
    details: json<Record<string, unknown>>('details').notNull(),
    /** SHA-256 of the request, base64url. */
    digest: text('digest').notNull(),
    /** The request with its body. Removed when the approval ends. */
    sealedRequest: text('sealed_request'),
    /** The answer of the operation, for the one who asked. */
    sealedAnswer: text('sealed_answer'),
    askedByClientId: text('asked_by_client_id'),
    askedByManagementUserId: text('asked_by_management_user_id'),
    decidedByClientId: text('decided_by_client_id'),
    decidedByManagementUserId: text('decided_by_management_user_id'),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    decidedAt: timestamp('decided_at'),
  },
  (columns) => [
    index('approvals_page').on(columns.tenantId, columns.createdAt, columns.id),
    index('approvals_due').on(columns.state, columns.expiresAt),
    index('approvals_expiry').on(columns.expiresAt),
  ],
)
