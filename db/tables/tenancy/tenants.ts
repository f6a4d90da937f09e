import type { OwnRole } from '../../../shared/access/own-roles.ts'
import type { KeyPolicy } from '../../../shared/domain/identifiers/key-policy.ts'
import type { KeyUseName } from '../../../shared/domain/identifiers/key-purposes.ts'
import type { WalletFamily } from '../../../shared/domain/issuance/wallet-families.ts'
import { type ApprovalSettings, readApprovalSettings } from '../../../shared/domain/tenancy/approvals.ts'
import type { Limits } from '../../../shared/domain/tenancy/limits.ts'
import type { ProtocolProfile } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import type { StatusListFormat } from '../../../shared/formats/token-status-list.ts'
import { withDefaults } from '../../../shared/with-defaults.ts'
import { json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

export type TenantKind = 'tenant' | 'platform'
/**
 * `provisioning` until the signing process has created the keys, `moving` while the tenant moves to another installation, `moved` when
 * the proof of its import is recorded, `deleting` until all rows of the tenant are removed. A `moving` or `moved` tenant answers reads
 * only. A tenant that is `provisioning` or `deleting` answers no request.
 */
export type TenantState = 'provisioning' | 'active' | 'moving' | 'moved' | 'deleting'

/** Returns whether a tenant answers requests, and publishes its lists. */
export function isServed(tenant: { state: TenantState } | undefined): boolean {
  return tenant?.state === 'active' || answersReadsOnly(tenant)
}

export function answersReadsOnly(tenant: { state: TenantState } | undefined): boolean {
  return tenant?.state === 'moving' || tenant?.state === 'moved'
}

export interface Branding {
  logoUrl?: string
  /** `#rrggbb`. */
  backgroundColor?: string
  accentColor?: string
  /** An `https:` or `mailto:` URL at which people get help. */
  contact?: string
  /** Where wallets receive offers, in the query: an `https:` address or a scheme. Default: `openid-credential-offer://`. */
  offerUrl?: string
  /** Wallet apps that the pages of offers recommend to people without a wallet. */
  walletLinks?: WalletLink[]
  /** The issuer name that wallets show, at most one for each language. Other languages use the name of the tenant. */
  names?: { name: string; locale: string }[]
  /** Texts of the pages for holders, at most one entry for each language. An entry without a locale is for all other languages. */
  texts?: { locale?: string; heading?: string; advice?: string; contact?: string }[]
}

/** A wallet app. */
export interface WalletLink {
  name: string
  /** Where people get the app. */
  url: string
  /** Where the app receives credential offers, in the query: an `https:` address or a scheme. */
  offerUrl?: string | undefined
}

export type DefaultView = 'tenant' | 'fitting'

export interface TenantSettings {
  statusListFormat: StatusListFormat
  profile: ProtocolProfile
  encryption: { requestRequired: boolean; responseRequired: boolean }
  /** `whenSlow`: a credential that is not signed in time is issued later instead of being cancelled. */
  deferredIssuance: 'never' | 'whenSlow'
  /** The number of credentials that an access token of the authorization code flow can collect. */
  maxCredentialsPerSession: number
  /** The longest time for which verifiers may cache a token status list that can have suspended credentials. */
  suspensionMaxAgeSeconds: number
  /** Whether unregistered wallets can request codes. */
  publicClients: boolean
  /** Whether a page before the sign-in says what will be issued. */
  reviewBeforeSignIn: boolean
  /** PEM certificates of the authorities that attest keys of wallets. */
  keyAttestationRoots: string[]
  /** How wallets show the issuer, and the style of the pages that people see. */
  branding: Branding
  /** The limits that differ from the defaults. */
  limits: Partial<Limits>
  /**
   * The age at which keys are rotated automatically. Keys of `encryption` are rotated after 30 days if nothing is set.
   */
  keyRotation: { readonly [Use in KeyUseName]?: { days: number } }
  /** Where new keys are. The platform can require hardware (shared/domain/identifiers/key-policy.ts). */
  keys: KeyPolicy
  /** Whether only an apply of files can change the objects that files made. */
  lockManagedObjects: boolean
  /** The requests that another person or program must approve. An admin of the tenant changes it (api/tenancy/settings). */
  approvals: ApprovalSettings
  /** The roles that the tenant defined. */
  roles: OwnRole[]
  /** Whether the console has a test wallet in production. Elsewhere it always has one. */
  testWallet: boolean
  /** The wallet families of the people who get credentials. An offer that one of them cannot read has a warning. */
  walletFamilies: WalletFamily[]
  /** The issuer of an offer without a view. `fitting`: the oldest view that publishes all its configurations, or else the tenant. */
  defaultView: DefaultView
}

/** The settings of a new tenant, and the values of members that rows of older versions do not have. */
export const defaultSettings: TenantSettings = {
  statusListFormat: 'draft14',
  profile: 'standard',
  encryption: { requestRequired: false, responseRequired: false },
  deferredIssuance: 'never',
  maxCredentialsPerSession: 20,
  // No list has a longer time to live.
  suspensionMaxAgeSeconds: 31_536_000,
  publicClients: false,
  reviewBeforeSignIn: false,
  keyAttestationRoots: [],
  branding: {},
  limits: {},
  keyRotation: {},
  keys: {},
  lockManagedObjects: false,
  approvals: {},
  roles: [],
  testWallet: false,
  walletFamilies: [],
  defaultView: 'tenant',
}

const fillSettings = withDefaults(defaultSettings)

/** Reads settings that any version of the service stored. */
function readSettings(stored: object): TenantSettings {
  const settings = fillSettings(stored)
  return { ...settings, approvals: readApprovalSettings(settings.approvals) }
}

/**
 * The tenants and the platform. The platform is a row with the kind `platform`, because its host has clients and tokens
 * too.
 */
export const tenants = table(
  'tenants',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<TenantKind>().notNull(),
    state: text('state').$type<TenantState>().notNull(),
    name: text('name').notNull(),
    subdomain: text('subdomain').notNull(),
    /** All published URLs and identifiers use this host. It never changes. */
    canonicalHost: text('canonical_host').notNull(),
    /** The tenant's did:web. */
    did: text('did').notNull(),
    settings: json('settings', readSettings).notNull(),
    /**
     * The secret from which values of the tenant are derived that leave the service and return (`Secrets.ofTenant`), sealed. Null in rows of
     * older versions, until a web process reads them.
     */
    sealedSecret: text('sealed_secret'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [uniqueIndex('tenants_subdomain').on(columns.subdomain)],
)
