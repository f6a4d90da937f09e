import { index, integer, json, table, text, timestamp } from '../../columns.ts'

/** The settings of an Android app. */
export interface AndroidSettings {
  packageName: string
  /** SHA-256 of the certificates that the app is signed with, lower-case hex. */
  packageSigningCertificateThumbprints: string[]
  keyAttestation: {
    required: boolean
    /** PEM. Empty means the roots of Google. */
    rootCertificates: string[]
  }
}

export interface IosSettings {
  bundleId: string
  teamId: string
}

export type HolderApplicationType = 'android' | 'ios'

/** Apps of holders. Their installations register with the tenant. */
export const holderApplications = table(
  'holder_applications',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    type: text('type').$type<HolderApplicationType>().notNull(),
    name: text('name').notNull(),
    /** Depends on the type. */
    settings: json<AndroidSettings | IosSettings>('settings').notNull(),
    /** The number of instances. It is stored, because counting many rows would take too long. */
    instanceCount: integer('instance_count').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('holder_applications_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
