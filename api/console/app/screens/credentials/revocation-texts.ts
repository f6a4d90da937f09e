import { texts } from '../../kit/language.ts'

export const revocationTexts = texts({
  title: { en: 'Bulk revocation', de: 'Sammelwiderruf' },
  about: {
    en: 'Choose the credentials by a filter, which needs at least one field, or by their ids.',
    de: 'Wählen Sie die Nachweise mit einem Filter, der mindestens ein Feld braucht, oder mit ihren IDs.',
  },
  change: { en: 'Change', de: 'Änderung' },
  revoke: { en: 'Revoke', de: 'Widerrufen' },
  restore: { en: 'Undo revocations', de: 'Widerrufe aufheben' },
  finalHint: {
    en: 'Mobile credentials and SD-JWT VCs cannot be made valid again.',
    de: 'Mobile Nachweise und SD-JWT VCs können nicht wieder gültig werden.',
  },
  configuration: { en: 'Issued with the configuration', de: 'Ausgestellt mit der Konfiguration' },
  user: { en: 'Issued to the user (id)', de: 'Ausgestellt an die Person (ID)' },
  from: { en: 'Issued from', de: 'Ausgestellt ab' },
  until: { en: 'Issued until', de: 'Ausgestellt bis' },
  days: { en: 'Days in UTC', de: 'Tage in UTC' },
  ids: { en: 'Credential ids, instead of a filter', de: 'Nachweis-IDs, anstelle eines Filters' },
  idsHint: { en: 'One per line', de: 'Eine pro Zeile' },
  confirm: { en: 'Type “{word}” to confirm', de: 'Zur Bestätigung „{word}“ eingeben' },
  word: { en: 'change', de: 'ändern' },
  start: { en: 'Change the credentials', de: 'Nachweise ändern' },
  pending: { en: 'waiting', de: 'wartet' },
  running: { en: 'running', de: 'läuft' },
  done: { en: 'done', de: 'fertig' },
  progress: { en: '{done} of {total}', de: '{done} von {total}' },
  failed: { en: 'Not changed', de: 'Nicht geändert' },
  credential: { en: 'Credential', de: 'Nachweis' },
  reason: { en: 'Reason', de: 'Grund' },
  keepLink: {
    en: 'Keep the address of this page to see the result later.',
    de: 'Bewahren Sie die Adresse dieser Seite auf, um das Ergebnis später zu sehen.',
  },
})
