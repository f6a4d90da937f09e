import type { KnownClaims } from '../../db/repos/issuance/known-claims.ts'
import type { ProtocolProfile, TenantKind, TenantSettings } from '../../db/tables/tenancy/tenants.ts'
import type { Role } from '../../shared/roles.ts'

/** The tenant whose host was addressed. */
export interface Tenant {
  id: string
  kind: TenantKind
  name: string
  /** The one that was addressed, in lower case: the canonical one, or an alias. */
  host: string
  /** `https://host`, without a trailing slash: the issuer identifier, and the root of everything published. */
  baseUrl: string
  did: string
  settings: TenantSettings
  profile: ProtocolProfile
}

/** A management client that proved who it is, or a person who signed in at the console: one of the two ids is there. */
export interface Caller {
  clientId?: string
  managementUserId?: string
  roles: readonly Role[]
}

/** A wallet with an access token. */
export interface Holder {
  sessionId: string
  userId: string
  offerId: string | null
  clientId: string | null
  configurationIds: string[]
  credentialIdentifiers: Record<string, string>
  /** The authorization that the token came from; null for a pre-authorized offer. */
  authorizationId: string | null
  /** How many more credentials may be collected; null for a pre-authorized offer's, and for those of older versions. */
  credentialsLeft: number | null
  /** Where the route asks for it. */
  known: KnownClaims | undefined
}
