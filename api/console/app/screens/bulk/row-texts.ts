import { type Text, texts } from '../../kit/language.ts'

export const rowTexts = texts({
  rows: { en: 'Rows', de: 'Zeilen' },
  row: { en: 'Row', de: 'Zeile' },
  externalId: { en: 'Your id', de: 'Ihre Kennung' },
  column: { en: 'Column', de: 'Spalte' },
  reason: { en: 'What is wrong', de: 'Was nicht stimmt' },
  content: { en: 'Content', de: 'Inhalt' },
  credential: { en: 'Credential', de: 'Nachweis' },
  valid: { en: 'waiting', de: 'wartet' },
  invalid: { en: 'with an error', de: 'fehlerhaft' },
  done: { en: 'issued', de: 'ausgestellt' },
  failed: { en: 'not signed', de: 'nicht signiert' },
  open: { en: 'not opened', de: 'nicht geöffnet' },
  opened: { en: 'opened', de: 'geöffnet' },
  collected: { en: 'collected', de: 'abgeholt' },
  expired: { en: 'expired', de: 'abgelaufen' },
  revoked: { en: 'revoked', de: 'widerrufen' },
  links: { en: 'Claim links', de: 'Abhol-Links' },
  ends: { en: 'Ends', de: 'Endet' },
  lastOpened: { en: 'Last opened', de: 'Zuletzt geöffnet' },
  newLink: { en: 'New link', de: 'Neuer Link' },
  newLinkTitle: { en: 'Make a new link for row {row}?', de: 'Neuen Link für Zeile {row} anlegen?' },
  newLinkWhat: {
    en: 'The old address is then not found any more. A new transaction code is made if there was one.',
    de: 'Die alte Adresse ist dann nicht mehr zu finden. Gab es einen Transaktionscode, wird ein neuer angelegt.',
  },
  madeLink: { en: 'New link for row {row}', de: 'Neuer Link für Zeile {row}' },
  madeLinkWhat: {
    en: 'Send it to the person. The code is shown only once: send it by another channel.',
    de: 'Senden Sie ihn der Person. Der Code wird nur einmal angezeigt: Teilen Sie ihn auf anderem Weg mit.',
  },
  address: { en: 'Address', de: 'Adresse' },
  code: { en: 'Transaction code', de: 'Transaktionscode' },
  revoke: { en: 'Revoke', de: 'Widerrufen' },
  revokeTitle: { en: 'Revoke the link of row {row}?', de: 'Link der Zeile {row} widerrufen?' },
  revokeWhat: {
    en: 'No credential can be collected with it. You can make a new link later.',
    de: 'Niemand kann den Nachweis damit abholen. Sie können später einen neuen Link anlegen.',
  },
  none: { en: 'No row is in this state.', de: 'Keine Zeile ist in diesem Zustand.' },
  noErrors: { en: 'No row has an error.', de: 'Keine Zeile ist fehlerhaft.' },
})

/** The errors of rows by code. The message of the service is in English and has more details. */
export const faultTexts: Readonly<Record<string, Text>> = texts({
  missing_claim: { en: 'A required value is missing.', de: 'Ein Pflichtwert fehlt.' },
  invalid_claim: { en: 'The values cannot be signed.', de: 'Die Werte können nicht signiert werden.' },
  invalid_external_id: {
    en: 'Your id is missing, or it is too long.',
    de: 'Ihre Kennung fehlt, oder sie ist zu lang.',
  },
  duplicate_external_id: {
    en: 'An earlier row has the same id.',
    de: 'Eine frühere Zeile hat dieselbe Kennung.',
  },
  unknown_user: { en: 'There is no user with this id.', de: 'Es gibt keine Person mit dieser ID.' },
  user_without_sign_in: { en: 'This user cannot sign in.', de: 'Diese Person kann sich nicht anmelden.' },
  too_few_cells: { en: 'The row has too few cells.', de: 'Die Zeile hat zu wenige Zellen.' },
  too_many_cells: { en: 'The row has too many cells.', de: 'Die Zeile hat zu viele Zellen.' },
  invalid_quote: { en: 'A quote is at a wrong place.', de: 'Ein Anführungszeichen steht an falscher Stelle.' },
  invalid_character: {
    en: 'The row has a character that is not allowed.',
    de: 'Die Zeile enthält ein unzulässiges Zeichen.',
  },
  invalid_json: { en: 'The line is not valid JSON.', de: 'Die Zeile ist kein gültiges JSON.' },
  not_an_object: { en: 'The line is not a JSON object.', de: 'Die Zeile ist kein JSON-Objekt.' },
  too_many_members: { en: 'The object has too many members.', de: 'Das Objekt hat zu viele Einträge.' },
  long_name: { en: 'A name is too long.', de: 'Ein Name ist zu lang.' },
  row_too_large: { en: 'The row is too large.', de: 'Die Zeile ist zu groß.' },
  kept_cells_too_large: {
    en: 'The cells that come back in the results are too large.',
    de: 'Die Zellen, die in den Ergebnissen wiederkommen, sind zu groß.',
  },
  not_signed: { en: 'The credential could not be signed.', de: 'Der Nachweis konnte nicht signiert werden.' },
})
