import type { KnownClaims } from '../../db/repos/issuance/users/known-claims.ts'
import type { ViewConfigurations } from '../../db/tables/issuance/views.ts'
import type { TenantKind, TenantSettings } from '../../db/tables/tenancy/tenants.ts'
import type { ProtocolProfile } from '../../shared/domain/tenancy/protocol-profiles.ts'

/** The kernel passes these to the handlers of this application. */
declare module '../http/application.ts' {
  interface Application {
    tenant: Tenant
    caller: Caller
    holder: Holder
  }
}

/** A view of a tenant, as its requests use it. */
export interface View {
  id: string
  path: string
  /** The host of the tenant that belongs to the view alone. */
  host: string | undefined
  configurations: ViewConfigurations
}

/** The tenant of the requested host. */
export interface Tenant {
  id: string
  kind: TenantKind
  name: string
  /** The requested host in lower case: the canonical host, or an alias. */
  host: string
  /** `https://host` of the canonical host, without a trailing slash. The base of what verifiers and operators read. */
  baseUrl: string
  /** The credential issuer identifier, without a trailing slash: the base of the endpoints for wallets, and `iss` of their answers. */
  issuer: string
  /** The view through which the request sees the tenant. Undefined for the tenant itself. */
  view: View | undefined
  /** Whether the requested host was that of a view, which was deleted. */
  isHostOfGoneView?: boolean
  /** The tenant as seen through each of its views. */
  throughViews: readonly Tenant[]
  did: string
  settings: TenantSettings
  profile: ProtocolProfile
  /** The secret from which values of the tenant are derived (`Secrets.ofTenant`). Null if an older version created it. */
  sealedSecret: string | null
  /** Whether the tenant moves to another installation, so that it answers reads only. */
  isReadOnly: boolean
}

/** An authenticated management client, or a user who signed in at the console. Exactly one of the two ids is set. */
export interface Caller {
  clientId?: string
  managementUserId?: string
  /** The name of the client or person. */
  name: string
  /** The console session of the request. Absent for a token. */
  consoleSessionId?: string
  /** The key and the generation of the token of the request. Absent for a console session. */
  token?: { keyId: string; generation: number }
  roles: readonly string[]
  permissions: readonly string[]
}

/** A wallet with an access token. */
export interface Holder {
  sessionId: string
  userId: string
  offerId: string | null
  clientId: string | null
  configurationIds: string[]
  credentialIdentifiers: Record<string, string>
  /** The authorization that the token was issued for. Null for a pre-authorized offer. */
  authorizationId: string | null
  /** The number of credentials that the wallet can still request. Null for a pre-authorized offer, and for sessions of older versions. */
  credentialsLeft: number | null
  /** Undefined if the route does not load the claims. */
  knownClaims: KnownClaims | undefined
}
