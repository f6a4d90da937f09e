import { texts } from '../kit/language.ts'

export const shellTexts = texts({
  skip: { en: 'To the content', de: 'Zum Inhalt' },
  menu: { en: 'Menu', de: 'Menü' },
  issuing: { en: 'Issuing', de: 'Ausstellung' },
  trust: { en: 'Verification and trust', de: 'Prüfung und Vertrauen' },
  operation: { en: 'Operation', de: 'Betrieb' },
  search: { en: 'Search', de: 'Suchen' },
  language: { en: 'Language', de: 'Sprache' },
  signOut: { en: 'Sign out', de: 'Abmelden' },
  signIn: { en: 'Sign in', de: 'Anmelden' },
  signInAgain: { en: 'Sign in again', de: 'Erneut anmelden' },
  signInAdvice: {
    en: 'With the id and the secret of a management client of this host.',
    de: 'Mit der ID und dem Geheimnis eines Management-Clients dieses Hosts.',
  },
  signInWith: { en: 'Sign in with {name}', de: 'Mit {name} anmelden' },
  clientId: { en: 'Client id', de: 'Client-ID' },
  clientSecret: { en: 'Client secret', de: 'Client-Geheimnis' },
  wrongClient: {
    en: 'No client of this host has this id and this secret.',
    de: 'Kein Client dieses Hosts hat diese ID und dieses Geheimnis.',
  },
  linkEnded: {
    en: 'This link was already used, or it has expired after 15 minutes. Sign in another way, or ask the operator of the service for a new link: `npm run console:link` prints one.',
    de: 'Dieser Link wurde schon benutzt, oder er ist nach 15 Minuten abgelaufen. Melden Sie sich anders an, oder bitten Sie den Betreiber des Dienstes um einen neuen Link: `npm run console:link` gibt ihn aus.',
  },
  or: { en: 'or', de: 'oder' },
  openProvider: { en: 'Open the provider in another tab', de: 'Den Anbieter in einem anderen Tab öffnen' },
  signedIn: { en: 'You are signed in', de: 'Sie sind angemeldet' },
  closeTab: {
    en: 'Close this tab. Continue in the other tab.',
    de: 'Schließen Sie diesen Tab. Arbeiten Sie im anderen Tab weiter.',
  },
  asClient: { en: 'Management client', de: 'Management-Client' },
  asPerson: { en: 'Signed in at the provider', de: 'Beim Anbieter angemeldet' },
  sessionEnded: {
    en: 'Your session has ended. Your input is still there.',
    de: 'Ihre Sitzung ist beendet. Ihre Eingaben sind noch da.',
  },
  notFound: { en: 'This page does not exist', de: 'Diese Seite gibt es nicht' },
  toOverview: { en: 'To the overview', de: 'Zur Übersicht' },
  broken: { en: 'This page could not be displayed', de: 'Diese Seite konnte nicht angezeigt werden' },
  brokenAdvice: {
    en: 'The console may have been updated in the meantime. Reload the page to get the current version.',
    de: 'Vielleicht wurde die Konsole inzwischen aktualisiert. Laden Sie die Seite neu, um die aktuelle Version zu erhalten.',
  },
  reload: { en: 'Reload', de: 'Neu laden' },
  reference: { en: 'API reference', de: 'API-Referenz' },
})
