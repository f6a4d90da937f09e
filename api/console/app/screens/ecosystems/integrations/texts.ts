import { type Text, texts } from '../../../kit/language.ts'

export const integrationTexts = texts({
  what: {
    en: 'VICALs and RICALs of other publishers. Trust checks accept the certificates of VICALs for the types of this ecosystem. Your own lists do not contain them.',
    de: 'VICALs und RICALs anderer Herausgeber. Vertrauensprüfungen erkennen die Zertifikate von VICALs für die Arten dieses Ökosystems an. Ihre eigenen Listen enthalten sie nicht.',
  },
  format: { en: 'Format', de: 'Format' },
  VICAL: { en: 'VICAL: authorities of issuers', de: 'VICAL: Zertifizierungsstellen von Ausstellern' },
  RICAL: { en: 'RICAL: authorities of readers', de: 'RICAL: Zertifizierungsstellen von Lesegeräten' },
  readers: {
    en: 'It lists readers. Its certificates are not accepted for issuers.',
    de: 'Sie führt Lesegeräte auf. Ihre Zertifikate gelten nicht für Aussteller.',
  },
  empty: {
    en: 'No imported list. Add one to trust the issuers that its publisher trusts.',
    de: 'Keine importierte Liste. Fügen Sie eine hinzu, um den Ausstellern zu vertrauen, denen ihr Herausgeber vertraut.',
  },
  newList: { en: 'Import a list', de: 'Liste importieren' },
  url: { en: 'Address of the list', de: 'Adresse der Liste' },
  urlHint: {
    en: 'An https address, such as https://lists.example.org/vical.cbor',
    de: 'Eine https-Adresse, etwa https://lists.example.org/vical.cbor',
  },
  anchor: { en: 'Root certificate of its signer', de: 'Wurzelzertifikat ihres Signierers' },
  anchorHint: {
    en: 'Recommended. Without it, the root of the first valid list is pinned. Required for a RICAL, which does not contain its root.',
    de: 'Empfohlen. Ohne dieses Zertifikat wird die Wurzel der ersten gültigen Liste festgelegt. Für eine RICAL erforderlich, da sie ihre Wurzel nicht enthält.',
  },
  sync: { en: 'Fetch now', de: 'Jetzt abrufen' },
  syncing: {
    en: 'All imported lists are being fetched. The results appear here in a moment.',
    de: 'Alle importierten Listen werden abgerufen. Die Ergebnisse erscheinen gleich hier.',
  },
  good: { en: 'valid', de: 'gültig' },
  bad: { en: 'failed', de: 'fehlgeschlagen' },
  waiting: { en: 'is being fetched', de: 'wird abgerufen' },
  disabled: { en: 'disabled', de: 'deaktiviert' },
  enable: { en: 'Enable', de: 'Aktivieren' },
  disable: { en: 'Disable', de: 'Deaktivieren' },
  remove: { en: 'Remove', de: 'Entfernen' },
  removeWhat: { en: 'Its certificates are no longer trusted.', de: 'Ihren Zertifikaten wird nicht mehr vertraut.' },
  tried: { en: 'Last attempt', de: 'Letzter Versuch' },
  listDate: { en: 'Date of the last valid list', de: 'Datum der letzten gültigen Liste' },
  certificates: { en: 'Certificates', de: 'Zertifikate' },
  certificate: { en: 'Certificate', de: 'Zertifikat' },
  noCertificates: { en: 'No certificates.', de: 'Keine Zertifikate.' },
  docTypes: { en: 'For types', de: 'Für Arten' },
  valid: { en: 'Valid', de: 'Gültig' },
  fingerprint: { en: 'Fingerprint', de: 'Fingerabdruck' },
  changes: { en: 'Last change', de: 'Letzte Änderung' },
  changed: {
    en: '{added} added, {removed} removed, {changed} for other types',
    de: '{added} hinzugekommen, {removed} entfallen, {changed} für andere Arten',
  },
  skipped: { en: 'Entries that cannot be used', de: 'Einträge, die nicht verwendbar sind' },
  skippedOne: { en: 'Entry {index}: {reason}', de: 'Eintrag {index}: {reason}' },
  pinned: { en: 'Pinned root', de: 'Festgelegte Wurzel' },
  anchors: { en: 'Trust anchors', de: 'Vertrauensanker' },
  stays: {
    en: 'The content of the last valid list stays in use.',
    de: 'Der Inhalt der letzten gültigen Liste gilt weiter.',
  },
})

/** The reasons why a list was not accepted, by the error type of the service. */
export const failTexts: Record<string, Text> = texts({
  FetchFailed: { en: 'It could not be fetched.', de: 'Sie konnte nicht abgerufen werden.' },
  TooLarge: { en: 'It is too large.', de: 'Sie ist zu groß.' },
  NotAList: {
    en: 'The file at the address is not a list of this format.',
    de: 'Die Datei unter der Adresse ist keine Liste dieses Formats.',
  },
  SignatureInvalid: { en: 'Its signature is not valid.', de: 'Ihre Signatur ist nicht gültig.' },
  ChainInvalid: {
    en: 'No trusted root certifies its signer.',
    de: 'Keine vertrauenswürdige Wurzel zertifiziert ihren Signierer.',
  },
  RootMissing: {
    en: 'It does not contain the root of its signer, and no trust anchor is set. Add the root here.',
    de: 'Sie enthält die Wurzel ihres Signierers nicht, und kein Vertrauensanker ist festgelegt. Fügen Sie die Wurzel hier hinzu.',
  },
  RootChanged: {
    en: 'It is signed under another root than before.',
    de: 'Sie ist unter einer anderen Wurzel signiert als bisher.',
  },
  DateInFuture: { en: 'Its date is in the future.', de: 'Ihr Datum liegt in der Zukunft.' },
  Expired: { en: 'It has expired. The next list was due.', de: 'Sie ist abgelaufen. Die nächste Liste war fällig.' },
  Outdated: { en: 'It is older than the last valid list.', de: 'Sie ist älter als die letzte gültige Liste.' },
  NoUsableEntries: { en: 'None of its entries can be read.', de: 'Keiner ihrer Einträge ist lesbar.' },
})
