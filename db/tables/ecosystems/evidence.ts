import { bytes, index, integer, primaryKey, table, text, timestamp } from '../../columns.ts'

/** Evidence about a participant, as PDF files. Evidence is purged only after its removal or an incomplete upload. */
export const participantEvidence = table(
  'participant_evidence',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    participantId: text('participant_id').notNull(),
    /** Clients see only evidence in the state `whole`. Removed evidence is purged with its chunks, a few at a time. */
    state: text('state').$type<'uploading' | 'whole' | 'removed'>().notNull(),
    filename: text('filename').notNull(),
    fileDescription: text('file_description').notNull(),
    /** The total size of the stored chunks. */
    sizeBytes: integer('size_bytes').notNull(),
    /** Hex. Null until the upload is complete. */
    sha256: text('sha256'),
    /** The id of a client or a person. */
    uploadedBy: text('uploaded_by').notNull(),
    uploader: text('uploader').$type<'client' | 'person'>().notNull().default('client'),
    /** When an incomplete upload expires. For removed evidence the time of the removal. Null for complete evidence. */
    expiresAt: timestamp('expires_at'),
    /** When the upload was complete. Until then, when it started. */
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

/** The content of evidence. Chunks limit the size of a transaction and the use of memory. */
export const evidenceChunks = table(
  'evidence_chunks',
  {
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    evidenceId: text('evidence_id').notNull(),
    /** The position of the chunk, from 0. All chunks except the last have the same size. */
    position: integer('position').notNull(),
    content: bytes('content').notNull(),
  },
  (columns) => [
    primaryKey({ columns: [columns.evidenceId, columns.position] }),
    index('evidence_chunks_ecosystem').on(columns.tenantId, columns.ecosystemId),
  ],
)
