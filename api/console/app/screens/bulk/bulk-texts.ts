import { texts } from '../../kit/language.ts'

export const oneTexts = texts({
  start: { en: 'Start', de: 'Starten' },
  pause: { en: 'Pause', de: 'Anhalten' },
  resume: { en: 'Continue', de: 'Fortsetzen' },
  retry: { en: 'Issue failed rows again', de: 'Fehlgeschlagene Zeilen erneut ausstellen' },
  cancel: { en: 'Cancel the issuance', de: 'Ausstellung abbrechen' },
  cancelTitle: { en: 'Cancel this issuance?', de: 'Diese Ausstellung abbrechen?' },
  cancelWhat: {
    en: 'Issued credentials and links stay valid. The data of the other rows is deleted. It cannot be continued.',
    de: 'Ausgestellte Nachweise und Links bleiben gültig. Die Daten der anderen Zeilen werden gelöscht. Sie lässt sich nicht fortsetzen.',
  },
  delete: { en: 'Delete', de: 'Löschen' },
  deleteTitle: { en: 'Delete this file with its results?', de: 'Diese Datei mit ihren Ergebnissen löschen?' },
  deleteWhat: {
    en: 'The rows and the results are deleted. Issued credentials stay valid. Claim links end. Download the results first.',
    de: 'Die Zeilen und die Ergebnisse werden gelöscht. Ausgestellte Nachweise bleiben gültig. Abhol-Links enden. Laden Sie die Ergebnisse vorher herunter.',
  },
  word: { en: 'delete', de: 'löschen' },
  checked: {
    en: 'Rows that can be issued: {valid}. Rows with an error, which are left out: {invalid}.',
    de: 'Zeilen, die ausgestellt werden können: {valid}. Fehlerhafte Zeilen, die ausgelassen werden: {invalid}.',
  },
  pausedBecause: { en: 'The service paused the issuance:', de: 'Der Dienst hat die Ausstellung angehalten:' },
  refusedBecause: {
    en: 'The file was refused. Nothing was issued:',
    de: 'Die Datei wurde abgelehnt. Es wurde nichts ausgestellt:',
  },
  file: { en: 'File', de: 'Datei' },
  size: { en: '{size} KB', de: '{size} KB' },
  total: { en: 'Rows', de: 'Zeilen' },
  invalid: { en: 'With an error', de: 'Fehlerhaft' },
  failed: { en: 'Not signed', de: 'Nicht signiert' },
  erased: { en: 'Of erased people', de: 'Von gelöschten Personen' },
  issued: { en: 'Issued', de: 'Ausgestellt' },
  configuration: { en: 'Configuration', de: 'Konfiguration' },
  unusedColumns: { en: 'Columns without a use', de: 'Spalten ohne Verwendung' },
  missingColumns: { en: 'Claims without a column', de: 'Angaben ohne Spalte' },
  ended: { en: 'Ended', de: 'Beendet' },
  results: { en: 'Results', de: 'Ergebnisse' },
  resultsWhat: {
    en: 'One row for each credential, with your id. Keep the file safe.',
    de: 'Je Nachweis eine Zeile mit Ihrer Kennung. Bewahren Sie die Datei sicher auf.',
  },
  linksWhat: {
    en: 'One row for each link, with your id. Transaction codes are in it until you remove them, or until one hour after the first download. Anyone who has a link can collect the credential: keep the file safe.',
    de: 'Je Link eine Zeile mit Ihrer Kennung. Transaktionscodes sind dabei, bis Sie sie entfernen, oder bis eine Stunde nach dem ersten Herunterladen. Wer einen Link hat, kann den Nachweis abholen: Bewahren Sie die Datei sicher auf.',
  },
  removeCodes: { en: 'Remove transaction codes', de: 'Transaktionscodes entfernen' },
  removeCodesTitle: { en: 'Have you saved the results?', de: 'Haben Sie die Ergebnisse gespeichert?' },
  removeCodesWhat: {
    en: 'Later downloads have no transaction codes. A lost code can only be replaced by a new link.',
    de: 'Spätere Downloads enthalten keine Transaktionscodes. Ein verlorener Code lässt sich nur durch einen neuen Link ersetzen.',
  },
  codesRemoved: { en: 'The transaction codes are removed.', de: 'Die Transaktionscodes sind entfernt.' },
  csv: { en: 'Results as CSV', de: 'Ergebnisse als CSV' },
  jsonl: { en: 'Results as JSON Lines', de: 'Ergebnisse als JSON Lines' },
})
