import { bytes, index, integer, primaryKey, table, text, timestamp } from '../../columns.ts'

/** What an operator has on a participant in writing: PDF files. Never purged while it is wanted. */
export const participantEvidence = table(
  'participant_evidence',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    participantId: text('participant_id').notNull(),
    /** Anybody sees what is whole alone. What is removed goes with its chunks, a few at a time. */
    state: text('state').$type<'uploading' | 'whole' | 'removed'>().notNull(),
    filename: text('filename').notNull(),
    fileDescription: text('file_description').notNull(),
    /** Of the chunks that are there. */
    sizeBytes: integer('size_bytes').notNull(),
    /** Hex; null until it is whole. */
    sha256: text('sha256'),
    /** The id of a client or a person. */
    uploadedBy: text('uploaded_by').notNull(),
    uploader: text('uploader').$type<'client' | 'person'>().notNull().default('client'),
    /** When nobody goes on uploading it; of what is removed, when that was; null of what is whole. */
    expiresAt: timestamp('expires_at'),
    /** When it was whole; until then, when it was begun. */
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('participant_evidence_page').on(
      columns.tenantId,
      columns.ecosystemId,
      columns.participantId,
      columns.state,
      columns.createdAt,
      columns.id,
    ),
    index('participant_evidence_size').on(columns.tenantId, columns.state, columns.sizeBytes),
    index('participant_evidence_expires').on(columns.expiresAt),
  ],
)

/** The bytes of evidence, so that nothing has a whole file in memory, or in one transaction. */
export const evidenceChunks = table(
  'evidence_chunks',
  {
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    evidenceId: text('evidence_id').notNull(),
    /** From 0; all but the last are of one size. */
    position: integer('position').notNull(),
    content: bytes('content').notNull(),
  },
  (columns) => [
    primaryKey({ columns: [columns.evidenceId, columns.position] }),
    index('evidence_chunks_ecosystem').on(columns.tenantId, columns.ecosystemId),
  ],
)
