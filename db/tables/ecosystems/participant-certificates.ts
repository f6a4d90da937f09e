import type { CertificateSubject } from '../../../shared/formats/x509/name.ts'
import { boolean, bytes, index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'
import type { ParticipantRole } from './participants.ts'

/** The certificates of the authorities of participants. Trusted lists contain them. */
export const participantCertificates = table(
  'participant_certificates',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    participantId: text('participant_id').notNull(),
    role: text('role').$type<ParticipantRole>().notNull(),
    certificatePem: text('certificate_pem').notNull(),
    /** SHA-256, hex. */
    fingerprint: text('fingerprint').notNull(),
    /** The subject key identifier as in lists, hex. */
    ski: text('ski').notNull(),
    subject: json<Partial<CertificateSubject>>('subject').notNull(),
    notBefore: timestamp('not_before').notNull(),
    notAfter: timestamp('not_after').notNull(),
    /** The types of mobile credentials that it is for. Null for all types that are assigned to the participant. */
    docTypes: json<string[]>('doc_types'),
    active: boolean('active').notNull(),
    /** Whether an operator added it, or the identifiers of its participant did, or an external list. */
    source: text('source').$type<'operator' | 'identifiers' | 'integration'>().notNull(),
    /**
     * The list entry without its types, as `encodeEntry` encodes it: for a VICAL if the role is `issuer`, for a RICAL
     * if it is `verifier`.
     */
    entry: bytes('entry').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('participant_certificates_certificate').on(columns.participantId, columns.role, columns.fingerprint),
    index('participant_certificates_fingerprint').on(columns.tenantId, columns.fingerprint),
    index('participant_certificates_page').on(
      columns.tenantId,
      columns.ecosystemId,
      columns.participantId,
      columns.role,
      columns.createdAt,
      columns.id,
    ),
  ],
)
