import { texts } from '../../kit/language.ts'

export const listTexts = texts({
  create: { en: 'Upload a file', de: 'Datei hochladen' },
  about: {
    en: 'Each row of a file of people becomes a claim link or a signed credential.',
    de: 'Aus jeder Zeile einer Datei mit Personen wird ein Abhol-Link oder ein signierter Nachweis.',
  },
  empty: {
    en: 'No file yet. Upload a table of people to issue credentials to each of them.',
    de: 'Noch keine Datei. Laden Sie eine Tabelle mit Personen hoch, um jeder Nachweise auszustellen.',
  },
  file: { en: 'File', de: 'Datei' },
  mode: { en: 'Result', de: 'Ergebnis' },
  progress: { en: 'Progress', de: 'Fortschritt' },
  sign: { en: 'signed credentials', de: 'signierte Nachweise' },
  links: { en: 'claim links', de: 'Abhol-Links' },
  receiving: { en: 'being uploaded', de: 'wird hochgeladen' },
  validating: { en: 'being checked', de: 'wird geprüft' },
  ready: { en: 'ready to start', de: 'startbereit' },
  running: { en: 'running', de: 'läuft' },
  paused: { en: 'paused', de: 'angehalten' },
  done: { en: 'done', de: 'fertig' },
  cancelled: { en: 'cancelled', de: 'abgebrochen' },
  failed: { en: 'refused', de: 'abgelehnt' },
  rowsRead: { en: '{count} rows read', de: '{count} Zeilen gelesen' },
  issued: { en: '{done} of {valid}', de: '{done} von {valid}' },
  perSecond: { en: '{rate} per second', de: '{rate} pro Sekunde' },
})
