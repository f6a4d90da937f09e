import { texts } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'

/** What whoever may not sees in the place of a form. */
export const forbidden: Problem = { kind: 'forbidden', details: [] }

export const offerTexts = texts({
  offers: { en: 'Offers', de: 'Angebote' },
  create: { en: 'New offer', de: 'Neues Angebot' },
  empty: {
    en: 'No offer yet. An offer is what a person scans to get a credential into their wallet.',
    de: 'Noch kein Angebot. Ein Angebot scannt, wer einen Nachweis in seine Wallet bekommen soll.',
  },
  noneSuch: { en: 'No offer is in this state.', de: 'Kein Angebot ist in diesem Zustand.' },
  noneOf: { en: 'No offer is like this.', de: 'Kein Angebot passt dazu.' },
  more: {
    en: 'More offers may follow on the next page.',
    de: 'Auf der nächsten Seite können weitere Angebote folgen.',
  },
  offer: { en: 'Offer', de: 'Angebot' },
  kind: { en: 'Kind', de: 'Art' },
  preAuthorized: { en: 'for one person', de: 'für eine Person' },
  shared: { en: 'for anybody who signs in', de: 'für alle, die sich anmelden' },
  ends: { en: 'Ends', de: 'Endet' },
  page: { en: 'Page for the person', de: 'Seite für die Person' },
  link: { en: 'Link', de: 'Link' },
  configuration: { en: 'Configuration', de: 'Konfiguration' },
  credentials: { en: 'Credentials', de: 'Nachweise' },
  user: { en: 'User', de: 'Person' },
  usable: { en: 'open', de: 'offen' },
  spent: { en: 'opened by a wallet', de: 'von einer Wallet geöffnet' },
  claimed: { en: 'collected', de: 'abgeholt' },
  ended: { en: 'used up', de: 'aufgebraucht' },
  expired: { en: 'expired', de: 'abgelaufen' },
  withdraw: { en: 'Delete', de: 'Löschen' },
  withdrawTitle: { en: 'Delete this offer?', de: 'Dieses Angebot löschen?' },
  withdrawAdvice: {
    en: 'No wallet can use it any more. What was collected with it stays; whoever has begun to sign in goes on.',
    de: 'Keine Wallet kann es mehr benutzen. Was damit abgeholt wurde, bleibt; wer schon bei der Anmeldung ist, macht weiter.',
  },
  wasDeleted: {
    en: 'This offer was deleted, or it never was. What happened to it is still told for a while.',
    de: 'Dieses Angebot wurde gelöscht, oder es gab es nie. Was mit ihm geschah, steht noch eine Weile hier.',
  },
  what: { en: 'What is offered', de: 'Was angeboten wird' },
  whom: { en: 'To whom', de: 'Wem' },
  preAuthorizedHint: {
    en: 'You say who it is for; whoever scans it need not sign in.',
    de: 'Sie sagen, für wen es ist; wer es scannt, muss sich nicht anmelden.',
  },
  sharedHint: {
    en: 'For a poster or a website: each person signs in at your identity provider.',
    de: 'Für ein Plakat oder eine Website: Jede Person meldet sich bei Ihrem Identitätsanbieter an.',
  },
  noConfiguration: {
    en: 'There is no configuration yet that could be offered. It says what a credential is and what it tells.',
    de: 'Es gibt noch keine Konfiguration, die man anbieten könnte. Sie sagt, was ein Nachweis ist und was er aussagt.',
  },
  newConfiguration: { en: 'New configuration', de: 'Neue Konfiguration' },
  chooseFirst: { en: 'Choose what is offered.', de: 'Wählen Sie, was angeboten wird.' },
  make: { en: 'Make the offer', de: 'Angebot machen' },
  userHint: {
    en: 'The id of a user who is there already; when it is empty a new one is made.',
    de: 'Die ID einer Person, die es schon gibt; ist es leer, wird eine neue angelegt.',
  },
  claims: { en: 'Claims', de: 'Angaben' },
  claimsAsForm: { en: 'Claims in fields', de: 'Angaben in Feldern' },
  claimsAsJson: { en: 'Claims as JSON', de: 'Angaben als JSON' },
  keep: { en: 'Claims that the user keeps', de: 'Angaben, die bei der Person bleiben' },
  keepHint: {
    en: 'Their names, one in a line. All others are forgotten once they are issued.',
    de: 'Ihre Namen, einer pro Zeile. Alle anderen werden vergessen, sobald sie ausgestellt sind.',
  },
  withCode: { en: 'Transaction code', de: 'Transaktionscode' },
  withCodeHint: {
    en: 'Six digits that you tell the person by another channel.',
    de: 'Sechs Ziffern, die Sie der Person auf anderem Weg mitteilen.',
  },
  codeDescription: { en: 'What the wallet says of the code', de: 'Was die Wallet über den Code sagt' },
  codeDescriptionHint: {
    en: 'Such as “We sent it to your phone”.',
    de: 'Etwa „Wir haben ihn an Ihr Telefon geschickt“.',
  },
  codeOnce: {
    en: 'It is shown this once. Tell it to the person, and not by the channel of the offer.',
    de: 'Er wird nur dieses eine Mal gezeigt. Teilen Sie ihn der Person mit, und nicht auf dem Weg des Angebots.',
  },
  codeFor: { en: 'Transaction code for the person', de: 'Transaktionscode für die Person' },
  expiry: { en: 'It can be taken for', de: 'Annehmbar für' },
  by: { en: 'The link', de: 'Der Link' },
  byHint: {
    en: 'Short links make QR codes that are easier to scan.',
    de: 'Kurze Links machen QR-Codes, die leichter zu scannen sind.',
  },
  byValue: { en: 'has the whole offer in it', de: 'enthält das ganze Angebot' },
  byReference: { en: 'is short and says where the offer is', de: 'ist kurz und sagt, wo das Angebot steht' },
  parameters: { en: 'Parameters for the identity provider', de: 'Parameter für den Identitätsanbieter' },
  parametersHint: {
    en: 'As JSON, such as {"login_hint": "ada@example.org"}; those that the provider lists are passed on.',
    de: 'Als JSON, etwa {"login_hint": "ada@example.org"}; weitergegeben wird, was beim Anbieter aufgeführt ist.',
  },
  yes: { en: 'Yes', de: 'Ja' },
  no: { en: 'No', de: 'Nein' },
  qrLabel: { en: 'QR code of the offer', de: 'QR-Code des Angebots' },
  scan: {
    en: 'Scan it with the wallet, or open it on the phone.',
    de: 'Mit der Wallet scannen oder am Telefon öffnen.',
  },
  openWallet: { en: 'Open in a wallet', de: 'In einer Wallet öffnen' },
  timeLeft: { en: '{left} left', de: 'noch {left}' },
  timeline: { en: 'Timeline', de: 'Verlauf' },
  nothingYet: {
    en: 'Nothing has happened yet. What wallets ask, and what became of it, appears here by itself.',
    de: 'Noch ist nichts geschehen. Was Wallets anfragen und was daraus wird, erscheint hier von selbst.',
  },
  request: { en: 'Request', de: 'Anfrage' },
  session: { en: 'Session', de: 'Sitzung' },
  wentWell: { en: 'done', de: 'erledigt' },
  wasRefused: { en: 'refused', de: 'abgelehnt' },
  passed: { en: '{count} checks passed or not needed', de: '{count} Prüfungen bestanden oder nicht nötig' },
  told: { en: 'Reason, as events have it:', de: 'Grund, wie ihn die Ereignisse haben:' },
})
