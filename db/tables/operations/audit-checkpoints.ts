import { integer, primaryKey, table, text, timestamp } from '../../columns.ts'

/**
 * Signed checkpoints of the audit of each tenant (C2SP tlog-checkpoint). The tree has one leaf per row of the audit: its hash.
 * Checkpoints are never purged, because an earlier one proves that the audit before it was not changed.
 */
export const auditCheckpoints = table(
  'audit_checkpoints',
  {
    tenantId: text('tenant_id').notNull(),
    /** The number of rows of the audit that it covers. */
    size: integer('size').notNull(),
    /** The signed note, as published. */
    note: text('note').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [primaryKey({ columns: [columns.tenantId, columns.size] })],
)

/**
 * The roots of complete parts of the tree: each of 256 hashes of the level below. The hashes of level 0 are in the rows of the
 * audit.
 */
export const auditSubtrees = table(
  'audit_subtrees',
  {
    tenantId: text('tenant_id').notNull(),
    level: integer('level').notNull(),
    /** Counts the subtrees of a level, from 0. */
    position: integer('position').notNull(),
    /** Base64. */
    hash: text('hash').notNull(),
  },
  (columns) => [primaryKey({ columns: [columns.tenantId, columns.level, columns.position] })],
)
