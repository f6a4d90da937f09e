import type { Schemas } from '../../kit/api.ts'
import { type Text, texts } from '../../kit/language.ts'

type Kind = Exclude<
  Schemas['WebhookEventKind'],
  'OpenIdCredentialIssued' | 'OpenIdCredentialIssuedSummary' | 'AuditCheckpointSigned' | 'BulkIssuanceCompleted'
>

const labels = texts({
  CredentialRevoked: { en: 'Credential revoked', de: 'Nachweis widerrufen' },
  CredentialStatusChanged: { en: 'Status of a credential changed', de: 'Status eines Nachweises geändert' },
  PublicationFailed: { en: 'Publication of a trusted list failed', de: 'Vertrauensliste nicht veröffentlicht' },
  WebhookDisabled: { en: 'Webhook disabled', de: 'Webhook deaktiviert' },
  KeyRotated: { en: 'Keys replaced', de: 'Schlüssel ersetzt' },
  UserErased: { en: 'User erased', de: 'Person gelöscht' },
  OfferExpired: { en: 'Offer expired', de: 'Angebot abgelaufen' },
  OfferFailed: { en: 'Offer failed', de: 'Angebot gescheitert' },
  CertificateEnding: { en: 'Certificate ends soon', de: 'Zertifikat endet bald' },
})

const hints = texts({
  CredentialRevoked: {
    en: 'Only the id. Revocations through the erasure of a user are not sent one by one.',
    de: 'Nur die ID. Widerrufe durch die Löschung einer Person werden nicht einzeln gemeldet.',
  },
  CredentialStatusChanged: {
    en: 'Revoked, suspended or valid again. Only the id and the new status.',
    de: 'Widerrufen, ausgesetzt oder wieder gültig. Nur die ID und der neue Status.',
  },
  PublicationFailed: {
    en: 'A VICAL or RICAL could not be published automatically. Sent once for each new reason.',
    de: 'Eine VICAL oder RICAL konnte nicht automatisch veröffentlicht werden. Eine Meldung je neuem Grund.',
  },
  WebhookDisabled: {
    en: 'Another webhook was disabled, by the service or by an operator.',
    de: 'Ein anderer Webhook wurde deaktiviert, vom Dienst oder von einer Person.',
  },
  KeyRotated: {
    en: 'Keys for credentials, webhooks, tokens, encryption or audit were replaced.',
    de: 'Schlüssel für Nachweise, Webhooks, Token, Verschlüsselung oder Audit wurden ersetzt.',
  },
  UserErased: {
    en: 'Only the ids of the user and of the erasure.',
    de: 'Nur die IDs der Person und der Löschung.',
  },
  OfferExpired: {
    en: 'No wallet took the offer in time. Only its id.',
    de: 'Keine Wallet hat das Angebot rechtzeitig angenommen. Nur seine ID.',
  },
  OfferFailed: {
    en: 'A wallet could not collect the offer. Its id and the failed check.',
    de: 'Eine Wallet konnte das Angebot nicht einlösen. Seine ID und die fehlgeschlagene Prüfung.',
  },
  CertificateEnding: {
    en: '14 and 3 days before a certificate in use ends.',
    de: '14 und 3 Tage, bevor ein verwendetes Zertifikat endet.',
  },
})

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
  UserErased: { label: labels.UserErased, hint: hints.UserErased },
}
