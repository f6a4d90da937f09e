import type { CalendarDuration } from '../../formats/calendar-duration.ts'
import type { ElementType } from '../../formats/mdoc/element-types.ts'
import type { ClaimTree, Disclosability } from '../../formats/sd-jwt/claim-tree.ts'
import type { DecoyOptions } from '../../formats/sd-jwt/encode-claims.ts'
import type { TypeRendering } from '../../formats/sd-jwt/type-metadata.ts'
import type { TimeUnit } from './credential-times.ts'
import type { ReusePolicy } from './reuse-policy.ts'

/** The settings of all credential configurations. Each profile adds more. The wire schemas are in api/issuance/configurations. */
export interface CommonSettings {
  claimSourceId?: string
  /** The OAuth scope that the operator has chosen. The column `scope` has it too. */
  scope?: string
  expiresIn?: CalendarDuration
  keyAttestationsRequired?: KeyAttestationRules
  reusePolicy?: ReusePolicy
  display?: CredentialDisplay[]
}

/** Settings of profiles whose claims have no namespaces. */
export interface FlatSettings extends CommonSettings {
  claimMappings: Record<string, ClaimMapping>
  revocable: boolean
}

export interface WebSemanticSettings extends FlatSettings {
  name: string
  issuer: { name: string; logoUrl?: string; iconUrl?: string }
  description?: string
  additionalTypes?: string[]
  /** Known context URLs, after credentials/v1. */
  contexts?: string[]
  proofType: 'Ed25519Signature2018'
  credentialBranding?: { backgroundColor?: string; watermarkImageUrl?: string }
  persist: boolean
}

export interface MobileSettings extends CommonSettings {
  /** Mappings by namespace and element. */
  claimMappings: Record<string, Record<string, ElementMapping>>
  /** Whether each credential has an entry in a token status list. */
  includeStatus: boolean
  validFrom?: { mapFrom: string }
  validUntil?: { mapFrom: string }
  branding?: MobileBranding
}

export interface SdJwtSettings extends CommonSettings {
  /** The type that the operator has chosen. By default, it is the URL of the type metadata. The column `type` has both. */
  vct?: string
  /** More types of the credential. */
  akaVcts?: string[]
  name: string
  description?: string
  claimMappings: ClaimTree
  /** Whether credentials have `iss`, the base URL of the tenant. */
  includeIssuer: boolean
  /** Whether credentials are bound to a key of the holder. */
  keyBinding: boolean
  /** Applies to claims without a setting of their own. */
  disclose: Disclosability
  decoys: DecoyOptions
  /** Whether each credential has an entry in a token status list. `revocable` means the same. */
  includeStatus: boolean
  revocable: boolean
  /** Whether issued credentials are stored whole. */
  persist: boolean
  validFrom?: { mapFrom: string }
  validUntil?: { mapFrom: string }
  roundTimesTo: TimeUnit
  /** The authority of the signer. Any active authority if absent. */
  signerCaId?: string
  typeMetadata?: TypeMetadataSettings
  /** The newest version of the type metadata. The service sets it. */
  publishedType?: PublishedType
}

export interface TypeMetadataSettings {
  /** The type that this type extends, and the hash of its metadata. */
  extends?: { vct: string; integrity?: string }
  rendering?: TypeRendering
}

export interface PublishedType {
  url: string
  /** The hash of the document (`integrityOf`). */
  integrity: string
}

export interface ElementMapping extends ClaimMapping {
  /** The type of the element, if the standard of the document type does not define it. */
  type?: ElementType
}

export interface MobileBranding {
  name?: string
  description?: string
  backgroundColor?: string
  watermarkImage?: string
  issuerLogo?: string
  issuerIcon?: string
}

export interface ClaimMapping {
  mapFrom?: string
  defaultValue?: string
  required?: boolean
  display?: { name: string; locale?: string }[]
}

/** The required attestations for keys of wallets (OpenID4VCI 1.0, section 12.2.4). One value of each list is enough. */
export interface KeyAttestationRules {
  keyStorage?: string[]
  userAuthentication?: string[]
}

/** The display of a credential in one language. */
export interface CredentialDisplay {
  name: string
  locale?: string
  description?: string
  logoUrl?: string
  backgroundColor?: string
  textColor?: string
}
