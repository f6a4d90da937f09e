/**
 * What webhooks are told of: for each kind of subject to which something happens, the events that they can ask for. A
 * second source of events is a row here, and its loader in `workers/delivery/sources/sources.ts`.
 */
export const eventKinds = {
  /** Its credentials were issued. */
  issuance: ['OpenIdCredentialIssued', 'OpenIdCredentialIssuedSummary'],
} as const

export type FannedOutKind = keyof typeof eventKinds
/** A test has no subject, and is made for one webhook by whoever asks for it. */
export type SubjectKind = FannedOutKind | 'test'

export const webhookEventKinds = Object.values(eventKinds).flat()
export type WebhookEventKind = (typeof webhookEventKinds)[number]

/** While versions are rolled out or back, another one may know more kinds. */
export function isFannedOutKind(kind: string): kind is FannedOutKind {
  return Object.hasOwn(eventKinds, kind)
}
