import type { AssertionAudience } from '../../db/tables/issuance/sign-in-providers.ts'

/** The registration of this service at a provider (OpenID Connect Core 1.0, section 1.2). */
export interface RelyingParty {
  issuer: string
  clientId: string
  /** Empty with `private_key_jwt`. */
  clientSecret: string
  tokenEndpointAuthMethod: string
  /** The `aud` of assertions with `private_key_jwt`. */
  assertionAudience: AssertionAudience
  /** The tenant whose key signs assertions. */
  tenantId: string
}
