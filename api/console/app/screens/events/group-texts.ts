import { texts } from '../../kit/language.ts'

/** The names of the groups of categories. */
export const groupTexts = texts({
  tenant: { en: 'Tenant and access', de: 'Mandant und Zugang' },
  issuance: { en: 'Issuance', de: 'Ausstellung' },
  credentials: { en: 'Credentials', de: 'Nachweise' },
  certificates: { en: 'Certificates and trust', de: 'Zertifikate und Vertrauen' },
  verification: { en: 'Verification and messages', de: 'Prüfung und Nachrichten' },
  operation: { en: 'Operation', de: 'Betrieb' },
})
