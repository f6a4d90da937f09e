import type { KeyUseName } from '../../../shared/domain/identifiers/key-purposes.ts'
import type { Limits } from '../../../shared/domain/tenancy/limits.ts'
import type { StatusListFormat } from '../../../shared/formats/token-status-list.ts'
import { withDefaults } from '../../../shared/with-defaults.ts'
import { json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

export type TenantKind = 'tenant' | 'platform'
/** `provisioning` until the signing process has made its keys, `deleting` until all that it owns is gone; only an `active` tenant answers. */
export type TenantState = 'provisioning' | 'active' | 'deleting'
/** One switch over what the protocol endpoints ask of wallets (see api/issuance/credential and api/issuance/metadata). */
export type ProtocolProfile = 'haip' | 'standard' | 'lenient'

export interface Branding {
  logoUrl?: string
  /** `#rrggbb`. */
  backgroundColor?: string
  accentColor?: string
  /** What wallets call the issuer, once for each language; the tenant's name in all others. */
  names?: { name: string; locale: string }[]
}

export interface TenantSettings {
  statusListFormat: StatusListFormat
  profile: ProtocolProfile
  encryption: { requestRequired: boolean; responseRequired: boolean }
  /** `whenSlow`: a credential that is not signed in time is handed out later instead of called off. */
  deferredIssuance: 'never' | 'whenSlow'
  /** How many credentials an access token of the authorization code flow is good for, where it collects configurations again. */
  maxCredentialsPerSession: number
  /** Whether wallets that nobody registered may ask for codes. */
  publicClients: boolean
  /** PEM certificates under which wallets' keys are attested. */
  keyAttestationRoots: string[]
  /** How wallets show the issuer, and how the few pages look that a person can see. */
  branding: Branding
  /** Where they are others than everybody's. */
  limits: Partial<Limits>
  /** After how long keys are replaced by themselves; those of `encryption` after 30 days where nothing is said. */
  keyRotation: { readonly [Use in KeyUseName]?: { days: number } }
}

/** A new tenant's, and what is missing in rows of older versions. */
export const defaultSettings: TenantSettings = {
  statusListFormat: 'draft14',
  profile: 'standard',
  encryption: { requestRequired: false, responseRequired: false },
  deferredIssuance: 'never',
  maxCredentialsPerSession: 20,
  publicClients: false,
  keyAttestationRoots: [],
  branding: {},
  limits: {},
  keyRotation: {},
}

/** The platform itself is a row too (`kind` platform): its host has clients and tokens like any tenant's. */
export const tenants = table(
  'tenants',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<TenantKind>().notNull(),
    state: text('state').$type<TenantState>().notNull(),
    name: text('name').notNull(),
    subdomain: text('subdomain').notNull(),
    /** Everything published is derived from this host; it never changes. */
    canonicalHost: text('canonical_host').notNull(),
    /** The tenant's did:web. */
    did: text('did').notNull(),
    settings: json('settings', withDefaults(defaultSettings)).notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [uniqueIndex('tenants_subdomain').on(columns.subdomain)],
)
