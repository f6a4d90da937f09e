import type { PublicJwk } from '../../../shared/formats/jwk.ts'
import { index, json, table, text, timestamp } from '../../columns.ts'

export type AppAttestationType = 'android-key-attestation' | 'none'

/** Installations of holder applications, each with its registered key. */
export const holderInstances = table(
  'holder_instances',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    applicationId: text('application_id').notNull(),
    appAttestationType: text('app_attestation_type').$type<AppAttestationType>().notNull(),
    publicJwk: json<PublicJwk>('public_jwk').notNull(),
    /** Statements of the app about the device and itself. They are not verified. */
    deviceDetails: json<Record<string, unknown>>('device_details').notNull(),
    sdkDetails: json<Record<string, unknown>>('sdk_details').notNull(),
    /** Null for a key that was never attested. */
    lastAttestedAt: timestamp('last_attested_at'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('holder_instances_page').on(columns.tenantId, columns.applicationId, columns.createdAt, columns.id),
  ],
)
