import type { CalendarDuration } from './formats/calendar-duration.ts'

/** What every credential configuration says; each profile adds its own. The wire schemas are in api/issuance/configurations. */
export interface CommonSettings {
  claimMappings: Record<string, ClaimMapping>
  revocable: boolean
  claimSourceId?: string
  expiresIn?: CalendarDuration
  keyAttestationsRequired?: KeyAttestationRules
  display?: CredentialDisplay[]
}

export interface WebSemanticSettings extends CommonSettings {
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
