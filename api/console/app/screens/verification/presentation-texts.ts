import { texts } from '../../kit/language.ts'

export const templateTexts = texts({
  title: { en: 'Templates of presentation requests', de: 'Vorlagen für Präsentationsanfragen' },
  about: {
    en: 'A template names the credentials that a wallet presents. Create a request from it, and show its QR code.',
    de: 'Eine Vorlage nennt die Nachweise, die eine Wallet vorzeigt. Erstellen Sie daraus eine Anfrage, und zeigen Sie deren QR-Code.',
  },
  create: { en: 'New template', de: 'Neue Vorlage' },
  empty: { en: 'No template yet.', de: 'Noch keine Vorlage.' },
  deleteTitle: { en: 'Delete this template?', de: 'Diese Vorlage löschen?' },
  deleteText: {
    en: 'Requests that were created from it stay valid.',
    de: 'Anfragen, die daraus erstellt wurden, bleiben gültig.',
  },
})

export const presentationTexts = texts({
  presentations: { en: 'Presentations', de: 'Präsentationen' },
  domain: { en: 'Domain', de: 'Domain' },
  domainHint: {
    en: 'Wallets show it, for example library.example.org.',
    de: 'Wallets zeigen sie an, zum Beispiel library.example.org.',
  },
  query: { en: 'Query', de: 'Abfrage' },
  queryHint: {
    en: 'The types of the requested credentials, and the reason that wallets show.',
    de: 'Die Typen der verlangten Nachweise und der Grund, den Wallets anzeigen.',
  },
  types: { en: 'Requested types', de: 'Verlangte Typen' },
  onlyDid: { en: 'only the DID', de: 'nur die DID' },
  request: { en: 'New request', de: 'Neue Anfrage' },
  challenge: { en: 'Challenge', de: 'Challenge' },
  challengeHint: {
    en: 'A new value for each request. The presentation must contain it.',
    de: 'Ein neuer Wert für jede Anfrage. Die Präsentation muss ihn enthalten.',
  },
  sender: { en: 'Sender', de: 'Absender' },
  senderHint: { en: 'A DID with an Ed25519 key', de: 'Eine DID mit Ed25519-Schlüssel' },
  callback: { en: 'Address for the presentation', de: 'Adresse für die Präsentation' },
  callbackHint: {
    en: 'The wallet sends the presentation to it. Then verify it in the tab “Verify”.',
    de: 'Die Wallet sendet die Präsentation dorthin. Prüfen Sie sie dann im Tab „Prüfen“.',
  },
  code: { en: 'QR code of the request', de: 'QR-Code der Anfrage' },
  expires: { en: 'Expires', de: 'Läuft ab' },
})
