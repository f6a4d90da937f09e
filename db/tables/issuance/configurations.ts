import type { CalendarDuration } from '../../../shared/formats/calendar-duration.ts'
import type { CredentialProfile } from '../../../shared/profiles.ts'
import { index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'
import { withDefaults } from '../../with-defaults.ts'

export type { CredentialProfile }

export interface ClaimMapping {
  mapFrom?: string
  defaultValue?: string
  required?: boolean
  display?: { name: string; locale?: string }[]
}

/** What a configuration wants to be attested of wallets' keys (OpenID4VCI 1.0, section 12.2.4); of a list, one. */
export interface KeyAttestationRules {
  keyStorage?: string[]
  userAuthentication?: string[]
}

/** How a credential is shown to people of a language. */
export interface CredentialDisplay {
  name: string
  locale?: string
  description?: string
  logoUrl?: string
  backgroundColor?: string
  textColor?: string
}

/** What all profiles share, and what one of them adds; the wire schemas in api/issuance/configurations say which. */
export interface ConfigurationSettings {
  claimMappings: Record<string, ClaimMapping>
  revocable: boolean
  claimSourceId?: string
  expiresIn?: CalendarDuration
  keyAttestationsRequired?: KeyAttestationRules
  display?: CredentialDisplay[]
  name?: string
  description?: string
  additionalTypes?: string[]
  contexts?: string[]
  issuer?: { name: string; logoUrl?: string; iconUrl?: string }
  proofType?: string
  credentialBranding?: { backgroundColor?: string; watermarkImageUrl?: string }
  persist?: boolean
}

const missingSettings: Partial<ConfigurationSettings> = { claimMappings: {}, revocable: false }

export const configurations = table(
  'configurations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    profile: text('profile').$type<CredentialProfile>().notNull(),
    type: text('type').notNull(),
    /** Set for the CWT profiles, whose types are unique over both; null for the others. */
    uniqueType: text('unique_type'),
    settings: json('settings', withDefaults(missingSettings)).notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('configurations_page').on(columns.tenantId, columns.profile, columns.createdAt, columns.id),
    uniqueIndex('configurations_unique_type').on(columns.tenantId, columns.uniqueType),
  ],
)
