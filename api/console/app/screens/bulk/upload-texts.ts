import { texts } from '../../kit/language.ts'

export const uploadTexts = texts({
  title: { en: 'Upload a file', de: 'Datei hochladen' },
  mode: { en: 'The result', de: 'Das Ergebnis' },
  links: { en: 'Claim links', de: 'Abhol-Links' },
  linksHint: {
    en: 'An address for each person, to collect the credentials with a wallet. Send it by letter or email.',
    de: 'Eine Adresse für jede Person, um die Nachweise mit einer Wallet abzuholen. Verschicken Sie sie per Brief oder E-Mail.',
  },
  sign: { en: 'Signed credentials', de: 'Signierte Nachweise' },
  signHint: {
    en: 'A file with the credentials, without a wallet. They are not bound to a key of the person.',
    de: 'Eine Datei mit den Nachweisen, ohne Wallet. Sie sind nicht an einen Schlüssel der Person gebunden.',
  },
  days: { en: 'The links are valid for (days)', de: 'Die Links gelten (Tage)' },
  daysHint: { en: 'From 1 to 365.', de: 'Von 1 bis 365.' },
  withCode: { en: 'Transaction code', de: 'Transaktionscode' },
  withCodeHint: {
    en: 'Six digits for each person. Send them by another channel than the link. The results have them for one hour after the first download.',
    de: 'Sechs Ziffern für jede Person. Teilen Sie sie auf anderem Weg mit als den Link. Die Ergebnisse enthalten sie bis eine Stunde nach dem ersten Herunterladen.',
  },
  description: { en: 'Text that the wallet shows with the code', de: 'Text, den die Wallet zum Code anzeigt' },
  withSignIn: { en: 'Sign-in', de: 'Anmeldung' },
  withSignInHint: {
    en: 'Each person signs in at the identity provider of the tenant. Not possible together with a transaction code.',
    de: 'Jede Person meldet sich beim Identitätsanbieter des Mandanten an. Nicht zusammen mit einem Transaktionscode möglich.',
  },
  signInClaim: { en: 'Claim that must match', de: 'Angabe, die übereinstimmen muss' },
  signInClaimHint: {
    en: 'A claim of the provider, such as email. It must equal the claim of the row with the same name. Empty: anyone who signs in and has the link.',
    de: 'Eine Angabe des Anbieters, etwa email. Sie muss gleich der Angabe der Zeile mit demselben Namen sein. Leer: jede Person, die sich anmeldet und den Link hat.',
  },
  acceptUnverified: {
    en: 'Accept an unverified email or phone number',
    de: 'Unbestätigte E-Mail oder Telefonnummer annehmen',
  },
  acceptUnverifiedHint: {
    en: 'Only if people cannot change it at the provider.',
    de: 'Nur wenn Personen sie beim Anbieter nicht ändern können.',
  },
  configuration: { en: 'What each row becomes', de: 'Was aus jeder Zeile wird' },
  noConfiguration: {
    en: 'No configuration yet. A configuration defines a credential and its claims.',
    de: 'Noch keine Konfiguration. Eine Konfiguration legt einen Nachweis und seine Angaben fest.',
  },
  noSignable: {
    en: 'No suitable configuration yet. The credentials must not be bound to a key of the person: compact, semantic, or SD-JWT without key binding.',
    de: 'Noch keine passende Konfiguration. Die Nachweise dürfen nicht an einen Schlüssel der Person gebunden sein: kompakt, semantisch oder SD-JWT ohne Schlüsselbindung.',
  },
  newConfiguration: { en: 'New configuration', de: 'Neue Konfiguration' },
  chooseFirst: { en: 'Choose what each row becomes.', de: 'Wählen Sie, was aus jeder Zeile wird.' },
  template: { en: 'Template: {name}', de: 'Vorlage: {name}' },
  templateWhat: {
    en: 'A table with the columns that the configuration needs, and an example row.',
    de: 'Eine Tabelle mit den Spalten, die die Konfiguration braucht, und einer Beispielzeile.',
  },
  file: { en: 'Table of people', de: 'Tabelle mit Personen' },
  fileHint: {
    en: 'CSV as Excel and LibreOffice save it, or JSON Lines. Also compressed with gzip. At most 2 GB. Choose a file, or drop it here.',
    de: 'CSV, wie Excel und LibreOffice es speichern, oder JSON Lines. Auch mit gzip komprimiert. Höchstens 2 GB. Wählen Sie eine Datei, oder legen Sie sie hier ab.',
  },
  noFile: { en: 'Choose a file first.', de: 'Wählen Sie zuerst eine Datei.' },
  noTable: {
    en: 'No table was found in this file. Save the sheet as “CSV UTF-8”.',
    de: 'In dieser Datei wurde keine Tabelle gefunden. Speichern Sie das Blatt als „CSV UTF-8“.',
  },
  tooLarge: { en: 'The file has more than 2 GB.', de: 'Die Datei hat mehr als 2 GB.' },
  preview: { en: 'The first rows', de: 'Die ersten Zeilen' },
  mapping: { en: 'What the columns mean', de: 'Was die Spalten bedeuten' },
  mappingWhat: {
    en: 'Guessed from the header. Check it before the upload.',
    de: 'Aus der Kopfzeile erraten. Prüfen Sie es vor dem Hochladen.',
  },
  unused: { en: 'not used', de: 'nicht verwendet' },
  required: { en: '{name} (required)', de: '{name} (Pflicht)' },
  missing: {
    en: 'No column for: {names}. Rows without these claims have an error.',
    de: 'Keine Spalte für: {names}. Zeilen ohne diese Angaben sind fehlerhaft.',
  },
  externalId: { en: 'Your id of each row', de: 'Ihre Kennung jeder Zeile' },
  externalIdHint: {
    en: 'It must be different in each row. The results name it.',
    de: 'Sie muss in jeder Zeile anders sein. Die Ergebnisse nennen sie.',
  },
  userId: { en: 'Id of the user', de: 'ID der Person' },
  userIdHint: {
    en: 'Only if the people are users of this tenant.',
    de: 'Nur wenn die Personen in diesem Mandanten angelegt sind.',
  },
  kept: { en: 'Columns that come back in the results', de: 'Spalten, die in den Ergebnissen wiederkommen' },
  keptHint: {
    en: 'Such as the email address to which you send the link. At most 20. They are stored encrypted, and deleted with the results.',
    de: 'Etwa die E-Mail-Adresse, an die Sie den Link schicken. Höchstens 20. Sie werden verschlüsselt gespeichert und mit den Ergebnissen gelöscht.',
  },
  options: { en: 'Options', de: 'Optionen' },
  validateOnly: { en: 'Only check the rows at first', de: 'Die Zeilen zuerst nur prüfen' },
  validateOnlyHint: {
    en: 'Nothing is issued before you start it.',
    de: 'Es wird nichts ausgestellt, bevor Sie es starten.',
  },
  onDuplicate: { en: 'A repeated id', de: 'Eine wiederholte Kennung' },
  fail: { en: 'refuses the whole file', de: 'lehnt die ganze Datei ab' },
  skip: { en: 'is an error of its row', de: 'ist ein Fehler ihrer Zeile' },
  upload: { en: 'Upload', de: 'Hochladen' },
  uploading: { en: 'Uploading: {percent} %', de: 'Wird hochgeladen: {percent} %' },
})
