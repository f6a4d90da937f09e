import { json, table, text, timestamp } from '../../columns.ts'

/** The registration certificate of a tenant (ETSI TS 119 475), which its issuer metadata contain. */
export const registrationCertificates = table('registration_certificates', {
  tenantId: text('tenant_id').primaryKey(),
  /** The compact JWS of the registrar. */
  jwt: text('jwt').notNull(),
  /** The data of the tenant in the register, as the operator sent them. Null if they are not published. */
  registrarDataset: json<Record<string, unknown>>('registrar_dataset'),
  /** The registered identifier of the tenant. */
  subject: text('subject').notNull(),
  issuedAt: timestamp('issued_at').notNull(),
  /** Null if the certificate does not name it. */
  expiresAt: timestamp('expires_at'),
  createdAt: timestamp('created_at').notNull(),
})
