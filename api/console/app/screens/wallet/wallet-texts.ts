import { texts } from '../../kit/language.ts'

export const walletTexts = texts({
  off: {
    en: 'The test wallet is off on this host. The operator of the service turns it on with the setting “testWallet” of the tenant.',
    de: 'Die Test-Wallet ist auf diesem Host ausgeschaltet. Der Betreiber des Dienstes schaltet sie mit der Einstellung „testWallet“ des Mandanten ein.',
  },
  about: {
    en: 'Collects a credential like a phone would. Its key exists until you leave this page, and nothing is stored.',
    de: 'Holt einen Nachweis ab wie ein Telefon. Ihr Schlüssel besteht, bis Sie die Seite verlassen, und nichts wird gespeichert.',
  },
  offer: { en: 'Offer', de: 'Angebot' },
  offerHint: {
    en: 'The text of the QR code (openid-credential-offer://…), or the address of an offer page.',
    de: 'Der Text des QR-Codes (openid-credential-offer://…) oder die Adresse einer Angebotsseite.',
  },
  read: { en: 'Read the offer', de: 'Angebot lesen' },
  offered: { en: 'Offered credentials', de: 'Angebotene Nachweise' },
  credential: { en: 'Credential to collect', de: 'Nachweis zum Abholen' },
  code: { en: 'Transaction code', de: 'Transaktionscode' },
  collect: { en: 'Collect', de: 'Abholen' },
  signIn: { en: 'Prepare the sign-in', de: 'Anmeldung vorbereiten' },
  signInAbout: {
    en: 'This registers the address of this page as the wallet “Test wallet” once, if it is not registered yet.',
    de: 'Das registriert die Adresse dieser Seite einmal als Wallet „Test wallet“, wenn sie noch nicht registriert ist.',
  },
  openSignIn: { en: 'Sign in in a new tab', de: 'In einem neuen Tab anmelden' },
  waiting: {
    en: 'Sign in there as the holder. This page continues by itself.',
    de: 'Melden Sie sich dort als Inhaberin oder Inhaber an. Diese Seite macht dann von selbst weiter.',
  },
  closeTab: {
    en: 'Close this tab. The wallet continues in the other tab.',
    de: 'Schließen Sie diesen Tab. Die Wallet macht im anderen Tab weiter.',
  },
  again: { en: 'Another offer', de: 'Anderes Angebot' },
  collected: { en: 'Collected credential', de: 'Abgeholter Nachweis' },
  format: { en: 'Format', de: 'Format' },
  key: { en: 'Key of the wallet', de: 'Schlüssel der Wallet' },
  header: { en: 'Header', de: 'Header' },
  content: { en: 'Content', de: 'Inhalt' },
  disclosures: { en: 'Disclosures', de: 'Offenlegungen' },
  text: { en: 'As received', de: 'Wie empfangen' },
  status: { en: 'Status list', de: 'Statusliste' },
  index: { en: 'Index', de: 'Index' },
  noStatus: { en: 'The credential has no status.', de: 'Der Nachweis hat keinen Status.' },
  readStatus: { en: 'Read the status', de: 'Status lesen' },
  valid: { en: 'valid', de: 'gültig' },
  invalid: { en: 'revoked', de: 'widerrufen' },
  suspended: { en: 'suspended', de: 'ausgesetzt' },
  noList: {
    en: 'The list cannot be read here yet. A new list is published within seconds.',
    de: 'Die Liste kann hier noch nicht gelesen werden. Eine neue Liste wird binnen Sekunden veröffentlicht.',
  },
  notDecoded: { en: 'This format cannot be decoded here.', de: 'Dieses Format kann hier nicht entschlüsselt werden.' },
  messages: { en: 'HTTP messages', de: 'HTTP-Nachrichten' },
  notAnOffer: { en: 'This text is not an offer.', de: 'Dieser Text ist kein Angebot.' },
  foreign: {
    en: 'The offer is of another issuer: {issuer}. Open the console at its host.',
    de: 'Das Angebot ist von einem anderen Aussteller: {issuer}. Öffnen Sie die Konsole auf dessen Host.',
  },
  refused: { en: '{step} was refused: {error}', de: '{step} wurde abgelehnt: {error}' },
  tooSlow: { en: 'The credential was not ready in time.', de: 'Der Nachweis war nicht rechtzeitig fertig.' },
})
