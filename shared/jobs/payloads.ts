import type { FannedOutKind } from '../webhook-events.ts'

export interface IssuanceRef {
  tenantId: string
  issuanceId: string
}

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
