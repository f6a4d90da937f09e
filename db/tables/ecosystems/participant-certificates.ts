import type { CertificateSubject } from '../../../shared/formats/x509/name.ts'
import { boolean, bytes, index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'
import type { ParticipantRole } from './participants.ts'

/** The certificates of authorities of participants, of which trusted lists are made. */
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
    /** The subject key identifier, as lists have it, hex. */
    ski: text('ski').notNull(),
    subject: json<Partial<CertificateSubject>>('subject').notNull(),
    notBefore: timestamp('not_before').notNull(),
    notAfter: timestamp('not_after').notNull(),
    /** The types of mobile credentials that it is for; null for all that are assigned to the participant. */
    docTypes: json<string[]>('doc_types'),
    active: boolean('active').notNull(),
    /** By itself, with the identifiers of its participant, or from a list of others. */
    source: text('source').$type<'operator' | 'identifiers' | 'integration'>().notNull(),
    /** What lists say of it but for its types, as `encodeEntry` makes it: for a VICAL of an issuer's, for a RICAL of a verifier's. */
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
