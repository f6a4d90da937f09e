import { texts } from '../../kit/language.ts'

export const userTexts = texts({
  users: { en: 'Users', de: 'Personen' },
  user: { en: 'User', de: 'Person' },
  create: { en: 'New user', de: 'Neue Person' },
  empty: {
    en: 'No user yet. A user is created by an offer, by a sign-in, or here.',
    de: 'Noch keine Person. Personen werden durch ein Angebot, bei einer Anmeldung oder hier angelegt.',
  },
  noneSuch: {
    en: 'No matching users. The search sees stored claims only.',
    de: 'Keine passenden Personen. Die Suche sieht nur gespeicherte Angaben.',
  },
  more: { en: 'More users may follow on the next page.', de: 'Auf der nächsten Seite können weitere Personen folgen.' },
  id: { en: 'User id', de: 'Personen-ID' },
  claim: { en: 'Claim', de: 'Angabe' },
  value: { en: 'Has the value', de: 'Hat den Wert' },
  subject: { en: 'Subject at the identity provider', de: 'Subject beim Identitätsanbieter' },
  anywhere: { en: 'nowhere yet', de: 'noch nirgends' },
  signsInAt: { en: 'Signs in at', de: 'Meldet sich an bei' },
  changeLabel: { en: 'Change the label', de: 'Kennzeichen ändern' },
  reset: { en: 'Show all', de: 'Alle anzeigen' },
  claims: { en: 'Claims', de: 'Angaben' },
  known: { en: 'Claims of the person', de: 'Angaben zur Person' },
  reveal: { en: 'Reveal', de: 'Aufdecken' },
  hide: { en: 'Hide', de: 'Verbergen' },
  revealAdvice: {
    en: 'The claims are not loaded. Revealing them records an event (USER_RETRIEVE) in your name.',
    de: 'Die Angaben sind nicht geladen. Beim Aufdecken wird ein Ereignis (USER_RETRIEVE) in Ihrem Namen aufgezeichnet.',
  },
  nothingKnown: { en: 'Nothing is known about this person.', de: 'Über diese Person ist nichts bekannt.' },
  claimsHint: { en: 'A JSON object. It replaces all claims.', de: 'Ein JSON-Objekt. Es ersetzt alle Angaben.' },
  newHint: { en: 'A JSON object, such as {"given_name": "Ada"}', de: 'Ein JSON-Objekt, etwa {"given_name": "Ada"}' },
  offer: { en: 'New offer for this user', de: 'Neues Angebot für diese Person' },
  erase: { en: 'Erase', de: 'Löschen' },
  eraseTitle: { en: 'Erase this user?', de: 'Diese Person löschen?' },
  eraseAdvice: {
    en: 'The user is deleted with all claims, offers, sessions, records and timelines. Issued credentials are revoked. This cannot be undone.',
    de: 'Die Person wird mit allen Angaben, Angeboten, Sitzungen, Datensätzen und Verläufen gelöscht. Ausgestellte Nachweise werden widerrufen. Das lässt sich nicht rückgängig machen.',
  },
  eraseWord: { en: 'erase', de: 'löschen' },
})
