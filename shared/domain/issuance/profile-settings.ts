import type { CalendarDuration } from '../../formats/calendar-duration.ts'
import type { ElementType } from '../../formats/mdoc/element-types.ts'

/** What every credential configuration says; each profile adds its own. The wire schemas are in api/issuance/configurations. */
export interface CommonSettings {
  claimSourceId?: string
  expiresIn?: CalendarDuration
  keyAttestationsRequired?: KeyAttestationRules
  display?: CredentialDisplay[]
}

/** Where claims stand side by side. */
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
  /** By namespace and element. */
  claimMappings: Record<string, Record<string, ElementMapping>>
  /** Whether a token status list has a place for each credential. */
  includeStatus: boolean
  validFrom?: { mapFrom: string }
  validUntil?: { mapFrom: string }
  branding?: MobileBranding
}

export interface ElementMapping extends ClaimMapping {
  /** What the element is, where the standard of the document type does not say it. */
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
