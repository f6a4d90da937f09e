import { texts } from '../../kit/language.ts'

export const erasureTexts = texts({
  erasures: { en: 'Receipts of erasures', de: 'Löschbelege' },
  erasure: { en: 'Receipt of an erasure', de: 'Löschbeleg' },
  receipt: { en: 'Receipt', de: 'Beleg' },
  empty: { en: 'No user was erased yet.', de: 'Noch keine Person wurde gelöscht.' },
  about: {
    en: 'A receipt does not name the user. The audit does:',
    de: 'Ein Beleg nennt die Person nicht. Das Audit nennt sie:',
  },
  inAudit: { en: 'erasures in the audit', de: 'Löschungen im Audit' },
  id: { en: 'Id of the receipt', de: 'ID des Belegs' },
  erasedAt: { en: 'Erased', de: 'Gelöscht' },
  signed: { en: 'signed', de: 'signiert' },
  unsigned: { en: 'is being signed', de: 'wird signiert' },
  done: { en: 'The user was erased', de: 'Die Person wurde gelöscht' },
  saltAdvice: {
    en: 'This salt is shown only once. Store it with the ids of the user and of the receipt ({id}): it proves that the receipt is about this user.',
    de: 'Dieses Salt wird nur einmal angezeigt. Bewahren Sie es mit den IDs der Person und des Belegs ({id}) auf: Es beweist, dass der Beleg diese Person betrifft.',
  },
  subject: { en: 'HMAC of the user id', de: 'HMAC der Personen-ID' },
  revoked: { en: 'Revoked credentials', de: 'Widerrufene Nachweise' },
  lists: { en: 'In status lists', de: 'In Statuslisten' },
  row: { en: 'Entry of the audit', de: 'Eintrag im Audit' },
  covered: { en: 'Entries in the checkpoint', de: 'Einträge im Prüfpunkt' },
  rows: { en: 'Deleted or emptied rows', de: 'Gelöschte oder geleerte Zeilen' },
  verify: { en: 'Verify the saved files', de: 'Gespeicherte Dateien prüfen' },
  notYet: {
    en: 'No checkpoint covers this erasure yet. The next one is signed in about an hour.',
    de: 'Noch kein Prüfpunkt enthält diese Löschung. Der nächste wird in etwa einer Stunde signiert.',
  },
})
