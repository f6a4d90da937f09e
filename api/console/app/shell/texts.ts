import { texts } from '../kit/language.ts'

export const shellTexts = texts({
  skip: { en: 'To the content', de: 'Zum Inhalt' },
  menu: { en: 'Menu', de: 'Menü' },
  language: { en: 'Language', de: 'Sprache' },
  signOut: { en: 'Sign out', de: 'Abmelden' },
  signIn: { en: 'Sign in', de: 'Anmelden' },
  signInAgain: { en: 'Sign in again', de: 'Wieder anmelden' },
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
    en: 'This link was used already, or its 15 minutes are over. Sign in in another way, or ask who runs the service for another one: `npm run console:link` prints it.',
    de: 'Dieser Link wurde schon benutzt, oder seine 15 Minuten sind um. Melden Sie sich anders an, oder bitten Sie um einen neuen, wer den Dienst betreibt: `npm run console:link` zeigt ihn.',
  },
  or: { en: 'or', de: 'oder' },
  openProvider: { en: 'Open the provider in another tab', de: 'Den Anbieter in einem anderen Tab öffnen' },
  signedIn: { en: 'You are signed in', de: 'Sie sind angemeldet' },
  closeTab: {
    en: 'Close this tab: the other one goes on where you were.',
    de: 'Schließen Sie diesen Tab: Im anderen geht es weiter, wo Sie waren.',
  },
  asClient: { en: 'Management client', de: 'Management-Client' },
  asPerson: { en: 'Signed in at the provider', de: 'Beim Anbieter angemeldet' },
  sessionEnded: {
    en: 'Your session has ended. What you typed is still there.',
    de: 'Ihre Sitzung ist beendet. Was Sie eingegeben haben, ist noch da.',
  },
  notFound: { en: 'There is no such screen', de: 'Diese Ansicht gibt es nicht' },
  toOverview: { en: 'To the overview', de: 'Zur Übersicht' },
  broken: { en: 'This screen could not be shown', de: 'Diese Ansicht konnte nicht gezeigt werden' },
  brokenAdvice: {
    en: 'The console may have been updated meanwhile. Loading it anew brings the current one.',
    de: 'Vielleicht wurde die Konsole inzwischen aktualisiert. Neu geladen ist sie die aktuelle.',
  },
  loadAnew: { en: 'Load anew', de: 'Neu laden' },
  reference: { en: 'API reference', de: 'API-Referenz' },
})
