import type { Schemas } from '../../kit/api.ts'
import { type Text, texts } from '../../kit/language.ts'

type Kind = Exclude<
  Schemas['WebhookEventKind'],
  'OpenIdCredentialIssued' | 'OpenIdCredentialIssuedSummary' | 'AuditCheckpointSigned' | 'BulkIssuanceCompleted'
>

const labels = texts('changeKinds')

const hints = texts('changeKindHints')

/** The meaning of each event type of a change. */
export const changeKinds: Record<Kind, { label: Text; hint: Text }> = {
  CredentialRevoked: { label: labels.CredentialRevoked, hint: hints.CredentialRevoked },
  CredentialStatusChanged: { label: labels.CredentialStatusChanged, hint: hints.CredentialStatusChanged },
  PublicationFailed: { label: labels.PublicationFailed, hint: hints.PublicationFailed },
  WebhookDisabled: { label: labels.WebhookDisabled, hint: hints.WebhookDisabled },
  KeyRotated: { label: labels.KeyRotated, hint: hints.KeyRotated },
  OfferExpired: { label: labels.OfferExpired, hint: hints.OfferExpired },
  OfferFailed: { label: labels.OfferFailed, hint: hints.OfferFailed },
  CertificateEnding: { label: labels.CertificateEnding, hint: hints.CertificateEnding },
  ApprovalChanged: { label: labels.ApprovalChanged, hint: hints.ApprovalChanged },
  UserErased: { label: labels.UserErased, hint: hints.UserErased },
}
