import { changeKinds } from './change-events.ts'

/**
 * The events of webhooks, by kind of subject. Another source of events is a row here and a loader in
 * `workers/delivery/sources/sources.ts`.
 */
export const eventKinds = {
  /** Events after credentials were issued. */
  issuance: ['OpenIdCredentialIssued', 'OpenIdCredentialIssuedSummary'],
  /** The event after a checkpoint of the audit was signed. */
  checkpoint: ['AuditCheckpointSigned'],
  /** The event after the last row of a bulk issuance was issued. */
  bulk: ['BulkIssuanceCompleted'],
  /** The events after changes, whose subjects contain the change. */
  change: changeKinds,
} as const

export type FannedOutKind = keyof typeof eventKinds
/** An operator requests a test for one webhook. It has no subject. */
export type SubjectKind = FannedOutKind | 'test'

export const webhookEventKinds = Object.values(eventKinds).flat()
export type WebhookEventKind = (typeof webhookEventKinds)[number]

/** Whether this version knows the kind. During a rolling update, another version can have more kinds. */
export function isFannedOutKind(kind: string): kind is FannedOutKind {
  return Object.hasOwn(eventKinds, kind)
}
