import { texts } from '../../kit/language.ts'

export const listTexts = texts({
  from: { en: 'Issued from (UTC)', de: 'Ausgestellt ab (UTC)' },
  until: { en: 'Issued until (UTC)', de: 'Ausgestellt bis (UTC)' },
  filter: { en: 'Filter', de: 'Filtern' },
  noFilter: { en: 'All credentials', de: 'Alle Nachweise' },
  noneSuch: { en: 'No credential matches the filter.', de: 'Kein Nachweis entspricht dem Filter.' },
  none: {
    en: 'No credential was issued yet. Create an offer.',
    de: 'Es wurde noch kein Nachweis ausgestellt. Erstellen Sie ein Angebot.',
  },
  more: {
    en: 'No credential of this page matches the filter. Continue with the next page.',
    de: 'Kein Nachweis dieser Seite entspricht dem Filter. Weiter auf der nächsten Seite.',
  },
  csv: { en: 'Save as CSV', de: 'Als CSV speichern' },
  csvCut: {
    en: 'The file has the first {count} credentials. Narrow the filter to save the others.',
    de: 'Die Datei enthält die ersten {count} Nachweise. Grenzen Sie den Filter ein, um die übrigen zu speichern.',
  },
  select: { en: 'Select', de: 'Auswahl' },
  selectOne: { en: 'Select credential {id}', de: 'Nachweis {id} auswählen' },
  selectPage: { en: 'Select all on this page', de: 'Alle auf dieser Seite auswählen' },
  selected: { en: '{count} selected', de: '{count} ausgewählt' },
  clear: { en: 'Clear the selection', de: 'Auswahl aufheben' },
  revoke: { en: 'Revoke {count}', de: '{count} widerrufen' },
  revokeTitle: { en: 'Revoke the selected credentials?', de: 'Die ausgewählten Nachweise widerrufen?' },
  resultTitle: { en: 'Revocation', de: 'Widerruf' },
  selectedCount: { en: 'Selected', de: 'Ausgewählt' },
  affected: { en: 'To be revoked', de: 'Werden widerrufen' },
  alreadyRevoked: { en: 'Already revoked', de: 'Bereits widerrufen' },
  notRevocable: { en: 'Cannot be revoked: on no status list', de: 'Nicht widerrufbar: auf keiner Statusliste' },
  final: {
    en: 'Cannot be made valid again: mobile credentials and SD-JWT VCs',
    de: 'Können nicht wieder gültig werden: mobile Nachweise und SD-JWT VCs',
  },
  noneRevocable: {
    en: 'None of the selected credentials can be revoked.',
    de: 'Keiner der ausgewählten Nachweise kann widerrufen werden.',
  },
  progressPage: { en: 'A page with this result', de: 'Eine Seite mit diesem Ergebnis' },
})
