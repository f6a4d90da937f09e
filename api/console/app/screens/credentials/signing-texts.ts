import { texts } from '../../kit/language.ts'

export const signingTexts = texts({
  title: { en: 'Sign a credential', de: 'Nachweis signieren' },
  about: {
    en: 'Signs a credential without an offer and without a wallet. Give the text to its holder, for example as a QR code.',
    de: 'Signiert einen Nachweis ohne Angebot und ohne Wallet. Geben Sie den Text der Person, zum Beispiel als QR-Code.',
  },
  profile: { en: 'Profile', de: 'Profil' },
  payload: { en: 'Claims', de: 'Angaben' },
  payloadHint: { en: 'The payload as JSON', de: 'Die Payload als JSON' },
  revocable: { en: 'Can be revoked', de: 'Kann widerrufen werden' },
  configuration: { en: 'Configuration', de: 'Konfiguration' },
  configurationHint: {
    en: 'It has the type and the tree of claims. Without it, fill in both.',
    de: 'Sie hat den Typ und den Baum der Angaben. Ohne sie füllen Sie beides aus.',
  },
  vct: { en: 'Type (vct)', de: 'Typ (vct)' },
  tree: { en: 'Tree of claims', de: 'Baum der Angaben' },
  claims: { en: 'Claims', de: 'Angaben' },
  claimsHint: { en: 'The values that the tree reads, as JSON', de: 'Die Werte, die der Baum liest, als JSON' },
  sign: { en: 'Sign', de: 'Signieren' },
  signed: { en: 'Signed credential', de: 'Signierter Nachweis' },
  code: { en: 'QR code of the credential', de: 'QR-Code des Nachweises' },
  content: { en: 'Content', de: 'Inhalt' },
})
