import type { KeyUseName } from '../domain/identifiers/key-purposes.ts'
import type { FannedOutKind } from '../domain/operations/webhook-events.ts'
import type { OkpPublicJwk } from '../formats/jwk.ts'
import type { AddressedMessage } from '../formats/jwm/read-message.ts'
import type { MessageRecipient } from '../formats/jwm/seal-message.ts'

export interface IssuanceRef {
  tenantId: string
  issuanceId: string
}

/** The credentials, sealed (answered-credentials.ts), where they are small and were issued just now; otherwise the row has them. */
export type IssuanceAnswer = string | null

/** To what something happened that webhooks are told of. */
export interface SubjectRef {
  tenantId: string
  kind: FannedOutKind
  subjectId: string
}

export interface DeliveryRef {
  tenantId: string
  webhookId: string
  deliveryId: string
  /** Of the row, in milliseconds, when the job was made: while it says the same the attempt is this job's. */
  queuedUntil: number
  /** An operator asked for it: that the webhook is paused does not matter. */
  despitePause?: boolean
}

/** The messages of a tenant to one recipient. */
export interface LineRef {
  tenantId: string
  lineId: string
  /** Of the row, in milliseconds, when the job was made: while it says the same the line is this job's. */
  queuedUntil: number
}

/** A list of others that an ecosystem takes over. */
export interface IntegrationRef {
  tenantId: string
  integrationId: string
  /** Of the row, in milliseconds, when the job was made: while it says the same the integration is this job's. */
  queuedUntil: number
}

export interface ManagementTokenRequest {
  tenantId: string
  clientId: string
  issuer: string
  roles: string[]
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
  /** Compact. */
  jwe: string
}

export interface MetadataSignatureRequest {
  tenantId: string
  issuer: string
  metadata: Record<string, unknown>
}

export interface MessageToEncrypt {
  tenantId: string
  /** Of a key of X25519 that is the tenant's. */
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
  /** Of a key of Ed25519 that is the tenant's. */
  didUrl: string
  payload: Record<string, unknown>
  /** Of the signature, in milliseconds, where the payload does not say it by `exp`. */
  validUntil?: number
}

/** A credential that an operator wants signed. Everything that a second run of the job signs again is in it. */
export interface SignatureRequest {
  tenantId: string
  /** Made by who asks, so that it is signed once however often the job runs. */
  credentialId: string
  /** The tenant's own DID, or one that it made. */
  issuerDid: string
  /** In milliseconds. */
  issuedAt: number
  revocable: boolean
  isRevoked: boolean
  content: CompactContent | CompactSemanticContent | WebSemanticContent
}

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
  /** The whole `vc` claim. */
  vc: Record<string, unknown>
}

export interface WebSemanticContent {
  profile: 'web-semantic'
  types: string[]
  /** Beside its DID. */
  issuer: Record<string, string>
  /** `id` of the subject. */
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

/** The text of a CWT, or a JSON-LD document. */
export interface Signature {
  credential: string | Record<string, unknown>
}

export interface KeyRotation {
  tenantId: string
  use: KeyUseName
  keyId: string
  /** What the audit tells of who asked for it. */
  by: { event: string; requestId: string; clientId?: string | undefined; managementUserId?: string | undefined }
}
