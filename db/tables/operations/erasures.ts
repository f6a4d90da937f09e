import { index, integer, json, table, text, timestamp } from '../../columns.ts'

/** The counts and ids in the record of an erasure. It does not identify the person. */
export interface ErasureContent {
  /** The number of rows of each table that were deleted or emptied. */
  rows: Record<string, number>
  /** The number of revoked credentials. */
  revoked: number
  /** The ids of the status lists that show these credentials as invalid. */
  lists: string[]
}

/** The erasures of users, with their signed receipts. They stay when the person is erased. */
export const erasures = table(
  'erasures',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** HMAC-SHA256 of the user's id, base64url. Its key is given to the operator once and is not stored. */
    subject: text('subject').notNull(),
    content: json<ErasureContent>('content').notNull(),
    /** The request whose audit row records the erasure. */
    requestId: text('request_id').notNull(),
    /** The number of the audit row. Null until the receipt is signed, like `receipt`. */
    auditNumber: integer('audit_number'),
    /** JWS in the compact form. */
    receipt: text('receipt'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('erasures_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
