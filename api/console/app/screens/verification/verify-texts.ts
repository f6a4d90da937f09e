import { texts } from '../../kit/language.ts'

export const verifyTexts = texts({
  verify: { en: 'Verify', de: 'Prüfen' },
  about: {
    en: 'The service checks a credential or a presentation and stores nothing of it.',
    de: 'Der Dienst prüft einen Nachweis oder eine Präsentation und speichert nichts davon.',
  },
  file: { en: 'File', de: 'Datei' },
  fileHint: {
    en: 'A text file, or a picture of a QR code (PNG or JPEG). Choose it or drop it here.',
    de: 'Eine Textdatei oder ein Bild eines QR-Codes (PNG oder JPEG). Wählen Sie sie aus, oder ziehen Sie sie hierher.',
  },
  tooLarge: { en: 'The file has more than 5 MB.', de: 'Die Datei hat mehr als 5 MB.' },
  payload: { en: 'Credential or presentation', de: 'Nachweis oder Präsentation' },
  payloadHint: {
    en: 'CSC:/1/ (compact), CSS:/1/ (compact semantic), NZCP:/1/, an SD-JWT VC, or JSON (web semantic, presentation)',
    de: 'CSC:/1/ (compact), CSS:/1/ (compact semantic), NZCP:/1/, ein SD-JWT VC oder JSON (web semantic, Präsentation)',
  },
  notKnown: {
    en: 'The text is no credential and no presentation of these kinds.',
    de: 'Der Text ist kein Nachweis und keine Präsentation dieser Arten.',
  },
  validFrom: { en: 'Check that its validity has started', de: 'Prüfen, ob die Gültigkeit begonnen hat' },
  validUntil: { en: 'Check that it has not expired', de: 'Prüfen, ob er nicht abgelaufen ist' },
  revocation: { en: 'Check its status', de: 'Status prüfen' },
  trustedIssuers: { en: 'Accepted issuers', de: 'Akzeptierte Aussteller' },
  trustedIssuersHint: {
    en: 'One DID per line. Empty: every issuer whose DID can be resolved.',
    de: 'Eine DID pro Zeile. Leer: jeder Aussteller, dessen DID aufgelöst werden kann.',
  },
  roots: { en: 'Trusted root certificates', de: 'Vertrauenswürdige Wurzelzertifikate' },
  rootsHint: {
    en: 'PEM. Empty: the IACAs of this tenant and its trusted issuers.',
    de: 'PEM. Leer: die IACAs dieses Mandanten und seine vertrauenswürdigen Aussteller.',
  },
  nonce: { en: 'Nonce of the request', de: 'Nonce der Anfrage' },
  nonceHint: {
    en: 'With nonce and audience, the proof of the holder is required and checked.',
    de: 'Mit Nonce und Empfänger wird der Beweis der Inhaberin oder des Inhabers verlangt und geprüft.',
  },
  audience: { en: 'Audience of the request', de: 'Empfänger der Anfrage' },
  challenge: { en: 'Challenge of the request', de: 'Challenge der Anfrage' },
  domain: { en: 'Domain of the request', de: 'Domain der Anfrage' },
  verified: { en: 'Verified: all checks passed', de: 'Gültig: alle Prüfungen bestanden' },
  notVerified: { en: 'Not verified', de: 'Nicht gültig' },
  passed: { en: 'passed', de: 'bestanden' },
  failed: { en: 'failed', de: 'fehlgeschlagen' },
  skipped: { en: 'not checked', de: 'nicht geprüft' },
  content: { en: 'Content', de: 'Inhalt' },
})

/** The checks of a verification, in the order of the service. */
export const stageTexts = texts({
  structure: { en: 'The input is well-formed', de: 'Die Eingabe hat die richtige Form' },
  issuer: { en: 'The issuer is accepted', de: 'Der Aussteller wird akzeptiert' },
  key: { en: 'The key of the signer is known', de: 'Der Schlüssel der Signatur ist bekannt' },
  proof: { en: 'The proof is of the required kind', de: 'Der Beweis ist von der verlangten Art' },
  challenge: { en: 'The challenge is that of the request', de: 'Die Challenge ist die der Anfrage' },
  domain: { en: 'The domain is that of the request', de: 'Die Domain ist die der Anfrage' },
  signature: { en: 'The signature is valid', de: 'Die Signatur ist gültig' },
  type: { en: 'The credential has a type', de: 'Der Nachweis hat einen Typ' },
  started: { en: 'Its validity has started', de: 'Die Gültigkeit hat begonnen' },
  unexpired: { en: 'It has not expired', de: 'Er ist nicht abgelaufen' },
  status: { en: 'It is not revoked', de: 'Er ist nicht widerrufen' },
  binding: { en: 'The holder has the key', de: 'Die Person hat den Schlüssel' },
  credentials: { en: 'Each credential is valid', de: 'Jeder Nachweis ist gültig' },
})
