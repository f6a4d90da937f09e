import { index, integer, json, table, text, timestamp } from '../../columns.ts'

/** Of an app for Android. */
export interface AndroidSettings {
  packageName: string
  /** Of the certificates that the app is signed with: SHA-256, lower-case hex. */
  packageSigningCertificateThumbprints: string[]
  keyAttestation: {
    required: boolean
    /** PEM; Google's where there is none. */
    rootCertificates: string[]
  }
}

export interface IosSettings {
  bundleId: string
  teamId: string
}

export type HolderApplicationType = 'android' | 'ios'

/** Apps of holders, whose instances register with the tenant. */
export const holderApplications = table(
  'holder_applications',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    type: text('type').$type<HolderApplicationType>().notNull(),
    name: text('name').notNull(),
    /** As the type has them. */
    settings: json<AndroidSettings | IosSettings>('settings').notNull(),
    /** How many instances it has: counted where one comes or goes, as there may be too many to count again. */
    instanceCount: integer('instance_count').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('holder_applications_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
