import type { ClaimPointer } from '../sd-jwt/claim-pointer.ts'

/** A query for credentials (OpenID4VP 1.0, section 6). The members have the names of the standard, because wallets receive it as it is. */
export interface DcqlQuery {
  credentials: DcqlCredentialQuery[]
  credential_sets?: CredentialSetQuery[]
}

/** A query for a credential of one format (section 6.1). */
export type DcqlCredentialQuery = MdocQuery | SdJwtQuery | W3cQuery

interface AnyFormatQuery {
  id: string
  multiple?: boolean
  trusted_authorities?: TrustedAuthoritiesQuery[]
  /** By default true. */
  require_cryptographic_holder_binding?: boolean
  claims?: ClaimsQuery[]
  /** Each set has ids of `claims`. The most preferred set is the first. */
  claim_sets?: string[][]
}

/** Appendix B.2. */
export interface MdocQuery extends AnyFormatQuery {
  format: 'mso_mdoc'
  meta: { doctype_value: string }
}

/** Appendix B.3. */
export interface SdJwtQuery extends AnyFormatQuery {
  format: 'dc+sd-jwt'
  meta: { vct_values: string[] }
}

/** Appendix B.1. A credential has all types of one of the lists. */
export interface W3cQuery extends AnyFormatQuery {
  format: 'ldp_vc' | 'jwt_vc_json'
  meta: { type_values: string[][] }
}

/** A query for claims (section 6.3). The path of an mdoc has a namespace and an element. */
export interface ClaimsQuery {
  id?: string
  path: ClaimPointer
  values?: (string | number | boolean)[]
  /** Only queries for an mdoc have it. */
  intent_to_retain?: boolean
}

export const authorityTypes = ['aki', 'etsi_tl', 'openid_federation'] as const
export type AuthorityType = (typeof authorityTypes)[number]

/** Authorities of which one must certify the issuer (section 6.1.1). */
export interface TrustedAuthoritiesQuery {
  type: AuthorityType
  values: string[]
}

/** Combinations of credentials (section 6.2). Each option has ids of `credentials`. By default it is required. */
export interface CredentialSetQuery {
  options: string[][]
  required?: boolean
}
