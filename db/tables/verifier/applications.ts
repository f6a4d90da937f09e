import { index, json, table, text, timestamp } from '../../columns.ts'

export type VerifierApplicationType = 'web' | 'ios' | 'android'

/** The settings that each application has. */
interface CommonSettings {
  openid4vpConfiguration?: {
    redirectUris: string[]
    supportedModes: 'all' | 'sameDevice' | 'crossDevice'
    display?: { name?: string; logoUrl?: string; backgroundColor?: string }
  }
  dcApiConfiguration?: { enabled: boolean }
  resultAvailableInFrontChannel: boolean
}

interface WebSettings extends CommonSettings {
  domain: string
  additionalDomains: string[]
}

interface IosAppSettings extends CommonSettings {
  bundleId: string
  teamId: string
}

interface AndroidAppSettings extends CommonSettings {
  packageName: string
  /** SHA-256 of the certificates that the app is signed with, lower-case hex. */
  packageSigningCertificateThumbprints: string[]
}

/** Pages and apps of a verifier that request credentials. */
export const verifierApplications = table(
  'verifier_applications',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    type: text('type').$type<VerifierApplicationType>().notNull(),
    name: text('name').notNull(),
    /** Depends on the type. */
    settings: json<WebSettings | IosAppSettings | AndroidAppSettings>('settings').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('verifier_applications_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
