import { texts } from '../../kit/language.ts'

export const roleTexts = texts({
  admin: { en: 'Administrator (admin)', de: 'Administration (admin)' },
  adminHint: {
    en: 'Everything, including clients and sign-in.',
    de: 'Alles, auch Clients und Anmeldung.',
  },
  issuer: { en: 'Issuer (issuer)', de: 'Ausstellung (issuer)' },
  managedIssuer: { en: 'Managed issuer (managed-issuer)', de: 'Betreute Ausstellung (managed-issuer)' },
  issuerHint: {
    en: 'Offers, users, configurations, revocation, certificates, DIDs, webhooks, inboxes.',
    de: 'Angebote, Personen, Konfigurationen, Widerruf, Zertifikate, DIDs, Webhooks, Postfächer.',
  },
  verifier: { en: 'Verifier (verifier)', de: 'Prüfung (verifier)' },
  verifierHint: {
    en: 'Verifies credentials and defines which issuers are trusted.',
    de: 'Prüft Nachweise und legt fest, welchen Ausstellern vertraut wird.',
  },
  dtsProvider: { en: 'Ecosystem operator (dts-provider)', de: 'Ökosystem-Betrieb (dts-provider)' },
  dtsProviderHint: {
    en: 'Ecosystems with participants, policies, trusted lists and their certificates.',
    de: 'Ökosysteme mit Teilnehmern, Richtlinien, Vertrauenslisten und deren Zertifikaten.',
  },
  dtsConsumer: { en: 'Ecosystem reader (dts-consumer)', de: 'Ökosystem-Leserecht (dts-consumer)' },
  dtsConsumerHint: { en: 'Reads ecosystems and changes nothing.', de: 'Liest Ökosysteme und ändert nichts.' },
  viewer: { en: 'Viewer (viewer)', de: 'Ansicht (viewer)' },
  viewerHint: {
    en: 'Reads settings and states, but no personal data and no secrets. Changes nothing.',
    de: 'Liest Einstellungen und Zustände, aber keine Personendaten und keine Geheimnisse. Ändert nichts.',
  },
  auditor: { en: 'Auditor (auditor)', de: 'Revision (auditor)' },
  auditorHint: {
    en: 'Reads events, the audit and the overview.',
    de: 'Liest Ereignisse, das Audit und die Übersicht.',
  },
  holder: { en: 'Apps of holders (holder)', de: 'Apps von Inhabern (holder)' },
  holderHint: {
    en: 'Registers holder applications and their instances.',
    de: 'Registriert Apps von Inhabern und deren Instanzen.',
  },
})
