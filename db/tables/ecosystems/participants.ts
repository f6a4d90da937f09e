import type { DidProfile } from '../../../shared/domain/issuance/profiles.ts'
import { boolean, folded, index, json, primaryKey, table, text, timestamp } from '../../columns.ts'

export type ParticipantStatus = 'Active' | 'Inactive'
export type ParticipantRole = 'issuer' | 'verifier'

export interface MobileIdentifier {
  certificatePem: string
  status: ParticipantStatus
}

/**
 * The public identifiers of a participant: a DID for each profile that uses one, and certificates for mobile
 * credentials.
 */
export type ParticipantIdentifiers = Partial<Record<DidProfile, string>> & { mobile?: MobileIdentifier[] }

export interface ParticipantContact {
  phoneNumber?: string
  address?: string
}

/** The issuers and verifiers of an ecosystem. */
export const participants = table(
  'participants',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    name: text('name').notNull(),
    identifiers: json<ParticipantIdentifiers>('identifiers').notNull(),
    isIssuer: boolean('is_issuer').notNull(),
    isVerifier: boolean('is_verifier').notNull(),
    /**
     * Whether it may issue only the types that are assigned to it. Otherwise it may issue all types of the ecosystem.
     */
    isIssuerConstrained: boolean('is_issuer_constrained').notNull(),
    isVerifierConstrained: boolean('is_verifier_constrained').notNull(),
    status: text('status').$type<ParticipantStatus>().notNull(),
    country: text('country'),
    stateOrProvince: text('state_or_province'),
    contacts: json<ParticipantContact[]>('contacts').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('participants_page').on(columns.tenantId, columns.ecosystemId, columns.createdAt, columns.id),
    index('participants_name').on(columns.tenantId, folded(columns.name)),
  ],
)

/** The DIDs of participants, for searches. Their certificates are in `participantCertificates`. */
export const participantIdentifiers = table(
  'participant_identifiers',
  {
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    participantId: text('participant_id').notNull(),
    profile: text('profile').$type<DidProfile>().notNull(),
    identifier: text('identifier').notNull(),
  },
  (columns) => [
    primaryKey({ columns: [columns.participantId, columns.profile, columns.identifier] }),
    index('participant_identifiers_identifier').on(columns.tenantId, columns.profile, columns.identifier),
    index('participant_identifiers_ecosystem').on(columns.tenantId, columns.ecosystemId),
  ],
)

/** The credential types that are assigned to participants. */
export const participantCredentialTypes = table(
  'participant_credential_types',
  {
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    participantId: text('participant_id').notNull(),
    role: text('role').$type<ParticipantRole>().notNull(),
    credentialTypeId: text('credential_type_id').notNull(),
  },
  (columns) => [
    primaryKey({ columns: [columns.participantId, columns.role, columns.credentialTypeId] }),
    index('participant_credential_types_type').on(columns.tenantId, columns.credentialTypeId),
    index('participant_credential_types_ecosystem').on(columns.tenantId, columns.ecosystemId),
  ],
)
