import type { KeyUseName } from '../domain/identifiers/key-purposes.ts'
import type { MappedValidity } from '../domain/issuance/claims/mapped-validity.ts'
import type { SdJwtSettings } from '../domain/issuance/profile-settings.ts'
import type { FannedOutKind } from '../domain/operations/webhook-events.ts'
import type { OkpPublicJwk, PublicJwk } from '../formats/jwk.ts'
import type { AddressedMessage } from '../formats/jwm/read-message.ts'
import type { MessageRecipient } from '../formats/jwm/seal-message.ts'
import type { AccessSubject } from '../formats/x509/access-subject.ts'
import type { Traced } from '../tracing/tracing.ts'

export interface IssuanceRef extends Traced {
  tenantId: string
  issuanceId: string
}

/** A checked credential request, with all that its commit writes. Times in milliseconds. */
export interface IssuanceRequest extends IssuanceRef {
  sessionId: string
  offerId: string | null
  authorizationId: string | null
  userId: string
  configurationId: string
  claims: Record<string, unknown> | null
  validity: MappedValidity | null
  /** Empty: one credential without a key. */
  holderKeys: { jwk: PublicJwk; did?: string }[]
  /** The view of the request. Absent for the tenant itself. */
  viewId?: string
  requestedAt: number
  /** The single-use values that the commit spends, for this issuance. The hash of the request identifies a repeated one. */
  uses: { hash: string; usedFor: string | null; requestHash: string | null; expiresAt: number }[]
}

/** The sealed credentials (answered-credentials.ts). Null if they are large or were issued before: the row has them. */
export type IssuanceAnswer = string | null

/** The subject of an event for webhooks. */
export interface SubjectRef extends Traced {
  tenantId: string
  kind: FannedOutKind
  subjectId: string
}

/** Events of changes of a tenant in one transaction. */
export interface ChangePortion extends Traced {
  tenantId: string
  /** The id of the outbox row. */
  portionId: string
  subjects: string[]
}

export interface DeliveryRef {
  tenantId: string
  webhookId: string
  deliveryId: string
  /** `queuedUntil` of the row when the job was created, in milliseconds. If the row has another value, the job does nothing. */
  queuedUntil: number
  /** Delivers although the webhook is paused: an operator requested it, or the pause is for this delivery. */
  despitePause?: boolean
}

/** The messages of a tenant to one recipient. */
export interface LineRef {
  tenantId: string
  lineId: string
  /** The time in milliseconds until which the row is queued, as in `DeliveryRef`. */
  queuedUntil: number
}

/** An external trusted list that an ecosystem fetches. */
export interface IntegrationRef {
  tenantId: string
  integrationId: string
  /** The time in milliseconds until which the row is queued, as in `DeliveryRef`. */
  queuedUntil: number
}

export interface ManagementTokenRequest {
  tenantId: string
  clientId: string
  issuer: string
  roles: string[]
  /** The number of the client at the request. The token is valid while the client has this number. */
  tokenGeneration: number
  lifetimeSeconds: number
}

export interface WebhookSignatureRequest {
  tenantId: string
  method: 'POST'
  url: string
  headers: Record<string, string>
}

export interface EncryptedRequest {
  tenantId: string
  /** The JWE in the compact form. */
  jwe: string
  /** The size limit after decompression: that of an unencrypted request. */
  maxBytes: number
}

export interface MetadataSignatureRequest {
  tenantId: string
  issuer: string
  metadata: Record<string, unknown>
}

export interface ClientAssertionRequest {
  tenantId: string
  /** The client id of the tenant at its provider. */
  clientId: string
  audience: string
}

export interface MessageToEncrypt {
  tenantId: string
  /** The DID URL of an X25519 key of the tenant. */
  senderDidUrl: string
  recipients: MessageRecipient[]
  plaintext: string
}

export interface MessageToDecrypt {
  tenantId: string
  message: AddressedMessage
  senderJwk: OkpPublicJwk
}

export interface MessageToSign {
  tenantId: string
  /** The DID URL of an Ed25519 key of the tenant. */
  didUrl: string
  payload: Record<string, unknown>
  /** The end of the signature in milliseconds, if the payload has no `exp`. */
  validUntil?: number
}

/** A request of an operator to sign a credential. It has all values, so that a second run of the job signs the same. */
export interface SignatureRequest {
  tenantId: string
  /** The caller creates the id, so that repeated runs of the job sign one credential. */
  credentialId: string
  /** The tenant's own DID, or a DID that the tenant created. */
  issuerDid: string
  /** The time of the issuance, in milliseconds. */
  issuedAt: number
  revocable: boolean
  isRevoked: boolean
  content: DidContent | SdJwtContent
}

/** The content of a credential that a key of a DID signs. */
export type DidContent = CompactContent | CompactSemanticContent | WebSemanticContent

/** Times in milliseconds. */
interface CwtContent {
  subject?: string
  audience?: string
  issuedAt?: number
  validFrom?: number
  validUntil?: number
}

export interface CompactContent extends CwtContent {
  profile: 'compact'
  type?: string
  claims: Record<string, unknown>
}

export interface CompactSemanticContent extends CwtContent {
  profile: 'compact-semantic'
  /** The complete `vc` claim. */
  vc: Record<string, unknown>
}

export interface WebSemanticContent {
  profile: 'web-semantic'
  types: string[]
  /** Members of `issuer` besides its DID. */
  issuer: Record<string, unknown>
  /** Whether `issuer` of the credential is the DID itself. */
  isIssuerText?: true
  /** Other members of the W3C data model. Absent in jobs of older versions. */
  more?: Record<string, unknown>
  /** The `id` of the subject. */
  subject?: string
  claims: Record<string, unknown>
  name?: string
  description?: string
  contexts: string[]
  credentialBranding?: { backgroundColor?: string; watermarkImageUrl?: string }
  validFrom: number
  validUntil?: number
  tag?: string
  persist: boolean
}

export interface SdJwtContent {
  profile: 'sd-jwt'
  /** `vct`. */
  type: string
  claims: Record<string, unknown>
  settings: SignedSettings & Pick<SdJwtSettings, 'signerCaId' | 'roundTimesTo'>
  /** The key of the holder. Absent: the credential is not bound to a key. */
  holderJwk?: PublicJwk
  validFrom?: number
  validUntil?: number
  /** Whether the configuration determines `validUntil`. A later end is then replaced by that of the signer. */
  endsBySettings?: true
  /** Whether the credential is stored whole. */
  persist?: boolean
}

/** The settings of a configuration that a credential depends on. */
export type SignedSettings = Pick<
  SdJwtSettings,
  'akaVcts' | 'claimMappings' | 'disclose' | 'decoys' | 'publishedType' | 'includeIssuer'
>

/** The text of a CWT or of an SD-JWT, or a JSON-LD document. */
export interface Signature {
  credential: string | Record<string, unknown>
}

/** The author of a request, for the audit. */
interface Author {
  event: string
  requestId: string
  clientId?: string | undefined
  managementUserId?: string | undefined
}

export interface KeyRotation {
  tenantId: string
  use: KeyUseName
  keyId: string
  by: Author
}

export interface AccessCertificateRequest {
  tenantId: string
  id: string
  subject: AccessSubject
  /** The address of the tenant, which the request has as the contact of the subject. */
  contactUrl: string
  by: Author
}

/** `tenantId` is the platform. */
export interface UnusedKeyDestruction {
  tenantId: string
  provider: string
  by: Author
}
